"""The writing of blocks: their lines as running text, each with its boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from pincite.load.pdf.cells import Table
from pincite.load.pdf.hyphens import Vocabulary
from pincite.load.pdf.lines import Line, line_of
from pincite.load.pdf.paragraphs import Paragraph, Piece
from pincite.load.pdf.shapes import Bounds
from pincite.load.pdf.words import Page
from pincite.load.writer import LINE_BREAK, MarkdownWriter, Run
from pincite.model import Box, Place

_LABEL = re.compile(r"\W")


def write(pieces: Sequence[Piece], vocabulary: Vocabulary, writer: MarkdownWriter) -> None:
    for is_item, group in groupby(pieces, key=lambda piece: isinstance(piece, Paragraph) and piece.kind == "item"):
        if is_item:
            _write_lists([piece for piece in group if isinstance(piece, Paragraph)], vocabulary, writer)
        else:
            for piece in group:
                _write(piece, vocabulary, writer)


def _write(piece: Piece, vocabulary: Vocabulary, writer: MarkdownWriter) -> None:
    if isinstance(piece, Table):
        for line in piece.title:
            writer.caption(list(runs_of(Paragraph([line]), vocabulary)))
        places = [place_of(boxes) for boxes in piece.boxes]
        writer.table(piece.rows, header_rows=piece.header_rows, row_places=places)
    elif piece.kind == "heading":
        writer.heading(list(runs_of(piece, vocabulary, breaks=False)), level=piece.level)
    elif piece.kind == "caption":
        writer.caption(list(runs_of(piece, vocabulary)))
    elif piece.kind == "note":
        label = piece.marker.strip("[]")
        lines = _without_marker(piece.lines) if label else piece.lines
        writer.note(list(runs_of(Paragraph(lines), vocabulary)), label=label)
    elif piece.kind == "code":
        places = [place_of([(line.page, box) for box in line.boxes]) for line in piece.lines]
        writer.code(_listing(piece.lines), line_places=places)
    else:
        writer.paragraph(list(runs_of(piece, vocabulary)))


def _write_lists(items: Sequence[Paragraph], vocabulary: Vocabulary, writer: MarkdownWriter) -> None:
    """Items that follow each other; those that stand further in belong to the item before. Another sort of mark, or
    a number that does not go up, begins another list."""
    lists: list[list[list[Paragraph]]] = []
    left = items[0].first.x0 if items else 0.0
    for item in items:
        group = lists[-1][-1] if lists else None
        if group is not None and _is_inner(item, group[0], left):
            group.append(item)
        elif group is not None and goes_on(group[0].marker, item.marker):
            lists[-1].append([item])
        else:
            lists.append([[item]])
    for groups in lists:
        with writer.list():
            for item, *inner in groups:
                with writer.item(marker="-" if _is_bullet(item.marker) else item.marker):
                    lines = _without_marker(item.lines)
                    writer.paragraph(list(runs_of(Paragraph(lines, breaks=item.breaks), vocabulary)))
                    _write_lists(inner, vocabulary, writer)


def goes_on(marker: str, after: str) -> bool:
    """Whether an item with the mark ``after`` may belong to the list of one with the mark ``marker`` before it.

    >>> [goes_on(*pair) for pair in (("1.", "2."), ("3.", "1."), ("•", "•"), ("•", "1."), ("h)", "i)"), ("2.", "a)"))]
    [True, False, True, False, True, False]
    """
    if _is_bullet(marker) or _is_bullet(after):
        return _is_bullet(marker) and _is_bullet(after)
    one, other = _LABEL.sub("", marker), _LABEL.sub("", after)
    if _LABEL.findall(marker) != _LABEL.findall(after) or one.isdigit() != other.isdigit():
        return False
    if one.isdigit():
        return int(other) > int(one)
    one, other = one.lower(), other.lower()
    return (one, other) == ("h", "i") or (other != one and other not in ("a", "i"))


def _is_inner(inner: Paragraph, outer: Paragraph, left: float) -> bool:
    return inner.first.page is outer.first.page and inner.first.x0 > max(left, outer.first.x0) + 0.8 * outer.size


def _is_bullet(marker: str) -> bool:
    return not any(character.isalnum() for character in marker) or (len(marker) == 1 and marker >= "\ue000")


def _without_marker(lines: Sequence[Line]) -> list[Line]:
    first = lines[0]
    if len(first.words) == 1:
        return list(lines)
    rest = line_of(first.words[1:], first.page)
    rest.apart = first.apart
    return [rest, *lines[1:]]


def runs_of(paragraph: Paragraph, vocabulary: Vocabulary, *, breaks: bool = True) -> Iterator[Run]:
    """One run for each line; a hyphen that only said that a word goes on is gone."""
    lines = paragraph.lines
    text = lines[0].text
    for number, line in enumerate(lines):
        place = place_of([(line.page, box) for box in line.boxes])
        if number + 1 == len(lines):
            yield Run(text + "-" if line.hyphen else text, place)
            return
        after = lines[number + 1].text
        if breaks and number + 1 in paragraph.breaks:
            yield Run((text + "-" if line.hyphen else text) + LINE_BREAK, place)
        else:
            before, between = vocabulary.join(text, after, hyphen=line.hyphen)
            yield Run(before + between, place)
        text = after


def place_of(boxes: Sequence[tuple[Page, Bounds]]) -> Place:
    """The place of boxes that stand as the page reads; on the page, as it is shown."""
    found = []
    for page, bounds in boxes:
        x0, top, x1, bottom = page.shown(bounds)
        x0, top, x1, bottom = round(x0, 1), round(top, 1), round(x1, 1), round(bottom, 1)
        found.append(Box(page.number, x0, top, x1 if x1 > x0 else x0 + 0.1, bottom if bottom > top else top + 0.1))
    return Place(page=found[0].page, boxes=tuple(found)) if found else Place()


def _listing(lines: Sequence[Line]) -> str:
    """Lines of code with the blanks between their words, counted in widths of a letter."""
    widths = sorted((w.x1 - w.x0) / len(w.text) for line in lines for w in line.words)
    width = widths[len(widths) // 2] or 1.0
    left = min(line.x0 for line in lines)
    result = []
    for line in lines:
        text = ""
        for word in line.words:
            column = round((word.x0 - left) / width)
            blanks = max(column - len(text), 0 if word.glued or not text else 1)
            text += " " * min(blanks, 200) + word.text
        result.append(text + ("-" if line.hyphen else ""))
    return "\n".join(result)
