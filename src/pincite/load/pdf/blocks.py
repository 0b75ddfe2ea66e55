"""Paragraphs to blocks: captions, notes, code, lists; and what goes on over a page's end."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.load.pdf.cells import Table
from pincite.load.pdf.headings import Body
from pincite.load.pdf.lines import Line
from pincite.load.pdf.paragraphs import BULLETS, Paragraph, Piece, continues, ends_sentence
from pincite.load.pdf.words import Page

_CAPTION = re.compile(
    r"(?:figure|fig\.|table|tab\.|abbildung|abb\.|tabelle|listing|example|exhibit|chart|algorithm|scheme|plate|tableau|beispiel)"
    r"\s*(?:[0-9]+(?:[.\-–][0-9]+)*[a-z]?|[IVX]+|[A-Z](?:[.\-–][0-9]+)?)(?P<stop>\s*[.:|–—-])?(?:\s|$)",
    re.IGNORECASE,
)
# Set in a face of code for show: an e-mail address or a web address and nothing but names before it.
_ADDRESS = re.compile(r"^[^()=;]*@[\w-]+(?:\.[\w-]+)+[\s,;]*$|^(?:https?://|www\.)\S+$")
_NOTE_MARK = re.compile(r"[0-9]{1,3}|[*†‡§¶∗]{1,3}|[a-z]|\[[0-9]{1,3}\]|[¹²³⁴⁵⁶⁷⁸⁹⁰]+")
_DOTS = BULLETS - frozenset("*–—-∙·")  # no language has these for operators
_NOTE_SIZE = 0.93
_LOWER_PART = 0.45


def split_notes(page: Page, lines: Sequence[Line], body: Body) -> tuple[list[Line], list[Paragraph]]:
    """The lines without the foot notes, and the notes: small lines at the page's end that begin with a mark."""
    order = sorted((line for line in lines if line.turn == 0), key=lambda line: (line.top + line.bottom) / 2)
    zone: list[Line] = []
    while order and order[-1].size < _NOTE_SIZE * body.size and order[-1].top > _LOWER_PART * page.height:
        zone.insert(0, order.pop())
    while zone and not _note_mark(zone[0]):
        zone.pop(0)
    if zone and not any(map(_is_raised, zone)) and not _has_rule_above(page, zone[0]):
        zone = []
    if not zone:
        return list(lines), []
    ids = {id(line) for line in zone}
    notes: list[Paragraph] = []
    for line in (line for line in lines if id(line) in ids):
        mark = _note_mark(line)
        if mark or not notes:
            notes.append(Paragraph([line], "note", marker=mark))
        else:
            notes[-1].lines.append(line)
    rest = [line for line in lines if id(line) not in ids]
    _mark_references(rest, {note.marker for note in notes})
    return rest, notes


def _mark_references(lines: Sequence[Line], labels: set[str]) -> None:
    """Writes the raised marks that lead to the notes as ``[^label]``."""
    for line in lines:
        changed = False
        for word in line.words[1:]:
            if word.text in labels and word.ink.size < 0.85 * line.size and word.ink.baseline < line.baseline - 1:
                word.text = f"[^{word.text.strip('[]')}]"
                word.glued = True
                changed = True
        if changed:
            line.__dict__.pop("text", None)


def _note_mark(line: Line) -> str:
    first = line.words[0]
    if len(line.words) < 2 or not _NOTE_MARK.fullmatch(first.text):
        return ""
    return first.text if _is_raised(line) or not first.text.isalpha() else ""


def _is_raised(line: Line) -> bool:
    """Whether the first word is a small, raised mark, or a sign that only marks notes."""
    ink = line.words[0].ink
    if not _NOTE_MARK.fullmatch(line.words[0].text):
        return False
    raised = ink.size < 0.85 * line.size or ink.baseline < line.baseline - 0.15 * line.size
    return raised or not line.words[0].text.strip("[]").isalnum()


def _has_rule_above(page: Page, line: Line) -> bool:
    """Whether a short rule parts the notes from the text."""
    return any(
        0 < line.top - bottom < 2.5 * line.size and x1 - x0 < 0.6 * page.width and abs(x0 - line.x0) < 3 * line.size
        for x0, _, x1, bottom in page.shapes.horizontal
    )


def classify(pieces: Sequence[Piece], body: Body) -> None:
    """Captions, code and list items; `mark_headings` comes after it."""
    for number, piece in enumerate(pieces):
        if not isinstance(piece, Paragraph) or piece.kind != "paragraph":
            continue
        around = pieces[max(0, number - 1) : number + 2]
        if _is_caption(piece, body, beside_table=any(isinstance(other, Table) for other in around)):
            piece.kind = "caption"
        elif _is_code(piece, body):
            piece.kind = "code"
    _mark_items([piece for piece in pieces if isinstance(piece, Paragraph)], body)


def _is_code(paragraph: Paragraph, body: Body) -> bool:
    lines = paragraph.lines
    if body.mono or paragraph.marker in _DOTS or not all(line.mono for line in lines):
        return False
    return not all(_ADDRESS.search(line.text) for line in lines)


def _is_caption(paragraph: Paragraph, body: Body, *, beside_table: bool) -> bool:
    match = _CAPTION.match(paragraph.first.text)
    if not match or len(paragraph.text) > 1200:
        return False
    first = paragraph.first
    other_style = abs(first.size - body.size) > 0.04 * body.size or first.bold != body.bold or first.italic
    label = first.words[0].ink.face
    return (
        bool(match["stop"])
        or other_style
        or label.bold != body.bold
        or label.italic
        or (beside_table and len(paragraph.lines) < 3 and not ends_sentence(paragraph.text))
    )


def _mark_items(paragraphs: Sequence[Paragraph], body: Body) -> None:
    for number, paragraph in enumerate(paragraphs):
        if paragraph.kind != "paragraph" or not paragraph.marker:
            continue
        marker = paragraph.marker
        if marker in BULLETS or len(marker) == 1:
            paragraph.kind = "item"
            continue
        large = paragraph.size > 1.1 * body.size or (paragraph.first.bold and not body.bold)
        beside = [p for p in paragraphs[max(0, number - 2) : number + 3] if p is not paragraph and p.marker]
        company = any(abs(p.first.x0 - paragraph.first.x0) < 2 * body.size or p.kind == "item" for p in beside)
        if not large and (company or paragraph.first.x0 < paragraph.last.x0 - 0.5 * body.size):
            paragraph.kind = "item"


def merge(pieces: Sequence[Piece]) -> list[Piece]:
    """Paragraphs and tables that go on in the next column or on the next page become one.

    What stands between the two parts (notes, captions, tables at the head of a page) comes after them.
    """
    result: list[Piece] = []
    text: Paragraph | None = None
    table: Table | None = None
    for piece in pieces:
        if isinstance(piece, Table):
            if table is not None and _goes_on(table, piece):
                _append(table, piece)
            else:
                result.append(piece)
                table = piece
            continue
        if piece.kind in ("paragraph", "item", "heading") and not piece.first.turn:
            if text is not None and piece.kind == "paragraph" and _is_apart(text, piece) and continues(text, piece):
                text.breaks |= {number + len(text.lines) for number in piece.breaks}
                text.lines.extend(piece.lines)
                text.full = piece.full
                table = None
                continue
            text = piece
        if piece.kind == "code" and isinstance(result[-1] if result else None, Paragraph):
            last = result[-1]
            if isinstance(last, Paragraph) and last.kind == "code" and _same_listing(last.last, piece.first):
                last.lines.extend(piece.lines)
                continue
        if piece.kind != "note":
            table = None
        result.append(piece)
    return result


def _is_apart(before: Paragraph, after: Paragraph) -> bool:
    """Whether the border of a column or page lies between the two."""
    one, other = before.last, after.first
    return one.page is not other.page or other.top < one.top


def _same_listing(one: Line, other: Line) -> bool:
    return one.page is other.page and 0 < other.baseline - one.baseline < 4 * other.size


def _goes_on(table: Table, other: Table) -> bool:
    """Whether a table of the next page has the same columns."""
    if other.page.number != table.boxes[-1][-1][0].number + 1 if table.boxes[-1] else True:
        return False
    if len(table.rows[0]) != len(other.rows[0]):
        return False
    if any(abs(one - two) > 6 for one, two in zip(table.edges, other.edges, strict=True)):
        return table.rows[: table.header_rows] == other.rows[: table.header_rows] and table.header_rows > 0
    same = table.rows[: table.header_rows] == other.rows[: table.header_rows]
    return same or not other.styled


def _append(table: Table, other: Table) -> None:
    same = table.header_rows and table.rows[: table.header_rows] == other.rows[: table.header_rows]
    skipped = table.header_rows if same else 0
    table.rows.extend(other.rows[skipped:])
    table.boxes.extend(other.boxes[skipped:])
