"""Counts of one document's ranges, added up where sums are provably exact instead of counted again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.model import join_prefix
from pincite.ports import Counter
from pincite.text.counters import PIECE_CHARACTERS, TokenCounter, additive_border, adds_up

if TYPE_CHECKING:
    from pincite.chunk.atoms import Atom


SEPARATORS = re.compile(r"[\x1c-\x1f]")


class Measure:
    """Exact counts of what is embedded: a prefix, and atoms in a row from the first one's start to the last one's end.

    Each atom was counted once, with the blanks around it. The count of a row is the sum of these, less the blanks at
    both ends, where every atom but the first begins at an additive border. Else the whole is counted.
    """

    def __init__(self, text: str, counter: Counter) -> None:
        self.text = text
        self.counter = counter
        self.additive = adds_up(counter)
        self.characters, self.tokens = 4, 1
        self.words_are_tokens = isinstance(counter, TokenCounter)

    def count(self, start: int, end: int) -> int:
        """Of ``text[start:end]``."""
        return self.counter.count(self.text[start:end])

    def whole(self, start: int, end: int, limit: int) -> int | None:
        """Of ``text[start:end]``; ``None`` where that is over the limit, or so likely, by the size of the tokens met so
        far, that counting would be for nothing."""
        size = end - start
        if size * self.tokens > limit * self.characters * 1.15:
            return None
        tokens = self.count(start, end)
        self.characters += size
        self.tokens += tokens
        return tokens if tokens <= limit else None

    def surely_over(self, start: int, end: int, limit: int) -> bool:
        """Whether ``text[start:end]`` has more than ``limit`` tokens already because it has so many words.

        Each word begins a token of its own, but after a slash or one of the separators that are no white space to the
        encodings.
        """
        if not self.words_are_tokens or end - start < 2 * limit:
            return False
        text = self.text[start:end]
        words = len(text.split()) - text.count("/")
        return words > limit and words - len(SEPARATORS.findall(text)) > limit

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
            if atom.begin != stop or not (atom is first or additive_border(self.text, stop)):
                return None
            tokens += atom.tokens - atom.lead
            stop = atom.stop
        if first.begin != first.start:
            tokens += self.count(first.start, first.stop) - first.tokens + first.lead
        return tokens

    def shortened(self, atom: Atom) -> int:
        """Of the atom without the blanks after it: only what follows its last additive border is counted again."""
        text, start, end = self.text, atom.start, atom.end
        if end == atom.stop:
            return atom.tokens - atom.lead
        for border in (text.rfind(" ", start, end), text.rfind("\n", start, end) + 1):
            if border > start and additive_border(text, border):
                return atom.tokens - atom.lead - self.count(border, atom.stop) + self.count(border, end)
        return self.count(atom.begin, end)
