"""Waits."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.remote.waiting import Pace, backoff_s, retry_after_s

NOW = datetime(2030, 1, 1, tzinfo=UTC)


@given(st.integers(1, 10_000), st.floats(0.001, 10), st.floats(0.001, 100), st.floats(0, 1, exclude_max=True))
def test_backoff_stays_in_its_bounds(attempt: int, first_s: float, longest_s: float, draw: float) -> None:
    wait_s = backoff_s(attempt, first_s=first_s, longest_s=longest_s, draw=draw)
    assert min(first_s, longest_s) / 2 <= wait_s <= longest_s
    assert wait_s <= first_s * 2.0 ** min(attempt - 1, 60)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        (" 7 ", 7.0),
        ("1.5", 1.5),
        ("Tue, 01 Jan 2030 00:01:00 GMT", 60.0),
        ("Tue, 01 Jan 2030 00:01:00 -0000", 60.0),
        ("Mon, 31 Dec 2029 00:00:00 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("", None),
        ("٣", None),
        ("Tue, 99 Jan 2030 00:01:00 GMT", None),
    ],
)
def test_retry_after(value: str, seconds: float | None) -> None:
    assert retry_after_s(value, now=NOW) == seconds


@given(st.text())
def test_any_retry_after_is_a_wait_or_none(value: str) -> None:
    seconds = retry_after_s(value, now=NOW)
    assert seconds is None or seconds >= 0


def test_pace_spreads_requests_and_tokens() -> None:
    now = 100.0
    requests = Pace(requests_per_minute=60, clock=lambda: now)
    assert [requests.take(10) for _ in range(3)] == [0, 1, 2]
    tokens = Pace(requests_per_minute=600, tokens_per_minute=60, clock=lambda: now)
    assert [tokens.take(count) for count in (5, 0, 1)] == pytest.approx([0, 5, 5.1])
    now = 200.0
    assert [requests.take(1), requests.take(1)] == [0, 1]


def test_pace_without_limits_never_waits_unless_held() -> None:
    now = 0.0
    pace = Pace(clock=lambda: now)
    assert [pace.take(1_000_000), pace.take(1)] == [0, 0]
    pace.hold(3)
    pace.hold(1)
    assert pace.take(1) == 3
    now = 5.0
    assert pace.take(1) == 0
