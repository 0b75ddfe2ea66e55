"""Limits: of the options of a loader, of the size of a file, and those that a process sets itself."""

from __future__ import annotations

import ctypes
import signal
import sys

from pincite.errors import LoadError
from pincite.model import Source

_TIE_TO_PARENT = 1  # PR_SET_PDEATHSIG


def at_least_one(options: object, *names: str) -> None:
    """Raises ``ValueError`` for an option of those names that is below 1."""
    for name in names:
        value = getattr(options, name)
        if value < 1:
            raise ValueError(f"{name} must be at least 1, got {value}")


def check_size(source: Source, max_bytes: int, *, loader: str = "") -> None:
    """Raises ``LoadError`` of the kind ``too_large`` for a file of more than ``max_bytes`` bytes."""
    if len(source.data) > max_bytes:
        of_it = f" of the loader {loader!r}" if loader else ""
        raise LoadError(
            f"the file has {len(source.data):,} bytes, more than {max_bytes:,} (max_bytes)",
            cure=f"Split the file, or raise max_bytes{of_it}.",
            kind="too_large",
            file=source.path,
        )


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
