"""``chunk``, ``stats`` and ``show``: look at what was understood and how it is cut."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from pincite import catalogue
from pincite.cli import output
from pincite.cli.collections import open_collection, principal_of
from pincite.cli.diff import print_borders, write_borders
from pincite.cli.explaining import explainer_of, print_cuts, write_cuts
from pincite.cli.listing import print_chunks
from pincite.cli.loading import Loading
from pincite.cli.page import write_page
from pincite.cli.strategy import Strategy, strategy_of
from pincite.config import FILE_NAME, read_settings
from pincite.engine.chunking import fit_report, statistics
from pincite.engine.documents import draw_page, load_document, scope_above
from pincite.errors import UsageError
from pincite.model import Block, Chunk, Document, Located, Section, metadata_to_json
from pincite.ports import Embedder


def show_chunks(
    paths: Sequence[Path],
    chosen: Strategy,
    *,
    other: str | None,
    page: Path | None,
    explain: bool,
    embedder: str | None,
    full: bool,
    password: str | None,
    as_json: bool,
) -> int:
    """``other``: a second strategy whose borders are shown beside; ``page``: the file of a page to write instead;
    ``explain``: the reasons for the cuts instead; ``embedder``: the name of one that shall read the chunks to their
    end."""
    views = [name for name, given in (("--diff", other is not None), ("--html", page), ("--explain", explain)) if given]
    if len(views) > 1:
        raise UsageError(f"{views[0]} and {views[1]} do not go together", cure="Run the command twice.")
    reader: Embedder | None = catalogue.create("embed", embedder) if embedder else None
    metadata = embedded_metadata() if reader else ()
    explainer = explainer_of(chosen) if explain else None
    both = (chosen, strategy_of(other)) if other is not None else None
    documents = Loading(paths, as_json=as_json, password=password)
    if page:
        return write_page(page, documents, chosen, as_json=as_json)
    for document in documents:
        if both and as_json:
            write_borders(document, both)
        elif both:
            print_borders(document, both, full=full)
        elif explainer and as_json:
            write_cuts(document, explainer)
        elif explainer:
            print_cuts(document, explainer)
        else:
            chunks = list(chosen.chunker.chunk(document))
            if as_json:
                write_located(document, chunks)
            else:
                print_chunks(document, chunks, unit=chosen.unit, full=full)
            report = fit_report(document, chunks, reader, metadata=metadata) if reader else None
            notice = report.notice(document.id) if report else None
            output.warn([notice] if notice else [], as_json=as_json)
    return documents.exit_code


def embedded_metadata() -> tuple[str, ...]:
    """The names of the metadata that the collection of the current folder embeds with each chunk."""
    from pincite.engine.collection import Collection

    return read_settings(Collection.directory_for(Path.cwd()) / FILE_NAME).embed_metadata


def write_located(document: Document, chunks: Iterable[Chunk]) -> None:
    for chunk in chunks:
        place = document.place(chunk.span)
        output.write_json(Located(chunk=chunk, place=place, metadata=document.metadata).to_json())


def show_statistics(paths: Sequence[Path], strategies: Sequence[str], unit: str, *, as_json: bool) -> int:
    strategies = strategies or catalogue.names("chunk")
    for strategy in strategies:
        catalogue.find("chunk", strategy)
    catalogue.create("counter", unit)
    documents = Loading(paths, as_json=as_json, in_lines=False)
    loaded = list(documents)
    results = [statistics(loaded, strategy=strategy, unit=unit) for strategy in strategies]
    if as_json and documents.failed and not loaded:
        output.write_json({"error": documents.failed[0].to_json()})
    elif as_json:
        output.write_json([result.to_json() for result in results])
    else:
        output.write(f"{len(loaded)} documents; lengths in {unit}, prefix included; means are truncated")
        rows = [
            (result.strategy, *map(str, (result.chunks, result.mean, result.minimum, result.maximum)))
            for result in results
        ]
        output.table(("strategy", "chunks", "mean", "min", "max"), rows, right=(1, 2, 3, 4))
    return documents.exit_code


def draw(name: str, page: int, image: Path, password: str) -> int:
    drawn = draw_page(Path(name), page, password=password)
    output.write_file(image, drawn)
    output.write(f"page {page} of {output.safe(name)} is drawn in {output.safe(str(image))}")
    return 0


def show_document(
    name: str,
    views: Sequence[str],
    collection: Path | None,
    *,
    page: int | None,
    password: str | None,
    groups: Sequence[str] | None,
    as_json: bool,
) -> int:
    if len(views) > 1:
        raise UsageError("only one view at a time", cure="Choose one of --blocks, --sections, --chunks, --text.")
    view = views[0] if views else "text"
    document, chunks = _document(name, collection, with_chunks=view == "chunks", password=password, groups=groups)
    if not (as_json and view == "text"):  # that document carries its warnings itself
        output.warn(document.located_warnings(), as_json=as_json)
    if view == "text":
        if as_json:
            output.write_json(document.to_json())
        else:
            for line in document.text.splitlines():
                output.write(output.printable(line))
    elif view == "chunks":
        if as_json:
            write_located(document, chunks)
        else:
            print_chunks(document, chunks, unit="by the strategy's counter", full=False)
    elif view == "sections":
        for section in document.sections:
            _show_section(document, section, as_json=as_json)
    else:
        _show_blocks(document, page, as_json=as_json)
    return 0


def _document(
    name: str, collection: Path | None, *, with_chunks: bool, password: str | None, groups: Sequence[str] | None
) -> tuple[Document, list[Chunk]]:
    """A file where there is one of that name, else a document of the collection."""
    if groups and os.path.isfile(name):  # noqa: PTH113 - as below
        raise UsageError(
            "is a file, and whoever can read it sees all of it",
            cure="Leave --as out, or name a document of the collection by its id.",
            file=name,
        )
    if os.path.isfile(name):  # noqa: PTH113 - it says no, where Path.is_file raises, beyond a folder that is closed
        path = Path(name).absolute()
        scope = scope_above(path)
        document = load_document(path, password=password, settings=scope.settings)
        chunker = scope.settings.chunk_of([scope.name_of(path)]).create()
        return document, list(chunker.chunk(document)) if with_chunks else []
    principal = principal_of(groups)
    with open_collection(collection) as opened:
        document = opened.document(name, principal=principal)
        return document, opened.chunks(name, principal=principal) if with_chunks else []


def _show_section(document: Document, section: Section, *, as_json: bool) -> None:
    if as_json:
        place = document.place(section.span).to_json()
        output.write_json(
            {
                "document": document.id,
                "headings": list(section.path),
                "level": section.level,
                "start": section.span.start,
                "end": section.span.end,
                "text": section.body.of(document.text) if section.body else "",
                "place": place,
            }
        )
        return
    body = section.body.of(document.text) if section.body else ""
    title = output.safe(section.title) or "(before the first heading)"
    indent = "  " * max(0, section.level - 1)
    output.write(f"{document.place(section.span)!s:>10}  {indent}{title}  ({len(body.strip())} characters)")


def _show_blocks(document: Document, page: int | None, *, as_json: bool) -> None:
    open_blocks: list[Block] = []
    for block in document.blocks:
        while open_blocks and open_blocks[-1].span.end <= block.span.start:
            open_blocks.pop()
        place = document.place(block.span)
        if page is not None and place.page != page:
            open_blocks.append(block)
            continue
        if as_json:
            data = {**block.to_json(), "document": document.id, "depth": len(open_blocks), "place": place.to_json()}
            output.write_json({**data, "text": block.span.of(document.text)})
        else:
            indent = "  " * len(open_blocks)
            details = f" {block.level}" if block.level else f" {block.language}" if block.language else ""
            label = f"{indent}{block.kind}{details}"
            width = max(10, output.terminal_width() - 46)
            output.write(f"{place!s:>10}  {label:<28}  {output.first_line(block.span.of(document.text), width)}")
        open_blocks.append(block)
    if not as_json and document.metadata:
        output.write("metadata: " + output.safe(json.dumps(metadata_to_json(document.metadata), ensure_ascii=False)))
