"""Sizes that no strategy can work with are refused, and the largest that are allowed work."""

from __future__ import annotations

from typing import Any

import pytest
from tests.property.documents import markdown_document

from pincite import catalogue
from pincite.chunk.sizes import MOST_TOKENS, check_sizes
from pincite.errors import UsageError

LIMITED = ("structure", "hierarchy", "semantic", "adaptive", "code", "tokens", "sentences", "recursive")
OWN: dict[str, dict[str, Any]] = {"structure": {"keep_whole": {"code": 100}}, "semantic": {"embedder": "hashing"}}


@pytest.mark.parametrize("strategy", LIMITED)
def test_the_largest_limit_is_as_good_as_none(strategy: str) -> None:
    document = markdown_document("# A\n\nOne. Two.\n\n```\nx = 1\n```\n\n- three\n- four\n")
    chunks = list(
        catalogue.create("chunk", strategy, {"max_tokens": MOST_TOKENS, **OWN.get(strategy, {})}).chunk(document)
    )
    assert "".join(chunk.text for chunk in chunks).count("four") == 1
    assert max(chunk.tokens for chunk in chunks) < 100


@pytest.mark.parametrize("strategy", LIMITED)
@pytest.mark.parametrize("limit", [MOST_TOKENS + 1, 10**25 - 1])
def test_more_is_refused_in_a_line(strategy: str, limit: int) -> None:
    with pytest.raises(UsageError, match=f"max_tokens is at most {MOST_TOKENS}, got a number of") as raised:
        catalogue.create("chunk", strategy, {"max_tokens": limit, **OWN.get(strategy, {})})
    assert "\n" not in str(raised.value)


def test_sizes_that_do_not_go_together_are_refused() -> None:
    for sizes in ({"min_tokens": 6}, {"min_tokens": -1}, {"overlap_tokens": 5}, {"overlap_tokens": -1}):
        with pytest.raises(ValueError, match=next(iter(sizes))):
            check_sizes(5, **sizes)
    check_sizes(5, min_tokens=5, overlap_tokens=4)
