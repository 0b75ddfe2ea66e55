"""CPU time that a busy machine does not disturb too much."""

from __future__ import annotations

import time
from collections.abc import Callable


def fastest(work: Callable[[], object], *, times: int = 3) -> float:
    """CPU seconds of the quickest of several runs."""
    seconds = []
    for _ in range(times):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds)
