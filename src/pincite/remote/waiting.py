"""How long to wait: after a failure, as a server asks, and for a rate limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MINUTE_S = 60.0
LEAST_SHARE = 0.5
"""A wait is drawn between this share of its length and the whole, so that many clients do not come back at once."""


def backoff_s(attempt: int, *, first_s: float, longest_s: float, draw: float) -> float:
    """The wait after failed ``attempt`` (from 1) in seconds; ``draw`` lies in [0, 1).

    >>> [backoff_s(attempt, first_s=1, longest_s=5, draw=0) for attempt in (1, 2, 3, 4)]
    [0.5, 1.0, 2.0, 2.5]
    """
    longest = min(first_s * 2.0 ** min(attempt - 1, 60), longest_s)
    return longest * (LEAST_SHARE + (1 - LEAST_SHARE) * draw)


def retry_after_s(value: str, *, now: datetime) -> float | None:
    """Seconds to wait by a header ``Retry-After``, which has seconds or a date; ``None`` where it says neither.

    >>> retry_after_s("120", now=datetime(2030, 1, 1, tzinfo=UTC))
    120.0
    >>> retry_after_s("Tue, 01 Jan 2030 00:00:30 GMT", now=datetime(2030, 1, 1, tzinfo=UTC))
    30.0
    """
    value = value.strip()
    if value.isascii() and value.replace(".", "", 1).isdigit():
        return float(value)
    try:
        date = parsedate_to_datetime(value)
        return max((date if date.tzinfo else date.replace(tzinfo=UTC)) - now, now - now).total_seconds()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


class Pace:
    """Spreads requests of several threads evenly over time, and holds all of them back when the server asks for it."""

    def __init__(
        self,
        *,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_request_s = MINUTE_S / requests_per_minute if requests_per_minute else 0.0
        self._per_token_s = MINUTE_S / tokens_per_minute if tokens_per_minute else 0.0
        self._clock = clock
        self._lock = threading.Lock()
        self._next = 0.0

    def take(self, tokens: int) -> float:
        """Books the next request, and says in how many seconds it may start."""
        with self._lock:
            start = max(self._next, self._clock())
            self._next = start + max(self._per_request_s, self._per_token_s * tokens)
            return start - self._clock()

    def hold(self, seconds: float) -> None:
        """Nothing more starts for so long."""
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)
