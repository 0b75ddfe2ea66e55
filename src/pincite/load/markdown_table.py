"""Tables as Markdown: how every loader writes rows and names columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pincite.load.normalise import OBJECT, one_line, verbatim


def table_row(cells: Sequence[str]) -> str:
    """Cells are cleaned; their line ends are kept as ``<br>``.

    >>> table_row(["a|b", "one\\ntwo", " c "])
    '| a\\\\|b | one<br>two | c |'
    """
    return f"| {' | '.join(map(_cell, cells))} |"


def column_names(cells: Sequence[str], width: int) -> tuple[str, ...]:
    """Distinct plain names for ``width`` columns: repeated ones are numbered, missing ones made up.

    >>> column_names([" Phone", "Phone", ""], 4)
    ('Phone', 'Phone (2)', 'column 3', 'column 4')
    """
    names: dict[str, None] = {}
    seen: Counter[str] = Counter()
    for number in range(1, width + 1):
        own = one_line(cells[number - 1]) if number <= len(cells) else ""
        name = wanted = own or f"column {number}"
        while name in names:
            seen[wanted] += 1
            name = f"{wanted} ({seen[wanted] + 1})"
        names[name] = None
    return tuple(names)


def _cell(text: str) -> str:
    text = text.strip()
    if not text.isprintable() or OBJECT in text:
        text = "<br>".join(verbatim(text).strip().splitlines())
    return text.replace("|", "\\|") if "|" in text else text
