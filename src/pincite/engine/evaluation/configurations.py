"""Ways of cutting and searching that are compared."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pincite.config import Component, Settings
from pincite.engine.recipe import described, fingerprint, options_of
from pincite.errors import UsageError
from pincite.model import Chunk, Document, Mode, Span
from pincite.ports import Embedder


@dataclass(frozen=True, slots=True)
class ForeignChunks:
    """Spans that something else has cut, by document: ``(start, end, prefix)``. ``digest`` is of the file."""

    digest: str
    spans: Mapping[str, Sequence[tuple[int, int, str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """``settings`` say how documents are cut, embedded and searched; with ``foreign`` they are cut already."""

    name: str
    settings: Settings
    foreign: ForeignChunks | None = None

    @property
    def cut(self) -> str:
        """What decides about the index; configurations that share it share an index."""
        settings = self.settings
        rules = [[rule.glob, described(rule.chunk)] for rule in settings.chunk_rules]
        cut: Any = self.foreign.digest if self.foreign else [described(settings.chunk), rules]
        embed = [settings.embed.name, dict(settings.embed.options), list(settings.embed_metadata)]
        return fingerprint(cut, embed)

    def fingerprint(self, embedder: Embedder) -> str:
        """Of everything that decides about the rankings."""
        settings = self.settings
        fusion = [settings.fusion.name, options_of(settings.fusion.create())]
        reranker = settings.rerankers.get(settings.rerank or "")
        rerank = [settings.rerank, dict(reranker.options) if reranker else {}]
        searched = [fusion, settings.mode, rerank, settings.min_relevance, settings.join_tokens]
        return fingerprint(self.cut, embedder.fingerprint, *searched)


def configurations(
    settings: Settings,
    chunks: Sequence[tuple[str, Component | ForeignChunks]],
    modes: Sequence[Mode],
) -> list[Configuration]:
    """Every way of cutting with every mode; the mode is part of a name only where there are several. A way of cutting
    other than that of the settings holds for all documents. Raises ``UsageError`` for a name that stands twice."""
    found = []
    for label, cut in chunks:
        for mode in modes:
            name = f"{label} {mode}" if len(modes) > 1 else label
            foreign = cut if isinstance(cut, ForeignChunks) else None
            chosen = settings
            if isinstance(cut, Component) and cut is not settings.chunk:
                chosen = replace(settings, chunk=cut, chunk_rules=())
            found.append(Configuration(name=name, settings=replace(chosen, mode=mode), foreign=foreign))
    names = [each.name for each in found]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two configurations are called {name!r}", cure="Name each once.")
    return found


def foreign_chunks(file: Path, documents: Mapping[str, Document]) -> ForeignChunks:
    """From JSON lines with ``document``, ``start``, ``end`` and, if there is one, ``prefix``. Raises ``UsageError``
    where a line is none or its span lies outside of the document."""
    try:
        data = file.read_bytes()
        lines = data.decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read ({error})", cure="Check the file.", file=str(file)) from error
    spans: dict[str, list[tuple[int, int, str]]] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                name, span = _foreign(json.loads(line), documents)
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                problem = f"is no chunk ({error})"
                cure = 'Write {"document": …, "start": …, "end": …}, offsets in characters of the document\'s text.'
                raise UsageError(problem, cure=cure, file=f"{file} line {number}") from error
            spans.setdefault(name, []).append(span)
    return ForeignChunks(hashlib.sha256(data).hexdigest()[:16], spans)


def _foreign(data: Any, documents: Mapping[str, Document]) -> tuple[str, tuple[int, int, str]]:
    name, start, end, prefix = data["document"], data["start"], data["end"], data.get("prefix") or ""
    if name not in documents:
        raise ValueError(f"there is no document {name!r}")
    if not all(isinstance(value, int) and not isinstance(value, bool) for value in (start, end)):
        raise ValueError("start and end are whole numbers")
    if not 0 <= start < end <= len(documents[name].text):
        raise ValueError(f"[{start}, {end}) is no span of {name!r}")
    return name, (start, end, str(prefix))


def foreign_of(document: Document, foreign: ForeignChunks, count: Any) -> list[Chunk]:
    """The chunks of a document that were cut elsewhere, in their order. ``count`` measures prefix and text."""
    chunks: list[Chunk] = []
    for number, (start, end, prefix) in enumerate(sorted(foreign.spans.get(document.id, ()))):
        text = document.text[start:end]
        if text.strip():
            name = hashlib.sha256(f"{document.id}\0{number}\0{start}\0{end}\0{prefix}".encode()).hexdigest()[:16]
            chunks.append(
                Chunk(
                    id=name,
                    document_id=document.id,
                    number=len(chunks) + 1,
                    span=Span(start, end),
                    text=text,
                    prefix=prefix,
                    tokens=count(f"{prefix}\n\n{text}" if prefix else text),
                )
            )
    return chunks
