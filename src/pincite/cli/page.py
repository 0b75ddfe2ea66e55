"""``chunk --html``: a page of its own with documents and their chunks as coloured bands.

Nothing is fetched and nothing runs: HTML and one style sheet, which the page's own policy names by its hash. All text
from documents is escaped, so it is never markup; what HTML cannot hold (NUL, lone surrogates) becomes U+FFFD.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite import catalogue
from pincite.cli import output
from pincite.cli.listing import counted
from pincite.cli.loading import Loading
from pincite.cli.standalone import beginning, escaped, generator, is_there
from pincite.cli.strategy import Strategy, written
from pincite.engine.borders import Band, bands
from pincite.errors import LoadError
from pincite.model import PATH_SEPARATOR, Chunk, Document, Notice

COLOURS = 6


@dataclass(frozen=True, slots=True)
class CutDocument:
    """A document and its chunks."""

    document: Document
    chunks: tuple[Chunk, ...]


def write_page(path: Path, documents: Loading, strategy: Strategy, *, as_json: bool) -> int:
    """Writes the page and says so. Raises ``UsageError`` where the file cannot be written or another file is there."""
    _check_target(path, documents)
    cuts = [CutDocument(document, tuple(strategy.chunker.chunk(document))) for document in documents]
    if documents.failed and not cuts:
        return documents.exit_code
    output.write_file(path, page(cuts, strategy, documents.failed).encode())
    chunks = sum(len(cut.chunks) for cut in cuts)
    if as_json:
        output.write_json({"html": str(path), "documents": len(cuts), "chunks": chunks})
    else:
        told = f"{counted(chunks, 'chunk')} of {counted(len(cuts), 'document')}"
        output.write(f"{output.safe(str(path))}: {told}")
    return documents.exit_code


def _check_target(path: Path, documents: Loading) -> None:
    """Only a page of an earlier run is written over. Such a page in the folder of the documents is no document."""
    if is_there(path, generator("chunk"), "--html") and documents.leave_out(path):
        message = "this is the page to be written and no document; it is left out"
        documents.warn([Notice(kind="own_page", message=message, file=str(path))])


def page(cuts: Sequence[CutDocument], strategy: Strategy, failed: Iterable[LoadError] = ()) -> str:
    """The whole page. The texts of all elements of the class ``text`` under a document, joined, are its text."""
    parts = [
        *beginning("chunk", f"Chunks by {strategy.label}", "page.css"),
        *_summary(cuts, strategy),
        *_not_loaded(failed),
        *(_contents(cuts) if len(cuts) > 1 else ()),
        "<main>",
        *(part for number, cut in enumerate(cuts, start=1) for part in _document(number, cut, strategy)),
        "</main></body></html>",
    ]
    return "\n".join(parts) + "\n"


def _summary(cuts: Sequence[CutDocument], strategy: Strategy) -> Iterator[str]:
    lengths = [chunk.tokens for cut in cuts for chunk in cut.chunks]
    names = catalogue.user_options(type(strategy.chunker))
    options = ", ".join(f"{name} = {written(getattr(strategy.chunker, name))}" for name in names)
    yield f'<header class="summary"><h1>Chunks by <code>{escaped(strategy.name)}</code></h1><dl>'
    yield from _facts(
        ("Options", escaped(options or "none")),
        ("Documents", str(len(cuts))),
        ("Chunks", str(len(lengths))),
        (f"Length in {escaped(strategy.unit)}, prefix included", _lengths(lengths)),
    )
    yield "</dl><p>Point at a chunk, or go to its number with the keyboard, to see its prefix.</p></header>"


def _lengths(lengths: Sequence[int]) -> str:
    """The mean is truncated, as in ``pincite stats``."""
    if not lengths:
        return "none"
    return f"mean {sum(lengths) // len(lengths)}, min {min(lengths)}, max {max(lengths)}"


def _facts(*facts: tuple[str, str]) -> Iterator[str]:
    """Names and values, both HTML already."""
    for name, value in facts:
        yield f"<div><dt>{name}</dt><dd>{value}</dd></div>"


def _not_loaded(failed: Iterable[LoadError]) -> Iterator[str]:
    lines = [f"<li>{escaped(str(error))}</li>" for error in failed]
    if lines:
        yield f'<section class="failed"><h2>Not loaded</h2><ul>{"".join(lines)}</ul></section>'


def _contents(cuts: Sequence[CutDocument]) -> Iterator[str]:
    yield '<nav aria-label="Documents"><ol>'
    for number, cut in enumerate(cuts, start=1):
        name = f"<bdi>{escaped(cut.document.id)}</bdi>"
        yield f'<li><a href="#d{number}">{name}</a> <span>{counted(len(cut.chunks), "chunk")}</span></li>'
    yield "</ol></nav>"


def _document(number: int, cut: CutDocument, strategy: Strategy) -> Iterator[str]:
    lengths = [chunk.tokens for chunk in cut.chunks]
    yield f'<section class="document" aria-labelledby="d{number}">'
    yield f'<h2 id="d{number}"><bdi>{escaped(cut.document.id)}</bdi></h2>'
    yield f'<p class="facts">{counted(len(lengths), "chunk")}; length: {_lengths(lengths)}</p>'
    for band in bands(cut.document, cut.chunks):
        yield _band(number, band, cut.document, strategy)
    yield "</section>"


def _band(number: int, band: Band, document: Document, strategy: Strategy) -> str:
    text = band.span.of(document.text)
    shown = f'<div class="text">{escaped(text)}</div>'
    if not band.chunks:
        kind, label = ("blank", "") if text.isspace() else ("outside", '<p class="label">in no chunk</p>')
        return f'<div class="{kind}">{label}{shown}</div>'
    newest = band.chunks[-1]
    colours = f"c{newest.number % COLOURS}"
    if len(band.chunks) > 1:
        colours += f" shared s{band.chunks[-2].number % COLOURS}"
    if newest.span.start == band.span.start:
        identity = f"d{number}c{newest.number}"
        shared = f" <strong>{_label(number, band.chunks)}</strong>" if len(band.chunks) > 1 else ""
        head = _head(identity, newest, shared, document, strategy) + _card(identity, newest, document, strategy)
        return f'<article class="band {colours}" id="{identity}">{head}{shown}</article>'
    return f'<div class="band {colours}"><p class="label">{_label(number, band.chunks)}</p>{shown}</div>'


def _head(identity: str, chunk: Chunk, shared: str, document: Document, strategy: Strategy) -> str:
    """The line above a chunk. Its number is a link to the chunk itself, so that the keyboard gets there."""
    path = f" <span>{_path(chunk)}</span>" if chunk.headings else ""
    return (
        f'<div class="head"><a class="number" href="#{identity}" aria-describedby="{identity}i" '
        f'aria-label="Chunk {chunk.number}">{chunk.number}</a>{shared} <span>{chunk.tokens} {_unit(strategy)}</span> '
        f"<span>{escaped(str(document.place(chunk.span)))}</span>{path}</div>"
    )


def _label(number: int, chunks: Sequence[Chunk]) -> str:
    """Which chunks the text is in: all of two or three, the first and the last of more."""
    shown = chunks if len(chunks) < 4 else (chunks[0], chunks[-1])
    links = [f'<a href="#d{number}c{chunk.number}">{chunk.number}</a>' for chunk in shown]
    return ("still in " if len(chunks) == 1 else "in ") + (" + " if len(chunks) < 4 else " … ").join(links)


def _path(chunk: Chunk) -> str:
    return escaped(PATH_SEPARATOR).join(f"<bdi>{escaped(heading)}</bdi>" for heading in chunk.headings)


def _unit(strategy: Strategy) -> str:
    return strategy.unit if strategy.unit in ("characters", "words") else "tokens"


def _card(identity: str, chunk: Chunk, document: Document, strategy: Strategy) -> str:
    facts = [
        ("Chunk", str(chunk.number)),
        ("Prefix", f'<div class="prefix">{escaped(chunk.prefix)}</div>' if chunk.prefix else "none"),
        ("Headings", _path(chunk) or "none"),
        ("Length", f"{chunk.tokens} in {escaped(strategy.unit)}, prefix included"),
        ("Place", escaped(str(document.place(chunk.span))) or "unknown"),
        ("Characters", f"{chunk.span.start} to {chunk.span.end}"),
    ]
    if chunk.parent:
        facts.append(("Parent", f"characters {chunk.parent.start} to {chunk.parent.end}"))
    return f'<dl class="card" id="{identity}i">{"".join(_facts(*facts))}</dl>'
