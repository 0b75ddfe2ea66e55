"""Clean Markdown with its blocks and places: what every loader writes whose format is not text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from pincite.load.markdown_table import column_names, table_row
from pincite.load.normalise import LINE_BREAK as LINE_BREAK
from pincite.load.normalise import normalise, one_line, running, verbatim
from pincite.load.notices import empty
from pincite.model import Block, BlockKind, Document, Metadata, MetadataValue, Notice, Place, Placement, Span
from pincite.text.graphemes import is_border

NOWHERE = Place()

_PARTS = re.compile(r"\u2028|[^\u2028]+")
_FENCE = re.compile(r"`{3,}")


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of running text that came from one place, such as one line of a page."""

    text: str
    place: Place = field(default_factory=Place)


_ANYWHERE = Span(0, 1)
"""Stands in a block until it is known where it is written."""

Words = str | Sequence[Run]
"""Running text. Runs are joined as they are: a blank between two of them has to stand in one of them."""


@dataclass(slots=True)
class _Frame:
    """A block that holds others. ``start`` is -1 until the first of them is written."""

    kind: BlockKind
    opening: str = ""
    level: int = 0
    marker: str = ""
    start: int = -1
    index: int = -1

    @property
    def indent(self) -> str:
        return self.opening if self.kind == "quote" else " " * len(self.opening)


class MarkdownWriter:
    """Writes blocks one after the other; blocks opened by ``quote``, ``list`` and ``item`` hold those written inside.

    All text and metadata are cleaned by the rules of `pincite.load.normalise`. Blocks are separated by a blank line,
    the items of a list by a line end. A block without text is not written. A place given with a block holds for all of
    its text that no run says more about. Nothing is escaped but the pipes of table cells: structure is told by the
    blocks, the text is for reading.

    >>> writer = MarkdownWriter()
    >>> writer.heading("Limits", level=1, place=Place(page=1))
    >>> writer.table([["plan", "devices"], ["Team", "1000"]], header_rows=1)
    >>> print(writer.document(id="a", source="a", media_type="text/x").text)
    # Limits
    <BLANKLINE>
    | plan | devices |
    | --- | --- |
    | Team | 1000 |
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block | None] = []
        self._places: list[Placement] = []
        self._frames: list[_Frame] = []
        self._last_break = Span(0, 1)

    def heading(self, words: Words, *, level: int, place: Place | None = None) -> None:
        """``level`` from 1; Markdown has six marks, deeper headings are written with six and keep their level."""
        runs = [Run(run.text.replace(LINE_BREAK, " "), run.place) for run in _runs(words, place)]
        title = one_line("".join(run.text for run in runs))
        self._leaf(Block("heading", _ANYWHERE, level, title), runs, opening="#" * min(level, 6) + " ")

    def paragraph(self, words: Words, *, place: Place | None = None) -> None:
        self._leaf(Block("paragraph", _ANYWHERE), _runs(words, place))

    def caption(self, words: Words, *, place: Place | None = None) -> None:
        self._leaf(Block("caption", _ANYWHERE), _runs(words, place))

    def note(self, words: Words, *, label: str = "", place: Place | None = None) -> None:
        """A foot- or endnote; the label stands in front of it as ``[^label]: ``."""
        opening = f"[^{label}]: " if label else ""
        self._leaf(Block("note", _ANYWHERE, marker=label), _runs(words, place), opening=opening)

    def code(
        self,
        text: str,
        *,
        language: str = "",
        place: Place | None = None,
        line_places: Sequence[Place] | None = None,
    ) -> None:
        """Lines are kept as they are; the fence is longer than any in the text. ``line_places`` are as many as the
        lines of the text without the line ends around it; the fences then have no place."""
        text = verbatim(text)
        if not text.strip():
            return
        fence = "`" * max([3, *(len(match[0]) + 1 for match in _FENCE.finditer(text))])
        start = self._begin()
        lines = text.strip("\r\n").splitlines()
        places = [None, *line_places, None] if line_places is not None else [place] * (len(lines) + 2)
        for number, line in enumerate([fence + language, *lines, fence]):
            if number:
                self._new_line()
            self._write(line, places[number])
        self._blocks.append(Block("code", Span(start, self._length), language=language))

    def table(
        self,
        rows: Sequence[Sequence[str]],
        *,
        header_rows: int,
        place: Place | None = None,
        row_places: Sequence[Place] | None = None,
    ) -> None:
        """Every row gets as many cells as the widest; a line end inside a cell is kept as ``<br>``. The columns are
        named by the header rows, read downwards, a repeated text once; without any they are ``column 1``,
        ``column 2``, …. ``row_places`` are as many as ``rows``."""
        if not any(one_line(cell) for row in rows for cell in row):
            return
        width = max(len(row) for row in rows)
        filled = [[*row, *[""] * (width - len(row))] for row in rows]
        names = [
            " ".join(dict.fromkeys(row[column].strip() for row in filled[:header_rows])) for column in range(width)
        ]
        columns = column_names(names, width)
        head = [table_row(row) for row in filled[:header_rows]] or [table_row(columns)]
        places: list[Place | None] = list(row_places) if row_places else [place] * len(rows)
        start = self._begin()
        for number, line in enumerate([*head, table_row(["---"] * width)]):
            if number:
                self._new_line()
            self._write(line, places[number] if number < header_rows else None)
        header = Span(start, self._length)
        spans = []
        for row, own in zip(filled[header_rows:], places[header_rows:], strict=True):
            self._new_line()
            spans.append(self._write(table_row(row), own))
        whole = Span(start, self._length)
        self._blocks.append(Block("table", whole, header=header, rows=tuple(spans), columns=columns))

    def markdown(self, text: str, blocks: Sequence[Block], *, place: Place | None = None) -> None:
        """Text that is Markdown already, as it is, with its blocks (spans are offsets in ``text``, in pre-order). It
        has to be clean (`verbatim`) before its blocks are found. Outermost only: nothing in it is indented."""
        if not blocks:
            return
        if self._frames:
            raise ValueError("text that is Markdown already cannot be written inside another block")
        first, last = blocks[0].span.start, max(block.span.end for block in blocks)
        shift = self._begin() - first
        self._write(text[first:last], place)
        self._blocks.extend(_shifted(block, shift) for block in blocks)

    @property
    def written(self) -> bool:
        """Whether any text was written."""
        return bool(self._length)

    @contextmanager
    def quote(self) -> Iterator[None]:
        with self._container(_Frame("quote", "> ")):
            yield

    @contextmanager
    def list(self) -> Iterator[None]:
        """Its items follow; a list inside an item is one level deeper."""
        with self._container(_Frame("list")):
            yield

    @contextmanager
    def item(self, *, marker: str = "-") -> Iterator[None]:
        """The marker is written as it is (``-``, ``3.``, ``a)``); what follows is indented to it."""
        depth = 1 + sum(frame.kind == "item" for frame in self._frames)
        marker = one_line(marker) or "-"
        with self._container(_Frame("item", marker + " ", depth, marker)):
            yield

    def document(
        self,
        *,
        id: str,  # noqa: A002 - the field's name
        source: str,
        media_type: str,
        metadata: Metadata | None = None,
        warnings: Sequence[Notice] = (),
    ) -> Document:
        """Everything that was written, with a line end at the end; a notice where that is nothing."""
        text = "".join(self._parts)
        told = text or any(warning.kind == "empty" for warning in warnings)
        return Document(
            id=id,
            source=source,
            media_type=media_type,
            text=text + "\n" if text else "",
            blocks=tuple(block for block in self._blocks if block),
            places=tuple(self._places),
            metadata={key: _clean(value) for key, value in (metadata or {}).items()},
            warnings=(*warnings, *(() if told else (empty(source),))),
        )

    def _leaf(self, block: Block, runs: Sequence[Run], *, opening: str = "") -> None:
        pieces = list(_pieces(runs))
        if not pieces:
            return
        start = self._begin()
        self._write(opening, pieces[0].place)
        if self._frames and not opening and not is_border(" " + pieces[0].text[0], 1):
            # An accent without a letter would join the blank of the marker before it.
            self._write("\N{DOTTED CIRCLE}", None)
        for piece in pieces:
            if piece.text == LINE_BREAK:
                self._new_line()
            else:
                self._write(piece.text, piece.place)
        self._blocks.append(replace(block, span=Span(start, self._length)))

    @contextmanager
    def _container(self, frame: _Frame) -> Iterator[None]:
        self._frames.append(frame)
        yield
        self._frames.pop()
        if frame.start >= 0:
            span = Span(frame.start, self._length)
            self._blocks[frame.index] = Block(frame.kind, span, frame.level, marker=frame.marker)

    def _begin(self) -> int:
        """Goes to where the next block starts, writes the openings of the containers that start with it, and returns
        where it starts itself."""
        new = [frame for frame in self._frames if frame.start < 0]
        old = [frame for frame in self._frames if frame.start >= 0]
        if self._length:
            indent = "".join(frame.indent for frame in old)
            within_list = bool(new and old) and (new[0].kind, old[-1].kind) in (("item", "list"), ("list", "item"))
            self._append("\n" if within_list else f"\n{indent.rstrip()}\n")
            self._append(indent)
        for frame in new:
            frame.start, frame.index = self._length, len(self._blocks)
            self._blocks.append(None)
            self._append(frame.opening)
        return self._length

    def _new_line(self) -> None:
        start = self._length
        self._append("\n" + "".join(frame.indent for frame in self._frames))
        self._last_break = Span(start, self._length)

    def _write(self, text: str, place: Place | None) -> Span:
        """Appends text that came from a place; it must not be empty where its span is used."""
        start = self._length
        self._append(text)
        span = Span(start, max(self._length, start + 1))
        if text and place and place != NOWHERE:
            last = self._places[-1] if self._places else None
            broken = self._last_break
            if (
                last
                and last.place == place
                and last.span.end in (start, broken.start if broken.end == start else start)
            ):
                self._places[-1] = Placement(Span(last.span.start, span.end), place)
            else:
                self._places.append(Placement(span, place))
        return span

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def _shifted(block: Block, shift: int) -> Block:
    def moved(span: Span) -> Span:
        return Span(span.start + shift, span.end + shift)

    rows = tuple(map(moved, block.rows))
    return replace(block, span=moved(block.span), header=moved(block.header) if block.header else None, rows=rows)


def _runs(words: Words, place: Place | None) -> list[Run]:
    if isinstance(words, str):
        return [Run(words, place or NOWHERE)]
    return [run if run.place != NOWHERE or place is None else replace(run, place=place) for run in words]


def _pieces(runs: Sequence[Run]) -> Iterator[Run]:
    """The runs as clean text, line breaks as pieces of their own. A blank between two runs goes with the later one."""
    if len(runs) == 1:
        yield from _parted(running(runs[0].text), runs[0].place)
        return
    found = normalise("".join(run.text for run in runs))
    start = raw_end = 0
    for run in runs:
        raw_end += len(run.text)
        end = found.offsets.there(raw_end)
        if start < end and found.text[end - 1] in (" ", LINE_BREAK):
            end -= 1
        yield from _parted(found.text[start:end], run.place)
        start = end


def _parted(text: str, place: Place) -> Iterator[Run]:
    if LINE_BREAK not in text:
        if text:
            yield Run(text, place)
        return
    for part in _PARTS.findall(text):
        yield Run(part) if part == LINE_BREAK else Run(part, place)


def _clean(value: MetadataValue) -> MetadataValue:
    if isinstance(value, str):
        return one_line(value)
    return tuple(map(one_line, value)) if isinstance(value, tuple) else value
