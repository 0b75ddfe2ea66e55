"""Parts of about the same size: how many of what is left go into the next one."""

from __future__ import annotations

from collections.abc import Sequence


def share(sizes: Sequence[int], first: int, *, room: int, remaining: int) -> int:
    """How many of ``sizes[first:]``, which sum up to ``remaining``, fill the next of as few parts as possible.

    A part holds at most ``room``, but at least one; the parts become about equal.

    >>> share([4, 4, 4, 4, 4], 0, room=12, remaining=20), share([4, 4, 4, 4, 4], 3, room=12, remaining=8)
    (3, 2)
    >>> share([30, 1], 0, room=12, remaining=31)
    1
    """
    target = remaining / -(-remaining // room) if remaining else 0
    total = sizes[first]
    index = first + 1
    while index < len(sizes):
        size = sizes[index]
        if total + size > room or total + size / 2 > target:
            break
        total += size
        index += 1
    return index - first
