"""Footnotes, endnotes and comments, each given once with the text that refers to it."""

from __future__ import annotations

from collections import Counter

from pincite.load.docx.package import Package
from pincite.load.docx.tags import ID, W
from pincite.load.normalise import one_line
from pincite.load.numerals import roman
from pincite.load.xml import Element

_SEPARATORS = ("separator", "continuationSeparator", "continuationNotice")


class Notes:
    """Labels are counted in the order of reference: footnotes 1, 2, …, endnotes i, ii, …, comments c1, c2, …."""

    def __init__(self, package: Package, *, comments: bool) -> None:
        self._found: dict[tuple[str, str], Element] = {}
        self._comments = 0
        for kind in ("footnote", "endnote", "comment"):
            root = package.part(f"{kind}s")
            for element in root.iterchildren(W + kind) if root is not None else ():
                if kind == "comment" and not comments:
                    self._comments += 1
                elif element.get(W + "type") not in _SEPARATORS:
                    self._found[kind, element.get(ID, "")] = element
        self._labels: dict[tuple[str, str], str] = {}
        self._counts: Counter[str] = Counter()
        self._taken: set[tuple[str, str]] = set()

    def label(self, kind: str, note_id: str) -> str:
        """Empty when there is no such note."""
        key = kind, note_id
        if key in self._found and key not in self._labels:
            self._counts[kind] += 1
            number = self._counts[kind]
            written = {"footnote": str(number), "endnote": roman(number)}
            self._labels[key] = written.get(kind, f"c{number}")
        return self._labels.get(key, "")

    def take(self, kind: str, note_id: str) -> Element | None:
        """The note at the first call, ``None`` afterwards."""
        key = kind, note_id
        if key in self._taken:
            return None
        self._taken.add(key)
        return self._found.get(key)

    def by(self, kind: str, element: Element) -> str:
        """Who wrote a comment, to stand before it."""
        author = one_line(element.get(W + "author", "")) if kind == "comment" else ""
        return f"{author}: " if author else ""

    def unread_comments(self) -> int:
        return self._comments
