"""Limits that a process sets itself before it reads a file that may be hostile."""

from __future__ import annotations

import ctypes
import signal
import sys

_TIE_TO_PARENT = 1  # PR_SET_PDEATHSIG


def limit_process(*, cpu_s: int, memory_bytes: int) -> None:
    """Ends this process when its parent is gone or its time is up, and bounds its memory, where the system can.

    A lower limit that is already in force stays. ``memory_bytes`` of 0 sets none.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_TIE_TO_PARENT, signal.SIGKILL)
    try:
        import resource
    except ImportError:
        return
    wanted = [(resource.RLIMIT_CPU, cpu_s), (resource.RLIMIT_CORE, 0)]
    if memory_bytes and sys.platform == "linux":
        wanted.append((resource.RLIMIT_AS, memory_bytes))
    for limit, value in wanted:
        _, hard = resource.getrlimit(limit)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (most, most))
