"""The page as trafilatura is given it: what is read of it, without what does not count for its choice.

Its time grows with the number of elements, so those that it would take off itself before it looks (formatting) are not
written, and of the attributes only those that its rules name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape

_TELLING = frozenset(
    ["id", "class", "role", "style", "itemprop", "aria-hidden", "data-component", "data-lp-replacement-content"]
)
_UNWRITTEN = frozenset(
    [
        *("abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "data", "dfn", "em", "font", "i", "ins", "kbd", "mark"),
        *("nobr", "ruby", "samp", "small", "strong", "sub", "sup", "tbody", "tfoot", "thead", "tt", "u", "var"),
    ]
)
_NAME = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(slots=True)
class Sketch:
    """Pieces of HTML; ``mark`` leaves a gap among them that is filled later."""

    _pieces: list[str] = field(default_factory=list)

    def open(self, name: str, attributes: dict[str, str | None]) -> str:
        """Writes the start tag of an element and returns its end tag; both are empty where it does not count."""
        end_tag = _end_tag(name)
        if not end_tag:
            return ""
        told = [f' {key}="{escape(attributes[key] or "")}"' for key in attributes if key in _TELLING]
        if not told and name == "span":
            return ""
        self._pieces.append(f"<{name}{''.join(told)}>")
        return end_tag

    def close(self, end_tag: str) -> None:
        self._pieces.append(end_tag)

    def text(self, text: str) -> None:
        self._pieces.append(escape(text, quote=False))

    def line_break(self) -> None:
        self._pieces.append("<br>")

    def mark(self) -> int:
        """The number of a new gap."""
        self._pieces.append("")
        return len(self._pieces) - 1

    def fill(self, gap: int, text: str) -> None:
        self._pieces[gap] = text

    def html(self) -> str:
        return f"<html><body>{''.join(self._pieces)}</body></html>"


@lru_cache(maxsize=256)
def _end_tag(name: str) -> str:
    return "" if name in _UNWRITTEN or not _NAME.fullmatch(name) else f"</{name}>"
