"""Checks of the sizes that strategies have as options. Each raises ``ValueError``."""

from __future__ import annotations

MOST_TOKENS = 1_000_000_000
"""No text is that long; sums and products of sizes up to it fit into any integer that a library counts with."""


def check_sizes(max_tokens: int, *, min_tokens: int | None = None, overlap_tokens: int = 0) -> None:
    """A limit from 1 to `MOST_TOKENS`, ``min_tokens`` up to it, an overlap below it."""
    if max_tokens < 1:
        raise ValueError(f"max_tokens is at least 1, got {max_tokens}")
    if max_tokens > MOST_TOKENS:
        raise ValueError(f"max_tokens is at most {MOST_TOKENS}, got a number of {len(str(max_tokens))} digits")
    if min_tokens is not None and not 0 <= min_tokens <= max_tokens:
        raise ValueError(f"min_tokens lies between 0 and max_tokens ({max_tokens}), got {min_tokens}")
    if not 0 <= overlap_tokens < max_tokens:
        raise ValueError(f"overlap_tokens lies between 0 and max_tokens - 1 ({max_tokens - 1}), got {overlap_tokens}")


def small_below(max_tokens: int, min_tokens: int | None) -> int:
    """Chunks below this size join a neighbour: a quarter of the limit unless it is given.

    >>> small_below(400, None), small_below(400, 0)
    (100, 0)
    """
    return max_tokens // 4 if min_tokens is None else min_tokens
