"""One page: from its text to blocks in a writer. Shared by the loaders of HTML, EPUB and e-mail."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser

from pincite.load.html.content import MOST_CHARACTERS, choose
from pincite.load.html.limits import TooMuchError
from pincite.load.html.metadata import metadata_of
from pincite.load.html.steps import Close, Elements, Leaf, Open, Step
from pincite.load.html.taming import as_html, tamed
from pincite.load.html.unseen import Styles, styles_of
from pincite.load.html.visible import Sight
from pincite.load.html.walk import walk
from pincite.load.writer import MarkdownWriter
from pincite.model import MetadataValue, Place


@dataclass(frozen=True, slots=True)
class Page:
    """Blocks as steps, and what the page says of itself. ``left_out`` counts characters that may have been content,
    ``unseen`` those that nobody sees; ``hidden`` tells that the page shows nothing, so that what it hides was read."""

    elements: Elements
    steps: list[Step]
    metadata: dict[str, MetadataValue] = field(default_factory=dict)
    left_out: int = 0
    hidden: bool = False
    unseen: int = 0


def read_page(
    text: str,
    *,
    main_content: bool,
    xhtml: bool = False,
    most_elements: int | None = None,
    most_blocks: int | None = None,
) -> Page:
    """Reads the page; without ``main_content`` everything that it shows. ``xhtml`` says that it is XHTML, whatever its
    start looks like.

    A page that gives no text so is read again with its navigation and banners, then with what it hides. Raises
    ``TooMuchError`` for more elements or blocks than those.
    """
    if most_elements is not None and text.count("<") - text.count("</") > most_elements:
        raise TooMuchError("it has too many elements", "max_elements")
    source = tamed(as_html(text, xhtml=xhtml))
    sights = [Sight(furniture=True), Sight(furniture=True, hidden=True)]
    if main_content:
        sights.insert(0, Sight())
    metadata: dict[str, MetadataValue] | None = None
    styles: Styles | None = None
    for sight in sights:
        parser = LexborHTMLParser(source)
        metadata = metadata if metadata is not None else metadata_of(parser)
        if parser.body is None:
            break
        styles = None if sight.hidden else styles or styles_of(parser)
        sketching = not sight.furniture and len(source) <= MOST_CHARACTERS
        walked = walk(parser.body, sight, styles=styles, sketching=sketching, most_blocks=most_blocks)
        steps, left_out = walked.steps, 0
        if steps and not sight.furniture:
            choice = choose(walked)
            steps, left_out = list(_kept(steps, choice.kept)), choice.left_out
        if any(isinstance(step, Leaf) for step in steps):
            return Page(walked.elements, steps, metadata, left_out, sight.hidden, walked.hidden)
    return Page(Elements(), [], metadata or {})


def _kept(steps: Iterable[Step], kept: Iterable[bool]) -> Iterable[Step]:
    flags = iter(kept)
    return (step for step in steps if not isinstance(step, Leaf) or next(flags))


def write_page(page: Page, writer: MarkdownWriter, *, most_cells: int, file: str = "") -> None:
    """Writes the blocks and takes them off the page; ``file``, if given, stands before the element in every place
    (``a.xhtml#intro/p[1]``).

    Raises ``TooManyCellsError`` for tables whose spans make more than ``most_cells`` cells.
    """
    open_containers: list[ExitStack] = []
    page.steps.reverse()  # so that what is written need not be held twice
    while page.steps:
        step = page.steps.pop()
        if isinstance(step, Open):
            stack = ExitStack()
            if step.kind == "item":
                stack.enter_context(writer.item(marker=step.marker))
            else:
                stack.enter_context(writer.list() if step.kind == "list" else writer.quote())
            open_containers.append(stack)
        elif isinstance(step, Close):
            open_containers.pop().close()
        else:
            most_cells -= _write_leaf(step, page.elements, writer, most_cells, file)


def _write_leaf(leaf: Leaf, elements: Elements, writer: MarkdownWriter, most_cells: int, file: str) -> int:
    """Writes one block and returns the number of its cells."""

    def element_of(element: int) -> str:
        path = elements.place(element)
        return f"{file}{path}" if path.startswith("#") or not file else f"{file}/{path}"

    place = Place(element=element_of(leaf.element))
    if leaf.kind == "heading":
        writer.heading(leaf.text, level=leaf.level, place=place)
    elif leaf.kind == "caption":
        writer.caption(leaf.text, place=place)
    elif leaf.kind == "note":
        writer.note(leaf.text, label=leaf.label, place=place)
    elif leaf.kind == "code":
        writer.code(leaf.text, language=leaf.language, place=place)
    elif leaf.table is not None:
        rows = leaf.table.grid(most_cells=most_cells)
        heads = leaf.table.header_rows()
        places = [
            Place(element=element_of(element), row=number - heads if number > heads else None)
            for number, (element, _) in enumerate(rows, start=1)
        ]
        writer.table([cells for _, cells in rows], header_rows=heads, row_places=places)
        return sum(len(cells) for _, cells in rows)
    else:
        writer.paragraph(leaf.text, place=place)
    return 0
