"""Counts of one document's ranges, added up where sums are provably exact instead of counted again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.chunk.ruler import ruler_for
from pincite.model import join_prefix
from pincite.ports import Counter
from pincite.text.counters import PIECE_CHARACTERS, TokenCounter, additive_border, adds_up

if TYPE_CHECKING:
    from pincite.chunk.atoms import Atom


LONGEST_MARKS = 8
LAST_MARKS = re.compile(r"(?<=[A-Za-z0-9])(?:[!-&(-/:-@\[-`{-~][!-/:-@\[-`{-~]*)?\Z")
"""The punctuation marks at the end, none or some, behind a letter or digit, with which no token joins them (but for an
apostrophe). Nor does one join the letter or digit with blanks after it: a cut of the encodings that has letters or
digits has no white space but in front."""
SEPARATORS = re.compile(r"[\x1c-\x1f]")


class RangeCounts:
    """Exact counts of what is embedded: a prefix, and atoms in a row from the first one's start to the last one's end.

    Each atom was counted once, with the blanks around it. The count of a row is the sum of these, less the blanks at
    both ends, where every atom but the first begins at an additive border. Else the whole is counted.
    """

    def __init__(self, text: str, counter: Counter) -> None:
        self.text = text
        self.counter = counter
        self.additive = adds_up(counter)
        self._characters, self._tokens = 4, 1
        self.words_are_tokens = isinstance(counter, TokenCounter)
        self._ruled = (-1, -1)
        self._blanks: dict[tuple[str, int], int] = {}

    def count(self, start: int, end: int) -> int:
        """Of ``text[start:end]``."""
        return self.counter.count(self.text[start:end])

    def likely(self, start: int, end: int) -> float:
        """About the tokens of the range, by the size of the tokens met so far."""
        return (end - start) * self._tokens / self._characters

    def length(self, tokens: float) -> float:
        """About the characters that so many tokens have."""
        return tokens * self._characters / self._tokens

    def learn(self, characters: int, tokens: int) -> None:
        self._characters += characters
        self._tokens += tokens

    def tiled(self, atoms: Sequence[Atom], begin: int, stop: int) -> int | None:
        """Of ``text[begin:stop]``, which the atoms tile; ``None`` where their sum proves nothing."""
        if not self.additive or stop - begin > PIECE_CHARACTERS:
            return None
        tokens, place = 0, begin
        for atom in atoms:
            if atom.begin != place or not (place == begin or self.is_additive(place)):
                return None
            tokens += atom.tokens - atom.lead
            place = atom.stop
        return tokens if place == stop else None

    def surely_over(self, start: int, end: int, limit: int, *, deep: bool = False) -> bool:
        """Whether ``text[start:end]`` has more than ``limit`` tokens already because it has so many words.

        Each word begins a token of its own, but after a slash or one of the separators that are no white space to the
        encodings. ``deep`` ranges lie inside each other: the outermost is counted once, and what is over twice the
        limit by that is not looked at again.
        """
        if end - start < 2 * limit:
            return False
        if deep and self.additive:
            return self.deeply(start, end) > 2 * limit
        if not self.words_are_tokens:
            return False
        text = self.text[start:end]
        words = len(text.split()) - text.count("/")
        return words > limit and words - len(SEPARATORS.findall(text)) > limit

    def deeply(self, start: int, end: int) -> int:
        """About the tokens of ``text[start:end]``, hardly ever more than it has, in logarithmic time where an earlier
        range was around it."""
        if not self._ruled[0] <= start <= end <= self._ruled[1]:
            self._ruled = start, end
            self._ruler = ruler_for(self.text[start:end], 0, self.counter)
        return self._ruler.least(start - self._ruled[0], end - self._ruled[0])

    def lead(self, begin: int, start: int, end: int, stop: int, tokens: int) -> int:
        """How many tokens more ``text[start:stop]`` has than ``text[begin:stop]``, which has so many, and only blanks
        before ``start`` and behind ``end``: only what stands before the first additive border is counted again."""
        text = self.text
        border = text.find(" ", start, end)
        if border < 0 or not self.additive or stop - begin > PIECE_CHARACTERS or not additive_border(text, border):
            return self.count(start, stop) - tokens
        return self.count(start, border) - self.count(begin, border)

    def trimmed(self, begin: int, start: int, end: int, stop: int, tokens: int) -> int:
        """Of ``text[start:end]``, where ``text[begin:stop]``, which has only blanks more, has so many tokens."""
        if start > begin or not self.additive or stop - begin > PIECE_CHARACTERS:
            return self.count(start, end)
        return self.without_end(begin, start, end, stop, tokens)

    def without_end(self, begin: int, start: int, end: int, stop: int, tokens: int) -> int:
        """Of ``text[begin:end]``, where ``text[begin:stop]`` has so many tokens and only blanks stand behind ``end``:
        what follows the last border is counted again that no token reaches over."""
        if end == stop:
            return tokens
        text = self.text
        mark = LAST_MARKS.search(text, max(start + 1, end - LONGEST_MARKS), end)
        if mark:
            return tokens - self.blanks(text[mark.start() : stop], end - mark.start())
        for border in (text.rfind(" ", start, end), text.rfind("\n", start, end) + 1):
            if border > start and additive_border(text, border):
                return tokens - self.count(border, stop) + self.count(border, end)
        return self.count(begin, end)

    def is_additive(self, place: int) -> bool:
        """As `additive_border` says; most are marks or letters at the start of a line."""
        text = self.text
        if text[place - 1] == "\n" and "!" <= text[place] <= "~" and text[place] != "/":
            return True
        return additive_border(text, place)

    def blanks(self, tail: str, length: int) -> int:
        """How many tokens more the tail has than its first ``length`` characters; there are few different tails."""
        known = self._blanks.get((tail, length))
        if known is None:
            known = self._blanks[tail, length] = self.counter.count(tail) - self.counter.count(tail[:length])
        return known

    def embedded(self, prefix: str, prefix_tokens: int, atoms: Sequence[Atom]) -> int:
        """Of the prefix and the atoms behind it; ``prefix_tokens``: of the prefix with its blank line."""
        start, end = atoms[0].start, atoms[-1].end
        text = self.text
        # A slash joins the blank line's token. Text over the piece size is counted in pieces, which need not add up.
        if not self.additive or len(prefix) + end - start > PIECE_CHARACTERS - 2 or (prefix and text[start] in "/ \t"):
            return self.counter.count(join_prefix(prefix, text[start:end]))
        tokens = self.row(atoms)
        return prefix_tokens + (self.count(start, end) if tokens is None else tokens)

    def row(self, atoms: Sequence[Atom]) -> int | None:
        """Of the atoms alone, ``None`` where their sum proves nothing."""
        first, last = atoms[0], atoms[-1]
        if last is first:
            return self.shortened(last) if first.begin == first.start else None
        tokens = self.shortened(last) - last.tokens + last.lead
        stop = first.begin
        for atom in atoms:
            if atom.begin != stop or not (atom is first or self.is_additive(stop)):
                return None
            tokens += atom.tokens - atom.lead
            stop = atom.stop
        if first.begin != first.start:
            tokens += self.count(first.start, first.stop) - first.tokens + first.lead
        return tokens

    def shortened(self, atom: Atom) -> int:
        """Of the atom without the blanks after it."""
        return self.without_end(atom.begin, atom.start, atom.end, atom.stop, atom.tokens - atom.lead)
