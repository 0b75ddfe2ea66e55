"""Lines to running text: what happens to a word that is broken at the end of a line."""

from __future__ import annotations

import re
from collections.abc import Iterable

_HYPHENS = "-\u2010\u00ad"
_LAST = re.compile(r"[^\s]*$")
_FIRST = re.compile(r"[^\s]*")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_SUSPENDED = frozenset(
    [
        "und",
        "oder",
        "bzw",
        "sowie",
        "noch",
        "als",
        "and",
        "or",
        "to",
        "nor",
        "et",
        "ou",
        "y",
        "e",
        "o",
        "u",
        "of",
        "und/oder",
        "and/or",
        "og",
        "eller",
        "en",
        "of",
    ]
)
_KEPT_PREFIXES = frozenset(
    ["self", "non", "well", "ex", "half", "cross", "all", "quasi", "anti", "vice", "e", "x", "t"]
)
_ADDRESS = re.compile(r"[/\\@_=&]|\.\w")
_WIDE_SCRIPT = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef\u3000-\u303f]")


class Vocabulary:
    """The words of one document that stand whole inside a line, to know how broken ones are written."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.words: set[str] = set()
        for line in lines:
            self.words.update(word.lower().replace("\u2010", "-") for word in _WORD.findall(line)[:-1])

    def join(self, before: str, after: str, *, hyphen: bool) -> tuple[str, str]:
        """``before`` as it ends and what stands between it and ``after``, the beginning of the next line.

        ``hyphen``: the reader has seen a hyphen behind ``before`` and taken it off.

        >>> words = Vocabulary()
        >>> words.join("Haupt", "bahnhof", hyphen=True), words.join("Nord-Süd", "Achse", hyphen=True)
        (('Haupt', ''), ('Nord-Süd-', ''))
        >>> words.join("Berg-", "und Talfahrt", hyphen=False), words.join("one", "two", hyphen=False)
        (('Berg-', ' '), ('one', ' '))
        """
        if not hyphen and before and before[-1] in _HYPHENS:
            before, hyphen = before[:-1], True
        if not hyphen:
            close = before and after and _WIDE_SCRIPT.match(before[-1]) and _WIDE_SCRIPT.match(after[0])
            return before, "" if close or (before[-1:] in "—/" and before[-2:-1].strip()) else " "
        left, right = _LAST.search(before), _FIRST.match(after)
        head, tail = left[0] if left else "", right[0] if right else ""
        if not head or not head[-1].isalnum():
            return before + "-", " " if not head else ""
        if tail.strip(".,;:").lower() in _SUSPENDED:
            return before + "-", " "
        return (before, "") if self._is_broken(head, tail) else (before + "-", "")

    def _is_broken(self, head: str, tail: str) -> bool:
        """Whether the hyphen only says that the word goes on."""
        if not tail[:1].islower() or head[-1].isdigit() or _ADDRESS.search(head):
            return False
        left, right = _WORD.findall(head), _WORD.match(tail)
        if not left or not right:
            return False
        first, second = left[-1].lower().replace("\u2010", "-"), right[0].lower()
        if first + second in self.words:
            return True
        if f"{first}-{second}" in self.words or first in _KEPT_PREFIXES:
            return False
        return "-" not in first or f"{first.rsplit('-', 1)[-1]}{second}" in self.words
