"""Which of the passages that were chosen a further one repeats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.retrieve.choosing import Passage

SAME_SHARE = 0.9
"""From this sameness on two texts are one hit."""
COMPARED = 256
"""With more passages than this only those are compared that have something in common with the further one."""


@dataclass(slots=True, kw_only=True, eq=False)
class Chosen:
    """Passages in the order of their ranks."""

    passages: list[Passage] = field(default_factory=list)
    _indexed: int = 0
    _by_document: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    _by_mark: dict[object, list[int]] = field(default_factory=lambda: defaultdict(list))

    def repeated_by(self, passage: Passage) -> Passage | None:
        """The best one that shows what the passage shows, too."""
        return next((other for other in self._like(passage) if passage.repeats(other)), None)

    def _like(self, passage: Passage) -> Iterator[Passage]:
        if len(self.passages) <= COMPARED:
            yield from self.passages
            return
        while self._indexed < len(self.passages):
            self._index(self._indexed)
        numbers = set(self._by_document.get(passage.located.chunk.document_id, ()))
        for mark in _marks(passage):
            numbers.update(self._by_mark.get(mark, ()))
        yield from (self.passages[number] for number in sorted(numbers))

    def _index(self, number: int) -> None:
        passage = self.passages[number]
        self._by_document[passage.located.chunk.document_id].append(number)
        for mark in _marks(passage):
            self._by_mark[mark].append(number)
        self._indexed += 1


def _marks(passage: Passage) -> list[object]:
    return passage.wording.marks(share=SAME_SHARE) if passage.wording else []
