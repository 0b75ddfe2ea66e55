"""Counts of one document's ranges, without counting again what was counted."""

from __future__ import annotations

from functools import cached_property

from pincite.chunk.ruler import Ruler, TokenRuler, ruler_for
from pincite.model import join_prefix
from pincite.ports import Counter
from pincite.text.counters import PIECE_CHARACTERS, TokenCounter, adds_up


class RangeCounts:
    """Exact counts of ranges, and of what is embedded of them; by a ruler where the counter is an encoding's."""

    def __init__(self, text: str, start: int, counter: Counter) -> None:
        self.text = text
        self.start = start
        self.counter = counter
        self.additive = adds_up(counter)
        self._tokens = TokenRuler(text, start, counter) if isinstance(counter, TokenCounter) else None
        self.count = self._tokens.count if self._tokens else self._count
        """Of ``text[start:end]``."""

    @cached_property
    def ruler(self) -> Ruler:
        return self._tokens or ruler_for(self.text, self.start, self.counter)

    def _count(self, start: int, end: int) -> int:
        return self.counter.count(self.text[start:end])

    def lead(self, begin: int, start: int, stop: int, tokens: int) -> int:
        """How many tokens ``[start, stop)`` has more than ``[begin, stop)``, whose ``tokens`` are known, at least 0.
        What stands between ``begin`` and ``start`` is blank, what stands behind them is not."""
        lead = self._tokens.lead(begin, start, stop) if self._tokens else None
        return max(0, self.count(start, stop) - tokens) if lead is None else lead

    def surely_over(self, start: int, end: int, limit: int) -> bool:
        """Whether ``text[start:end]`` has far more than ``limit`` tokens, by a look at the ruler: blocks lie inside
        each other, and to count each of them would take long where they are nested deeply."""
        return self.additive and self.ruler.least(start, end) > 2 * limit

    def embedded(self, prefix: str, prefix_tokens: int, start: int, end: int) -> int:
        """Of the prefix and ``text[start:end]`` behind it; ``prefix_tokens``: of the prefix with its blank line."""
        # A slash joins the blank line's token. Text over the piece size is counted in pieces, which need not add up.
        if prefix and (
            not self.additive or len(prefix) + end - start > PIECE_CHARACTERS - 2 or self.text[start] in "/ \t"
        ):
            return self.counter.count(join_prefix(prefix, self.text[start:end]))
        return prefix_tokens + self.count(start, end)
