"""Makes the index equal to the folders: what is new is loaded, cut and embedded, what is gone is taken out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from pathlib import Path
from typing import Any

import numpy

from pincite import __version__
from pincite.config import FILE_NAME, MetadataRule, Settings, read_settings
from pincite.engine.documents import Walk, load_bytes, loader_for, missing, read_bytes, walk
from pincite.engine.report import Progress, SyncReport
from pincite.engine.roots import Root, id_prefixes
from pincite.errors import LoadError
from pincite.model import Chunk, Document, Notice, metadata_to_json
from pincite.ports import Analyser, Chunker, Embedder, Entry, Store, Stored, Writer
from pincite.text.language import language_of

EMBED_TOGETHER = 256
"""Documents are embedded together until they have this many chunks, so that small files fill whole batches."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that belongs to the collection, with what decides how it is read."""

    path: Path
    document_id: str
    root: str
    rules: tuple[MetadataRule, ...]
    local_id: str


@dataclass(frozen=True, slots=True)
class Work:
    """A document that has to be written: new, changed, or moved from ``old_id``."""

    candidate: Candidate
    document: Document
    chunks: tuple[Chunk, ...]
    sha256: str
    made_by: str
    known: bool
    old_id: str = ""

    def texts(self, names: Sequence[str]) -> list[str]:
        """What is embedded and indexed for each chunk: the chosen metadata, then prefix and text."""
        head = metadata_line(self.document, names)
        return [f"{head}\n\n{chunk.embedded}" if head else chunk.embedded for chunk in self.chunks]


class Syncer:
    """One sync of one store."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        *,
        directory: Path,
        embedder: Embedder,
        analyser: Analyser,
        progress: Progress | None = None,
    ) -> None:
        self.store = store
        self.settings = settings
        self.directory = directory
        self.embedder = embedder
        self.analyser = analyser
        self.progress = progress
        self.chunker: Chunker = settings.chunk.create()
        self.report = SyncReport()
        self.cut_by = fingerprint(__version__, self.chunker, analyser.fingerprint, settings.embed_metadata)

    def run(self, roots: Sequence[Root], excluded: Iterable[Path], writer: Writer) -> SyncReport:
        """``excluded`` are files that a person took out of the collection."""
        stored = self.store.stored()
        candidates = self.candidates(roots, frozenset(excluded), stored)
        gone = {name: stored[name] for name in stored if name not in candidates}
        pending: list[Work] = []
        for done, candidate in enumerate(candidates.values()):
            if self.progress:
                self.progress(candidate.document_id, done, len(candidates))
            work = self.examine(candidate, stored, gone)
            if work:
                pending.append(work)
            if sum(len(other.chunks) for other in pending) >= EMBED_TOGETHER:
                self.write(pending, writer)
                pending = []
        self.write(pending, writer)
        for name in gone:
            writer.remove(name)
            self.report.removed.append(name)
        if self.progress:
            self.progress("", len(candidates), len(candidates))
        return self.report

    def candidates(
        self, roots: Sequence[Root], excluded: frozenset[Path], stored: dict[str, Stored]
    ) -> dict[str, Candidate]:
        """The files of all roots by document id. A root that is not there keeps what is stored of it."""
        prefixes = id_prefixes(roots)
        found: dict[str, Candidate] = {}
        for root in roots:
            if not root.folder.is_dir():
                self.report.failed.append(missing(root.folder))
                for name in [name for name, state in stored.items() if state.root == str(root.folder)]:
                    del stored[name]
                continue
            rules, exclude = self.folder_settings(root)
            names = walk(root.folder, exclude=exclude)
            self.report.warnings.extend(names.notices)
            for local_id, path in self.belonging(root, names):
                if path not in excluded:
                    document_id = prefixes[root.folder] + local_id
                    found[document_id] = Candidate(path, document_id, str(root.folder), rules, local_id)
        return dict(sorted(found.items()))

    def belonging(self, root: Root, names: Walk) -> Iterator[tuple[str, Path]]:
        there = {file.document_id: file.path for file in names.files}
        if root.named is None:
            yield from there.items()
            return
        for name in sorted(root.named):
            if (root.folder / name).exists():
                yield name, root.folder / name

    def folder_settings(self, root: Root) -> tuple[tuple[MetadataRule, ...], tuple[str, ...]]:
        """Rules and excludes of the collection and, over them, those of the root's own ``pincite.toml``: who wrote
        down rights beside the documents can rely on them wherever the folder is added."""
        rules, exclude = self.settings.rules, self.settings.exclude
        if root.folder != self.directory:
            own = read_settings(root.folder / FILE_NAME)
            rules, exclude = rules + own.rules, exclude + own.exclude
        return rules, exclude

    def examine(self, candidate: Candidate, stored: dict[str, Stored], gone: dict[str, Stored]) -> Work | None:
        """What has to be done for this file; ``None`` when it is unchanged or failed."""
        state = stored.get(candidate.document_id)
        try:
            loader = loader_for(candidate.path)
            data = read_bytes(candidate.path, max_bytes=getattr(loader, "max_bytes", None))
            sha256 = hashlib.sha256(data).hexdigest()
            made_by = fingerprint(self.cut_by, loader, [rule_json(rule) for rule in candidate.rules])
            if state and (state.sha256, state.made_by, state.root) == (sha256, made_by, candidate.root):
                self.report.unchanged.append(candidate.document_id)
                return None
            document = load_bytes(loader, data, candidate.document_id, candidate.rules, local_id=candidate.local_id)
        except LoadError as error:
            self.fail(candidate, error, state, gone)
            return None
        self.report.warnings.extend(document.located_warnings())
        old_id = "" if state else next((name for name in gone if gone[name].sha256 == sha256), "")
        if old_id:
            del gone[old_id]
        chunks = tuple(self.chunker.chunk(document))
        return Work(candidate, document, chunks, sha256, made_by, state is not None, old_id)

    def fail(self, candidate: Candidate, error: LoadError, state: Stored | None, gone: dict[str, Stored]) -> None:
        """An older version of a file that cannot be loaded now is taken out: it may say what is no longer true, or
        be open to people who may no longer see it."""
        message = f"{error.problem}. {error.cure}"
        if state:
            gone[candidate.document_id] = state
        self.report.failed.append(Notice(kind=error.kind, message=message, file=candidate.document_id))

    def write(self, pending: Sequence[Work], writer: Writer) -> None:
        texts = {work.candidate.document_id: work.texts(self.settings.embed_metadata) for work in pending}
        vectors = self.vectors(text for several in texts.values() for text in several)
        for work in pending:
            own = texts[work.candidate.document_id]
            matrix = numpy.zeros((len(own), self.embedder.dimension), dtype=numpy.float32)
            for row, text in enumerate(own):
                matrix[row] = vectors[text]
            language = str(work.document.metadata.get("language", "")) or language_of(work.document.text)
            entry = Entry(
                document=work.document,
                chunks=work.chunks,
                embedded=tuple(own),
                terms=tuple(tuple(self.analyser.document_terms(text, language)) for text in own),
                vectors=matrix,
                sha256=work.sha256,
                root=work.candidate.root,
                made_by=work.made_by,
            )
            self.commit(entry, work, writer)

    def commit(self, entry: Entry, work: Work, writer: Writer) -> None:
        name = entry.document.id
        if work.old_id:
            writer.rename(entry, old_id=work.old_id)
            self.report.moved.append((work.old_id, name))
            return
        writer.put(entry)
        (self.report.changed if work.known else self.report.added).append(name)

    def vectors(self, texts: Iterable[str]) -> dict[str, Any]:
        """The vector of every text; only what the store does not have yet is embedded."""
        wanted = list(dict.fromkeys(texts))
        known = dict(self.store.vectors(wanted))
        new = [text for text in wanted if text not in known]
        if new:
            known.update(zip(new, self.embedder.embed(new), strict=True))
            self.report.embedded += len(new)
        return known


def metadata_line(document: Document, names: Sequence[str]) -> str:
    """The chosen metadata as one line, ``title: Orbit; version: 3.0``; empty when the document has none of them."""
    values = metadata_to_json(document.metadata)
    parts = []
    for name in names:
        if name in values:
            value = values[name]
            parts.append(f"{name}: {', '.join(value) if isinstance(value, list) else value}")
    return "; ".join(parts)


def rule_json(rule: MetadataRule) -> Any:
    return [rule.glob, metadata_to_json(rule.metadata)]


def fingerprint(*parts: Any) -> str:
    """A short hash of settings: option objects by their fields, everything else as JSON."""

    def plain(value: Any) -> Any:
        if is_dataclass(value) and not isinstance(value, type):
            public = {name: plain(item) for name, item in asdict(value).items() if not name.startswith("_")}
            return [type(value).__qualname__, public]
        return value

    text = json.dumps([plain(part) for part in parts], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
