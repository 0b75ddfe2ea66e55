"""Statements from the chosen units: each once, in the order of the question, with what another version says beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.answer.contradictions import Contradiction, contradiction
from pincite.answer.reading import Reading, Wanted
from pincite.answer.units import Unit, with_what_follows, without_repeats
from pincite.answer.versions import Edition, version_order
from pincite.model import Citation, Notice, Statement

Chosen = tuple[int, Wanted]


@dataclass(frozen=True, slots=True)
class Composition:
    """Of a reading, in at most ``most`` statements."""

    reading: Reading
    most: int

    def compose(self, chosen: Sequence[Chosen]) -> tuple[tuple[Statement, ...], list[Notice]]:
        """Each chosen unit is given with the part of the question that it answers.

        Where no version was asked for and another one says something else, both are said, the newer one first, each
        with its version. Where one was asked for only that one is said, with a warning where a newer one differs.
        """
        labelled: dict[int, str] = {}
        warnings: list[Notice] = []
        order: list[int] = []
        for index, wanted in chosen:
            if index in labelled:
                continue
            found = contradiction(self.reading, index, wanted)
            if wanted.versions:
                order.append(index)
                told = {self._edition(other).version for other, _ in chosen}
                unknown = found and found.newer and self._edition(found.other).version not in told
                warnings += self._newer(found) if found and unknown else []
            elif found and found.other not in order:
                first, second = (found.other, index) if found.newer else (index, found.other)
                order = [kept for kept in order if kept not in (first, second)] + [first, second]
                labelled |= {first: self._label(first, second), second: self._label(second, first)}
                warnings.append(self._both(first, second))
            else:
                order.append(index)
                warnings += self._older(index)
        quoted = without_repeats([with_what_follows(self.reading.units[index]) for index in order])
        labels = {self._key(self.reading.units[index]): label for index, label in labelled.items()}
        statements = [_statement(unit, labels.get(self._key(unit), "")) for unit in quoted]
        return tuple(statements[: self.most]), list(dict.fromkeys(warnings))

    @property
    def _german(self) -> bool:
        return self.reading.reply_language == "de"

    @staticmethod
    def _key(unit: Unit) -> tuple[str, int]:
        return unit.document.id, unit.span.start

    def _edition(self, index: int) -> Edition:
        return Edition.of(self.reading.units[index].document)

    def _label(self, index: int, other: int) -> str:
        edition, there = self._edition(index), self._edition(other)
        name = Edition(edition.version if there.version else "", edition.date).name(self._german)
        return name[0].upper() + name[1:]

    def _both(self, first: int, second: int) -> Notice:
        new, old = self._label(first, second), self._label(second, first)
        document = self.reading.units[second].document.id
        if self._german:
            text = f"{new} und {old} sagen Verschiedenes; {new} ist neuer"
        else:
            text = f"{_small(new)} and {_small(old)} say different things; {_small(new)} is the newer one"
        return Notice(kind="versions-differ", message=text, file=document)

    def _newer(self, found: Contradiction) -> list[Notice]:
        label, unit = self._label(found.other, found.index), self.reading.units[found.other]
        text = f"{label} sagt etwas anderes" if self._german else f"{_small(label)} says something else"
        return [Notice(kind="newer-version", message=text, file=unit.document.id)]

    def _older(self, index: int) -> list[Notice]:
        """A warning where the evidence is of an older version than the newest that was found."""
        version = self._edition(index).version
        newest = max(self.reading.known_versions, key=version_order, default="")
        if not version or version_order(version) >= version_order(newest):
            return []
        if self._german:
            text = f"gilt für Version {version}; zu Version {newest} wurde das nicht gefunden"
        else:
            text = f"is of version {version}; of version {newest} this was not found"
        return [Notice(kind="older-version", message=text, file=self.reading.units[index].document.id)]


def _statement(unit: Unit, label: str) -> Statement:
    text = f"{label}: {unit.text}" if label else unit.text
    return Statement(text, (Citation.cite(unit.document, unit.span),))


def _small(label: str) -> str:
    return label[0].lower() + label[1:]
