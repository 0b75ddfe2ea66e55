"""``chunk``, ``stats`` and ``show``: look at what was understood and how it is cut."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pincite import catalogue
from pincite.cli import output
from pincite.cli.collections import open_collection
from pincite.engine.chunking import chunk_document, statistics
from pincite.engine.documents import draw_page, find_files, load_document, load_files
from pincite.errors import LoadError, UsageError
from pincite.model import PUBLIC, Block, Chunk, Document, Located, Section, metadata_to_json


class Loading:
    """Documents one at a time; warns as it goes and remembers whether every file could be loaded."""

    def __init__(
        self, paths: Sequence[Path], *, as_json: bool, in_lines: bool = True, password: str | None = None
    ) -> None:
        """``in_lines``: stdout holds JSON lines, so that an error can be one of them."""
        self._paths = paths
        self._as_json = as_json
        self._in_lines = in_lines
        self._password = password
        self.failed: list[LoadError] = []

    def __iter__(self) -> Iterator[Document]:
        found = find_files(self._paths)
        for notice in found.notices:
            if notice.kind == "link":
                output.warn([notice], as_json=self._as_json)
            else:
                self._fail(LoadError(notice.message, cure="", kind=notice.kind, file=notice.file))
        for result in load_files(found.files, password=self._password):
            if isinstance(result, LoadError):
                self._fail(result)
            else:
                output.warn(result.located_warnings(), as_json=self._as_json)
                yield result

    def _fail(self, error: LoadError) -> None:
        self.failed.append(error)
        output.report_error(error, as_json=self._as_json and self._in_lines)

    @property
    def exit_code(self) -> int:
        return LoadError.exit_code if self.failed else 0


def strategy_options(given: Iterable[str] | None, **named: Any) -> dict[str, Any]:
    """The options of a strategy from the command line; a value is read as JSON where it is JSON, else as text."""
    options = {name: value for name, value in named.items() if value is not None}
    for pair in given or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"--option {pair!r} has no value", cure="Write --option NAME=VALUE.")
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    return options


def show_chunks(
    paths: Sequence[Path],
    strategy: str,
    options: Mapping[str, Any],
    *,
    full: bool,
    password: str | None,
    as_json: bool,
) -> int:
    chunker = catalogue.create("chunk", strategy, options)
    documents = Loading(paths, as_json=as_json, password=password)
    for document in documents:
        chunks = chunker.chunk(document)
        if as_json:
            write_located(document, chunks)
        else:
            print_chunks(document, list(chunks), unit=getattr(chunker, "counter", "characters"), full=full)
    return documents.exit_code


def write_located(document: Document, chunks: Iterable[Chunk]) -> None:
    for chunk in chunks:
        place = document.place(chunk.span)
        output.write_json(Located(chunk=chunk, place=place, metadata=document.metadata).to_json())


def print_chunks(document: Document, chunks: Sequence[Chunk], *, unit: str, full: bool) -> None:
    output.write(f"{output.safe(document.id)}: {len(chunks)} chunks (lengths in {unit}, prefix included)")
    width = output.terminal_width() - 16
    for chunk in chunks:
        output.write(f"{chunk.number:>5}  {chunk.tokens:>7}  {output.first_line(chunk.text, width)}")
        if full:
            for line in chunk.embedded.splitlines():
                output.write(f"                {output.printable(line)}".rstrip())


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
    try:
        image.write_bytes(drawn)
    except OSError as error:
        raise UsageError(f"cannot be written ({error.strerror})", cure="Name another file.", file=str(image)) from error
    output.write(f"page {page} of {output.safe(name)} is drawn in {output.safe(str(image))}")
    return 0


def show_document(
    name: str, views: Sequence[str], collection: Path | None, *, page: int | None, password: str | None, as_json: bool
) -> int:
    if len(views) > 1:
        raise UsageError("only one view at a time", cure="Choose one of --blocks, --sections, --chunks, --text.")
    view = views[0] if views else "text"
    document, chunks = _document(name, collection, with_chunks=view == "chunks", password=password)
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
            print_chunks(document, chunks, unit="the counter that made them", full=False)
    elif view == "sections":
        for section in document.sections:
            _show_section(document, section, as_json=as_json)
    else:
        _show_blocks(document, page, as_json=as_json)
    return 0


def _document(
    name: str, collection: Path | None, *, with_chunks: bool, password: str | None
) -> tuple[Document, list[Chunk]]:
    """A file where there is one of that name, else a document of the collection."""
    if os.path.isfile(name):  # noqa: PTH113 - it says no, where Path.is_file raises, beyond a folder that is closed
        document = load_document(Path(name), password=password)
        return document, chunk_document(document) if with_chunks else []
    with open_collection(collection) as opened:
        document = opened.document(name, principal=PUBLIC)
        return document, opened.chunks(name, principal=PUBLIC) if with_chunks else []


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
