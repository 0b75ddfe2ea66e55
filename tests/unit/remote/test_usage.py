"""What was used."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.remote.usage import Usage


def test_counts_of_the_server_come_first() -> None:
    usage = Usage()
    usage.add({"usage": {"total_tokens": 1_500_000}}, estimate=9)
    usage.add({"usage": {"prompt_tokens": 500_000}}, estimate=9)
    (notice,) = usage.notices("example", price_per_million_tokens=0.02)
    assert notice.kind == "cost"
    assert (
        notice.message == "example: 2 requests, 2000000 tokens (counted by the server), 0.0400 at 0.02 a million tokens"
    )
    assert usage.notices("example") == []


@pytest.mark.parametrize(
    "answer", [{}, [], {"usage": None}, {"usage": {"total_tokens": -1}}, {"usage": {"total_tokens": "9"}}]
)
def test_without_a_count_it_is_estimated_and_says_so(answer: Any) -> None:
    usage = Usage()
    usage.add(answer, estimate=7)
    (notice,) = usage.notices("example")
    assert notice.message == "example: 1 request, 7 tokens (counted here, since the server does not say)"
