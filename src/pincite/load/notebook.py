"""Jupyter notebooks: the words, the code and the text that it printed, cell by cell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite.errors import LoadError
from pincite.load.decoding import decode
from pincite.load.front_matter import refuse_hidden_groups
from pincite.load.limits import at_least_one
from pincite.load.markdown_blocks import TooWideError, blocks_of
from pincite.load.normalise import one_line, verbatim
from pincite.load.notices import numbered
from pincite.load.writer import MarkdownWriter
from pincite.model import Document, MetadataValue, Notice, Place, Source, known_key

_OLDEST_FORMAT = 3
# Colours and cursor movements that tracebacks and progress bars are printed with.
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_LOST = re.compile("[\x00-\x08\x0e-\x1b\x7f\ud800-\udfff]")  # of what is cleaned, that which is worth a word
_CELL_MAGIC = re.compile(r"\s*%%(bash|sh|javascript|js|html|perl|ruby|sql|latex|R)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookLoader:
    """Loads notebooks (format 3 and 4) of at most ``max_bytes`` bytes and ``max_cells`` cells.

    Markdown cells are Markdown, code cells are code in the language of the kernel (or of a cell magic such as
    ``%%bash``), each output that is text is code without a language: what was printed, results as plain text, errors
    with their traceback. Of the outputs of one cell the first ``max_output_chars`` characters are kept. Places are
    the numbers of the cells, from 1.
    """

    max_bytes: int = 64 * 1024 * 1024
    max_cells: int = 100_000
    max_output_chars: int = 10_000
    name: str = "notebook"

    def __post_init__(self) -> None:
        at_least_one(self, "max_bytes", "max_cells")
        if self.max_output_chars < 0:
            raise ValueError(f"max_output_chars must be at least 0, got {self.max_output_chars}")

    def load(self, source: Source) -> Document:
        decoded = decode(source, max_bytes=self.max_bytes, loader=self.name)
        notebook = _read(decoded.text, source.path)
        cells = _cells(notebook, source.path)
        if len(cells) > self.max_cells:
            raise LoadError(
                f"the notebook has {len(cells):,} cells, the loader takes {self.max_cells:,} (max_cells)",
                cure="Split the notebook, or raise max_cells.",
                kind="too_large",
                file=source.path,
            )
        writing = _Writing(source.path, _language(notebook), self.max_output_chars)
        _refuse_groups(notebook, cells, source.path)
        for number, cell in enumerate(cells, start=1):
            if isinstance(cell, dict):
                writing.cell(cell, number)
            else:
                writing.no_source.append(number)
        return writing.writer.document(
            id=source.path,
            source=source.path,
            media_type="application/x-ipynb+json",
            metadata=_metadata(notebook),
            warnings=(*decoded.notices, *writing.notices()),
        )


def _refuse_groups(notebook: Mapping[str, Any], cells: Sequence[object], file: str) -> None:
    """Groups that somebody may believe to hold, in the metadata or in what looks like front matter."""
    if any(known_key(key) == "groups" for key in _mapping(notebook.get("metadata"))):
        raise LoadError(
            "groups are named in the notebook's metadata, which do not decide who may see a document",
            cure="Name them in a [[metadata]] rule of pincite.toml, and take them out.",
            kind="front_matter",
            file=file,
        )
    if cells:
        refuse_hidden_groups(verbatim(_text(_source(_mapping(cells[0])))) + "\n", file)


def _read(text: str, file: str) -> Mapping[str, Any]:
    cure = "Open it in Jupyter and save it again."
    try:
        notebook = json.loads(text, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        problem = f"the notebook is not valid JSON ({error.msg} in line {error.lineno})"
        raise LoadError(problem, cure=cure, kind="corrupt", file=file) from error
    except RecursionError as error:
        raise LoadError("the notebook is nested too deep", cure=cure, kind="unsafe", file=file) from error
    if not isinstance(notebook, dict):
        raise LoadError("the file is JSON but no notebook", cure=cure, kind="corrupt", file=file)
    return notebook


def _cells(notebook: Mapping[str, Any], file: str) -> list[object]:
    version = notebook.get("nbformat", "4")
    if not (isinstance(version, str) and version.isdecimal() and len(version) < 5 and int(version) >= _OLDEST_FORMAT):
        raise LoadError(
            f"the notebook has the format {str(version)[:20]!r}",
            cure=f"Save it in format {_OLDEST_FORMAT} or later.",
            kind="unsupported",
            file=file,
        )
    sheets = [notebook, *_mappings(notebook.get("worksheets"))]  # format 3 has its cells in worksheets
    if not any(isinstance(sheet.get("cells"), list) for sheet in sheets):
        cure = "Open it in Jupyter and save it again."
        raise LoadError("the file is JSON but has no cells", cure=cure, kind="corrupt", file=file)
    return [cell for sheet in sheets for cell in _listed(sheet.get("cells"))]


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _mappings(value: object) -> list[Mapping[str, Any]]:
    return [item for item in _listed(value) if isinstance(item, dict)]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _source(cell: Mapping[str, Any]) -> object:
    """``input`` is its name in format 3."""
    return cell.get("source", cell.get("input"))


def _text(value: object) -> str:
    """Text of a notebook is one string, or its lines in a list."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _is_text(value: object) -> bool:
    """Whether `_text` loses nothing of it."""
    if isinstance(value, list):
        return all(isinstance(part, str) for part in value)
    return value is None or isinstance(value, str)


def _language(notebook: Mapping[str, Any]) -> str:
    metadata = _mapping(notebook.get("metadata"))
    names = (
        _mapping(metadata.get("language_info")).get("name"),
        _mapping(metadata.get("kernelspec")).get("language"),
    )
    return next((name.lower() for name in names if isinstance(name, str) and re.fullmatch(r"[\w+#.-]{1,40}", name)), "")


def _metadata(notebook: Mapping[str, Any]) -> dict[str, MetadataValue]:
    found = _mapping(notebook.get("metadata"))
    metadata: dict[str, MetadataValue] = {}
    if title := one_line(_text(found.get("title"))):
        metadata["title"] = title
    names = (one_line(_text(author.get("name"))) for author in _mappings(found.get("authors")))
    if authors := tuple(name for name in names if name):
        metadata["authors"] = authors
    return metadata


@dataclass(slots=True)
class _Writing:
    """One notebook being written, and what was lost on the way, by the numbers of the cells."""

    file: str
    language: str
    max_output_chars: int
    writer: MarkdownWriter = field(default_factory=MarkdownWriter)
    cut: list[int] = field(default_factory=list)
    without_text: list[int] = field(default_factory=list)
    unclean: list[int] = field(default_factory=list)
    no_source: list[int] = field(default_factory=list)

    def cell(self, cell: Mapping[str, Any], number: int) -> None:
        place = Place(paragraph=number)
        kind = cell.get("cell_type")
        source = _source(cell)
        if not _is_text(source):
            self.no_source.append(number)
        text = self.clean(_text(source), number)
        if kind == "heading":  # of format 3
            level = str(cell.get("level", "1"))
            self.writer.heading(text, level=int(level) if re.fullmatch(r"[1-6]", level) else 1, place=place)
        elif kind == "markdown":
            self.markdown(text, place)
        elif kind == "code":
            magic = _CELL_MAGIC.match(text)
            language = _mapping(cell.get("metadata")).get("language", cell.get("language"))
            own = language if isinstance(language, str) and re.fullmatch(r"[\w+#.-]{1,40}", language) else self.language
            self.writer.code(text, language=magic[1] if magic else own, place=place)
            self.outputs(_mappings(cell.get("outputs")), number, place)
        else:  # a raw cell: passed on as it is by whatever converts the notebook
            self.writer.code(text, place=place)

    def markdown(self, text: str, place: Place) -> None:
        try:
            self.writer.markdown(text, blocks_of(text), place=place)
        except TooWideError as error:
            raise LoadError(
                f"cell {place.paragraph}: {error}",
                cure="Split the table, or leave the file out.",
                kind="too_large",
                file=self.file,
            ) from error

    def outputs(self, outputs: list[Mapping[str, Any]], number: int, place: Place) -> None:
        left = self.max_output_chars
        for kind, raw in self.texts(outputs, number):
            if left <= 0 and raw.strip():
                self.cut.append(number)
                return
            text = self.clean(_TERMINAL.sub("", raw[: 8 * left + 1000]), number).expandtabs()
            if len(text) > left or len(raw) > 8 * left + 1000:
                self.cut.append(number)
                text = text[: max(0, left)]
            left -= len(text)
            if kind == "markdown":
                self.markdown(text, place)
            else:
                self.writer.code(text, place=place)

    def texts(self, outputs: list[Mapping[str, Any]], number: int) -> Iterator[tuple[str, str]]:
        """The outputs as text; streams that follow each other are one."""
        printed: list[str] = []
        for output in outputs:
            kind = output.get("output_type")
            if kind == "stream":
                if not _is_text(output.get("text")):
                    self.without_text.append(number)
                printed.append(_text(output.get("text")))
                continue
            if printed:
                yield "text", "".join(printed)
                printed = []
            if kind in ("error", "pyerr"):
                traceback = output.get("traceback")
                lines = [line for line in traceback if isinstance(line, str)] if isinstance(traceback, list) else []
                yield "text", "\n".join(lines) or f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
                continue
            data = {**output, **_mapping(output.get("data"))}
            written = _text(data.get("text/markdown"))
            plain = _text(data.get("text/plain", data.get("text")))
            if written.strip():
                yield "markdown", written
            elif plain.strip():
                yield "text", plain
            else:
                self.without_text.append(number)
        if printed:
            yield "text", "".join(printed)

    def clean(self, text: str, number: int) -> str:
        """By the rules for all loaders; JSON can hold halves of surrogate pairs, which text cannot."""
        if _LOST.search(text):
            self.unclean.append(number)
        return verbatim(text)

    def notices(self) -> Iterator[Notice]:
        reports = (
            ("cut", f"outputs were cut after {self.max_output_chars:,} characters (max_output_chars)", self.cut),
            ("no_text", "outputs without text (pictures, widgets) were left out", self.without_text),
            ("no_text", "cells whose source is no text were left out", self.no_source),
            ("characters", "control characters were taken out, halves of surrogate pairs replaced", self.unclean),
        )
        for kind, message, numbers in reports:
            if numbers:
                yield Notice(kind=kind, message=f"{message} ({numbered('cell', numbers)})", file=self.file)
