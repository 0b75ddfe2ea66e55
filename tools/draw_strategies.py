"""Draws in docs/strategies.md how each strategy cuts docs/pictures/page.md: one line of the page per row, one strategy
per column, the numbers of the chunks that the line belongs to. Run it after a change to a strategy."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

from pincite import catalogue
from pincite.load.markdown import MarkdownLoader
from pincite.model import Chunk, Document, Source

REPOSITORY = Path(__file__).parent.parent
PAGE = REPOSITORY / "docs" / "pictures" / "page.md"
DOCUMENT = REPOSITORY / "docs" / "strategies.md"
BEGIN, END = "<!-- drawn by tools/draw_strategies.py -->\n", "<!-- end of the drawing -->"

OPTIONS: dict[str, dict[str, Any]] = {
    "characters": {"max_characters": 240, "overlap_characters": 40},
    "headings-capped": {"max_characters": 240},
    "tokens": {"max_tokens": 60},
    "structure": {"max_tokens": 60},
    "recursive": {"max_tokens": 60},
    "sentences": {"max_tokens": 60},
    "semantic": {"max_tokens": 60},
    "adaptive": {"max_tokens": 60},
    "hierarchy": {"max_tokens": 40},
    "code": {"max_tokens": 60},
}
"""Limits that make the small page worth cutting; a strategy that is not here is drawn with its defaults."""

LINE_WIDTH = 36


def drawing() -> str:
    document = MarkdownLoader().load(Source("page.md", PAGE.read_bytes()))
    names = catalogue.names("chunk")
    columns = [
        cells(document, list(catalogue.create("chunk", name, OPTIONS.get(name)).chunk(document))) for name in names
    ]
    widths = [max(len(cell) for cell in column) for column in columns]
    lines = document.text.splitlines()
    rows = titles(names, widths)
    for number, line in enumerate(lines):
        if line.strip():
            shown = line if len(line) <= LINE_WIDTH else line[: LINE_WIDTH - 1] + "…"
            marks = "  ".join(column[number].ljust(width) for column, width in zip(columns, widths, strict=True))
            rows.append(f"{shown:<{LINE_WIDTH}}  {marks}".rstrip())
    return "\n".join(rows)


def titles(names: list[str], widths: list[int]) -> list[str]:
    """One line per strategy, each name above its column, with a rule down to it."""
    rows = []
    for index, name in enumerate(names):
        rules = "  ".join("│".ljust(width) for width in widths[:index])
        rows.append(f"{'':<{LINE_WIDTH}}  {rules}{'  ' if index else ''}{name}")
    return rows


def cells(document: Document, chunks: list[Chunk]) -> list[str]:
    """For each line of the text the numbers of the chunks that have a character of it."""
    bounds = [*document.line_starts, len(document.text)]
    result = []
    for start, end in pairwise(bounds):
        body = document.text[start:end].strip()
        numbers = [
            str(chunk.number)
            for chunk in chunks
            if body and document.text[max(start, chunk.span.start) : min(end, chunk.span.end)].strip()
        ]
        result.append("·" if body and not numbers else ",".join(numbers))
    return result


def main(*, check: bool) -> int:
    text = DOCUMENT.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    drawn = f"{before}{BEGIN}\n```text\n{drawing()}\n```\n\n{END}{after}"
    if check:
        return int(drawn != text)
    DOCUMENT.write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))
