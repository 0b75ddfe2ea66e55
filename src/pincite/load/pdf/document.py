"""A whole file understood and written as one document. Runs in the worker."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pincite.errors import LoadError
from pincite.load.pdf.blocks import classify, merge, split_notes
from pincite.load.pdf.cells import Table
from pincite.load.pdf.columns import gutters_of, in_reading_order
from pincite.load.pdf.file import File
from pincite.load.pdf.furniture import find_furniture, line_numbers
from pincite.load.pdf.headings import Body, Bookmark, body_of, mark_headings
from pincite.load.pdf.hyphens import Vocabulary
from pincite.load.pdf.lines import Line, lines_of, rejoin, rejoin_markers
from pincite.load.pdf.overlaps import tell_apart, with_marks, without_overprints
from pincite.load.pdf.paragraphs import Leadings, Paragraph, Piece, paragraphs_of
from pincite.load.pdf.recognised import Recognised, add_words
from pincite.load.pdf.tables import find_tables
from pincite.load.pdf.words import UNKNOWN, Page
from pincite.load.pdf.writing import write
from pincite.load.writer import MarkdownWriter
from pincite.model import Document, Notice

MEDIA_TYPE = "application/pdf"
_CURE = 'Set the option ocr = "tesseract" to have such pages read by text recognition.'
_DOUBTFUL = 0.75


@dataclass(frozen=True, slots=True)
class Limits:
    max_pages: int
    max_characters: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text recognition has read: ``by`` it, in words, on these pages."""

    by: str
    pages: Mapping[int, Recognised]


@dataclass(frozen=True, slots=True)
class Unread:
    """Pages that are drawn on but have no text, and the language that the file says it has."""

    pages: tuple[int, ...]
    language: str


def load(data: bytes, path: str, password: str, limits: Limits, reading: Reading | None = None) -> Document | Unread:
    """The document. Where there is a ``reading``, it must have every page without text: those that it lacks come back
    instead. Raises ``LoadError``: ``encrypted``, ``corrupt``, ``no_text``, ``too_large``."""
    file = File(data, path, password)
    try:
        return _load(file, limits, reading)
    finally:
        file.close()


def _load(file: File, limits: Limits, reading: Reading | None) -> Document | Unread:
    pages, damaged = _read(file, limits)
    if reading:
        unread = [page for page in pages if page.shapes.drawn and not _has_text(page)]
        if missing := tuple(page.number for page in unread if page.number not in reading.pages):
            return Unread(missing, file.language)
        add_words([(page, reading.pages[page.number]) for page in unread])
    notices = list(_notices(file, pages, damaged))
    if reading:
        notices.extend(_notices_of_reading(file, pages, reading.by))
    _check_text(file, pages, damaged, reading)
    writer = MarkdownWriter()
    left_out = write_pages(pages, file.outline(), writer)
    if not writer.written:
        problem = "the file does not say which characters its glyphs are"
        raise LoadError(problem, cure="Leave the file out." if reading else _CURE, kind="no_text", file=file.path)
    notices.extend(_notices_of_lines(file, left_out))
    return writer.document(
        id=file.path, source=file.path, media_type=MEDIA_TYPE, metadata=file.metadata(), warnings=notices
    )


def _has_text(page: Page) -> bool:
    """Whether it is known of at least half of the glyphs what characters they are."""
    unknown = sum(word.text.count(UNKNOWN) for word in page.words)
    return bool(page.words) and 2 * unknown <= sum(len(word.text) for word in page.words)


def _read(file: File, limits: Limits) -> tuple[list[Page], list[int]]:
    """The pages, and the numbers of those that are damaged."""
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
    return pages, damaged


def _too_large(file: File, problem: str) -> LoadError:
    return LoadError(problem, cure="Split the file, or raise the limit.", kind="too_large", file=file.path)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Lines that were not written."""

    furniture: Sequence[Line]
    unreadable: Sequence[Line]


def write_pages(pages: Sequence[Page], outline: Sequence[Bookmark], writer: MarkdownWriter) -> LeftOut:
    """Writes what the pages say."""
    lines = [without_overprints(lines_of(page)) for page in pages]
    size = body_of(line for its in lines for line in its).size
    furniture = find_furniture(lines, [page.height for page in pages], size)
    furniture.update(id(line) for its in lines for line in line_numbers(its))
    left_out = LeftOut(
        [line for its in lines for line in its if id(line) in furniture],
        [line for its in lines for line in its if id(line) not in furniture and not line.readable],
    )
    lines = [[line for line in its if id(line) not in furniture and line.readable] for its in lines]
    body = body_of(line for its in lines for line in its)
    leadings = Leadings((line for its in lines for line in its), body.size)
    vocabulary = Vocabulary(line.text for its in lines for line in its)
    pieces: list[Piece] = []
    for number, page in enumerate(pages):
        # Of a table its words and lines are not needed any more: in a file of tables they are most of the memory.
        its, lines[number], page.words = lines[number], [], []
        pieces.extend(_pieces_of(page, its, body=body, leadings=leadings, vocabulary=vocabulary))
    classify(pieces, body)
    mark_headings([piece for piece in pieces if isinstance(piece, Paragraph)], body, outline)
    write(merge(pieces), vocabulary, writer)
    return left_out


def _pieces_of(
    page: Page, lines: list[Line], *, body: Body, leadings: Leadings, vocabulary: Vocabulary
) -> Iterator[Piece]:
    lines = rejoin_markers(with_marks(lines))
    gutters = gutters_of(lines)
    tables: list[Table] = []
    rest = lines
    if not gutters:
        tables, rest = find_tables(page, lines, vocabulary, mono=body.mono)
    rest = rejoin(rest, gutters)
    tell_apart(rest)
    rest, notes = split_notes(page, rest, body)
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


def _check_text(file: File, pages: Sequence[Page], damaged: Sequence[int], reading: Reading | None) -> None:
    if any(page.words for page in pages):
        return
    if damaged or not pages:
        problem = "none of its pages can be read"
        raise LoadError(problem, cure="Save it anew from the program that made it.", kind="corrupt", file=file.path)
    numbers = named([page.number for page in pages])
    hidden = " that can be seen" if any(page.hidden for page in pages) else ""
    tried = f", and the text recognition ({reading.by}) found none" if reading and reading.pages else ""
    problem = f"there is no text{hidden} on {numbers}{tried}"
    cure = "Leave the file out." if reading else _CURE
    raise LoadError(problem, cure=cure, kind="no_text", file=file.path)


def _notices(file: File, pages: Sequence[Page], damaged: Sequence[int]) -> Iterator[Notice]:
    if damaged:
        message = f"{named(damaged)} could not be read"
        yield Notice(kind="damaged", message=message, file=file.path)
    if not file.is_whole:
        yield Notice(kind="damaged", message="the end of the file is missing; what could be read was", file=file.path)
    scanned = [page.number for page in pages if not page.words and page.shapes.images and page.confidence is None]
    if scanned and len(scanned) < len(pages):
        message = f"{named(scanned)} without text: images. {_CURE}"
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


def _notices_of_reading(file: File, pages: Sequence[Page], by: str) -> Iterator[Notice]:
    read = [page for page in pages if page.confidence is not None]
    if not read:
        return
    found = [page.number for page in read if page.words]
    if found:
        message = f"{named(found)} read by text recognition ({by}), which makes mistakes"
        yield Notice(kind="recognised", message=message, file=file.path)
    if len(found) < len(read):
        message = f"the text recognition ({by}) found no text on {named([p.number for p in read if not p.words])}"
        yield Notice(kind="no_text", message=message, file=file.path)
    doubtful = [page.number for page in read if page.words and (page.confidence or 0.0) < _DOUBTFUL]
    if doubtful:
        message = f"the text recognition is sure of less than {_DOUBTFUL:.0%} of what it read on {named(doubtful)}"
        yield Notice(kind="doubtful", message=message, file=file.path)


def _notices_of_lines(file: File, left_out: LeftOut) -> Iterator[Notice]:
    if left_out.unreadable:
        pages = named(sorted({line.page.number for line in left_out.unreadable}))
        message = f"lines of little else than glyphs that the file does not explain were left out, {pages}"
        yield Notice(kind="unreadable", message=message, file=file.path)
    removed = left_out.furniture
    if not removed:
        return
    alike: dict[str, list[str]] = {}
    for line in removed:
        alike.setdefault(re.sub(r"[0-9]+", "0", line.text), []).append(line.text)
    groups = sorted(alike.values(), key=len, reverse=True)
    shown = ", ".join(f"“{texts[0][:60]}”" + _times(texts) for texts in groups[:4])
    more = f" and {len(groups) - 4} more" if len(groups) > 4 else ""
    message = f"running heads, feet and page numbers were left out: {shown}{more}"
    yield Notice(kind="furniture", message=message, file=file.path)


def _times(texts: Sequence[str]) -> str:
    if len(texts) == 1:
        return ""
    return f" ({len(texts)} times)" if len(set(texts)) == 1 else f" and the like ({len(texts)} times)"


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
