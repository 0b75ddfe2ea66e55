"""A whole file understood and written as one document. Runs in the worker."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.errors import LoadError
from pincite.load.pdf.blocks import classify, merge, split_notes, write
from pincite.load.pdf.cells import Table
from pincite.load.pdf.columns import gutters_of, in_reading_order
from pincite.load.pdf.file import File
from pincite.load.pdf.furniture import find_furniture, line_numbers
from pincite.load.pdf.headings import Body, Bookmark, body_of, mark_headings
from pincite.load.pdf.hyphens import Vocabulary
from pincite.load.pdf.lines import Line, lines_of, rejoin, rejoin_markers
from pincite.load.pdf.paragraphs import Leadings, Paragraph, Piece, paragraphs_of
from pincite.load.pdf.tables import find_tables
from pincite.load.pdf.words import UNKNOWN, Page
from pincite.load.writer import MarkdownWriter
from pincite.model import Document, Notice

MEDIA_TYPE = "application/pdf"


@dataclass(frozen=True, slots=True)
class Limits:
    max_pages: int
    max_characters: int


def load(data: bytes, path: str, password: str, limits: Limits) -> Document:
    """Raises ``LoadError``: ``encrypted``, ``corrupt``, ``no_text``, ``too_large``."""
    file = File(data, path, password)
    try:
        return _load(file, limits)
    finally:
        file.close()


def _load(file: File, limits: Limits) -> Document:
    if file.pages > limits.max_pages:
        raise _too_large(file, f"the file has {file.pages:,} pages, the limit is {limits.max_pages:,} (max_pages)")
    pages: list[Page] = []
    damaged: list[int] = []
    characters = 0
    for number in range(1, file.pages + 1):
        try:
            pages.append(file.page(number))
        except ValueError:
            damaged.append(number)
            continue
        characters += pages[-1].characters
        if characters > limits.max_characters:
            problem = f"the first {number:,} pages have more than {limits.max_characters:,} characters (max_characters)"
            raise _too_large(file, problem)
    notices = list(_notices(file, pages, damaged))
    _check_text(file, pages, damaged)
    writer = MarkdownWriter()
    removed = write_pages(pages, file.outline(), writer)
    notices.extend(_furniture_notice(file, removed))
    return writer.document(
        id=file.path, source=file.path, media_type=MEDIA_TYPE, metadata=file.metadata(), warnings=notices
    )


def _too_large(file: File, problem: str) -> LoadError:
    return LoadError(problem, cure="Split the file, or raise the limit.", kind="too_large", file=file.path)


def write_pages(pages: Sequence[Page], outline: Sequence[Bookmark], writer: MarkdownWriter) -> list[Line]:
    """Writes what the pages say; returns the lines that were left out as running heads, feet and page numbers."""
    lines = [lines_of(page) for page in pages]
    size = body_of(line for its in lines for line in its).size
    furniture = find_furniture(lines, [page.height for page in pages], size)
    furniture.update(id(line) for its in lines for line in line_numbers(its))
    removed = [line for its in lines for line in its if id(line) in furniture]
    lines = [[line for line in its if id(line) not in furniture] for its in lines]
    body = body_of(line for its in lines for line in its)
    leadings = Leadings((line for its in lines for line in its), body.size)
    vocabulary = Vocabulary(line.text for its in lines for line in its)
    pieces: list[Piece] = []
    for page, its in zip(pages, lines, strict=True):
        pieces.extend(_pieces_of(page, its, body=body, leadings=leadings, vocabulary=vocabulary))
    classify(pieces, body)
    mark_headings([piece for piece in pieces if isinstance(piece, Paragraph)], body, outline)
    write(merge(pieces), vocabulary, writer)
    return removed


def _pieces_of(
    page: Page, lines: list[Line], *, body: Body, leadings: Leadings, vocabulary: Vocabulary
) -> Iterator[Piece]:
    lines = rejoin_markers(lines)
    gutters = gutters_of(lines)
    tables: list[Table] = []
    rest = lines
    if not gutters:
        tables, rest = find_tables(page, lines, vocabulary, mono=body.mono)
    rest, notes = split_notes(page, rejoin(rest, gutters), body)
    across = [line for line in rest if line.turn]
    level: list[Line | Table] = [line for line in rest if not line.turn]
    for table in tables:
        level.insert(_index_of(table, level), table)
    yield from paragraphs_of(in_reading_order(level), leadings)
    yield from paragraphs_of(across, leadings)
    yield from notes


def _index_of(table: Table, items: Sequence[Line | Table]) -> int:
    """Where the table stood in the file: behind the last item that ends above it, in the same column."""
    for index in range(len(items) - 1, -1, -1):
        item = items[index]
        above = item.bottom <= table.top + 3
        if above and min(item.x1, table.x1) > max(item.x0, table.x0):
            return index + 1
    return 0


def _check_text(file: File, pages: Sequence[Page], damaged: Sequence[int]) -> None:
    if any(page.words for page in pages):
        return
    if damaged or not pages:
        problem = "none of its pages can be read"
        raise LoadError(problem, cure="Save it anew from the program that made it.", kind="corrupt", file=file.path)
    numbers = named([page.number for page in pages])
    hidden = " that can be seen" if any(page.hidden for page in pages) else ""
    problem = f"there is no text{hidden} on {numbers}"
    cure = "Let a text recognition (such as ocrmypdf) add a text layer, then load the result."
    raise LoadError(problem, cure=cure, kind="no_text", file=file.path)


def _notices(file: File, pages: Sequence[Page], damaged: Sequence[int]) -> Iterator[Notice]:
    if damaged:
        message = f"{named(damaged)} could not be read"
        yield Notice(kind="damaged", message=message, file=file.path)
    if b"%%EOF" not in file._data[-2048:]:
        yield Notice(kind="damaged", message="the end of the file is missing; what could be read was", file=file.path)
    scanned = [page.number for page in pages if not page.words and page.shapes.images]
    if scanned and len(scanned) < len(pages):
        message = f"{named(scanned)} without text: images that need text recognition"
        yield Notice(kind="scanned", message=message, file=file.path)
    unknown = [page.number for page in pages if any(UNKNOWN in word.text != UNKNOWN for word in page.words)]
    if unknown:
        message = f"the file does not say which characters some glyphs are; they stand as {UNKNOWN}, {named(unknown)}"
        yield Notice(kind="unknown_glyphs", message=message, file=file.path)
    hidden: Counter[str] = Counter()
    where: dict[str, list[int]] = {}
    for page in pages:
        hidden += page.hidden
        for reason in page.hidden:
            where.setdefault(reason, []).append(page.number)
    for reason, count in sorted(hidden.items()):
        message = f"{count:,} characters that nobody sees ({reason}) were left out, {named(where[reason])}"
        yield Notice(kind="hidden_text", message=message, file=file.path)


def _furniture_notice(file: File, removed: Sequence[Line]) -> Iterator[Notice]:
    if not removed:
        return
    texts = Counter(re.sub(r"[0-9]+", "…", line.text) for line in removed)
    shown = ", ".join(f"“{text[:60]}” ({count} times)" for text, count in texts.most_common(4))
    more = f" and {len(texts) - 4} more" if len(texts) > 4 else ""
    message = f"running heads, feet and page numbers were left out: {shown}{more}"
    yield Notice(kind="furniture", message=message, file=file.path)


def named(numbers: Sequence[int]) -> str:
    """
    >>> named([2]), named([1, 2, 3, 7])
    ('page 2', 'pages 1-3, 7')
    """
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    shown = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges[:12])
    return f"page{'s' if len(numbers) > 1 else ''} {shown}{' and more' if len(ranges) > 12 else ''}"
