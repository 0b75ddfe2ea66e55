"""Makes the index equal to the folders: what is new is loaded, cut and embedded, what is gone is taken out."""

from __future__ import annotations

import hashlib
import json
import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, is_dataclass
from pathlib import Path
from typing import Any

import numpy

from pincite import __version__
from pincite.config import FILE_NAME, Settings, glob_matches
from pincite.engine.chunking import fitted_chunks, metadata_line
from pincite.engine.documents import File, files_of, loader_for, missing, read_bytes
from pincite.engine.jobs import Job, Loaded, Refused
from pincite.engine.pool import results
from pincite.engine.report import Progress, SyncReport
from pincite.engine.roots import Root, id_prefixes, shown_path
from pincite.errors import LoadError
from pincite.model import Chunk, Document, Metadata, MetadataValue, Notice, join_prefix, metadata_to_json
from pincite.ports import Analyser, Chunker, Embedder, Entry, Store, Stored, Writer
from pincite.text.language import language_of

EMBED_TOGETHER = 256
"""Documents are embedded together until they have this many chunks, so that small files fill whole batches."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file that belongs to the collection; ``override`` is the metadata that rules give it."""

    path: Path
    document_id: str
    root: str
    override: Metadata


@dataclass(frozen=True, slots=True)
class Plan:
    """A file that has to be loaded, and what is stored of it now."""

    member: Member
    job: Job
    sha256: str
    made_by: str
    state: Stored | None


@dataclass(frozen=True, slots=True)
class Work:
    """A document that has to be written: new, changed, or moved from ``old_id``."""

    member: Member
    document: Document
    chunks: tuple[Chunk, ...]
    sha256: str
    made_by: str
    known: bool
    old_id: str = ""

    def texts(self, names: Sequence[str]) -> list[str]:
        """What is embedded and indexed for each chunk: the chosen metadata, then prefix and text."""
        head = metadata_line(self.document, names)
        return [join_prefix(head, chunk.embedded) for chunk in self.chunks]


class Gone:
    """Stored documents whose files are no longer there, found again by content when a file has moved."""

    def __init__(self, stored: dict[str, Stored]) -> None:
        self._ids_of: dict[str, list[str]] = {}
        for state in stored.values():
            self.add(state)

    def add(self, state: Stored) -> None:
        self._ids_of.setdefault(state.sha256, []).append(state.document_id)

    def take(self, sha256: str) -> str:
        """The first document of that content, which is then no longer gone; empty when there is none."""
        ids = self._ids_of.get(sha256)
        return ids.pop(0) if ids else ""

    def ids(self) -> list[str]:
        return sorted(name for ids in self._ids_of.values() for name in ids)


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
        self.used_rules: set[str] = set()
        self.paths: set[Path] = set()
        limits = [] if embedder.max_tokens is None else [embedder.max_tokens]
        self.cut_by = fingerprint(__version__, self.chunker, analyser.fingerprint, settings.embed_metadata, *limits)

    def run(self, roots: Sequence[Root], excluded: Iterable[Path], writer: Writer) -> SyncReport:
        """``excluded`` are files that a person took out of the collection."""
        stored = self.store.stored()
        members = self.members(roots, frozenset(excluded), stored)
        gone = Gone({name: state for name, state in stored.items() if name not in members})
        self.paths = {member.path for member in members.values()}
        writer.write_setting("embedder", self.embedder.fingerprint)
        planned: deque[Plan] = deque()

        def jobs() -> Iterator[Job]:
            for plan in self.plans(members, stored, gone):
                planned.append(plan)
                yield plan.job

        pending: list[Work] = []
        chunks = 0
        with closing(results(jobs())) as outcomes:  # so that nothing goes on loading when writing fails
            for result in outcomes:
                work = self.work(planned.popleft(), result, gone)
                if work:
                    pending.append(work)
                    chunks += len(work.chunks)
                if chunks >= EMBED_TOGETHER or len(pending) >= EMBED_TOGETHER:
                    self.write(pending, writer)
                    pending, chunks = [], 0
        self.write(pending, writer)
        for name in gone.ids():
            writer.remove(name)
            self.report.removed.append(name)
        if self.progress:
            self.progress("", len(members), len(members))
        return self.report

    def members(self, roots: Sequence[Root], excluded: frozenset[Path], stored: dict[str, Stored]) -> dict[str, Member]:
        """The files of all roots by document id. A root that is not there keeps what is stored of it."""
        prefixes = id_prefixes(roots)
        found: dict[str, Member] = {}
        for root in roots:
            shown = shown_path(root.folder, self.directory)
            if not os.path.isdir(root.folder):  # noqa: PTH112 - it says no where Path.is_dir raises
                self.report.failed.append(missing(root.folder))
                for name in [name for name, state in stored.items() if state.root == shown]:
                    del stored[name]
                continue
            files = files_of(root)
            self.report.warnings.extend(files.notices)
            for file in files.files:
                document_id = prefixes[root.folder] + file.document_id
                names = (document_id, file.document_id, shown_path(file.path, self.directory))
                if file.path in excluded or (root.named is None and self.is_excluded(names)):
                    continue
                found[document_id] = Member(file.path, document_id, shown, self.override(file, names))
        self.report.warnings.extend(self.unused_rules())
        return dict(sorted(found.items()))

    def is_excluded(self, names: Sequence[str]) -> bool:
        return any(glob_matches(glob, name) for glob in self.settings.exclude for name in names)

    def override(self, file: File, names: Sequence[str]) -> dict[str, MetadataValue]:
        """What rules give a document. The collection's own may call it by its id, by its path in its root or by its
        path from the collection's directory; those beside the documents by the path from there, and have the last
        word."""
        result: dict[str, MetadataValue] = {}
        for rule in self.settings.rules:
            if rule.matches(names):
                self.used_rules.add(rule.glob)
                result.update(rule.metadata)
        for scope in file.scopes:
            if scope.folder != self.directory:
                for rule in scope.settings.rules:
                    if rule.matches((scope.name_of(file.path),)):
                        result.update(rule.metadata)
        return result

    def unused_rules(self) -> Iterator[Notice]:
        """A rule that matches nothing may be a slip that leaves documents open to everybody."""
        for rule in self.settings.rules:
            if rule.glob not in self.used_rules:
                message = f"the [[metadata]] rule for {rule.glob!r} matches no document"
                yield Notice(kind="unused_rule", message=message, file=FILE_NAME)

    def plans(self, members: dict[str, Member], stored: dict[str, Stored], gone: Gone) -> Iterator[Plan]:
        """What has to be loaded: files that are new or whose bytes or settings have changed."""
        for done, member in enumerate(members.values()):
            if self.progress:
                self.progress(member.document_id, done, len(members))
            state = stored.get(member.document_id)
            try:
                component = loader_for(member.path, self.settings.load)
                loader = component.create()
                data = read_bytes(member.path, max_bytes=getattr(loader, "max_bytes", None))
            except LoadError as error:
                self.fail(member, error, state, gone)
                continue
            sha256 = hashlib.sha256(data).hexdigest()
            made_by = fingerprint(self.cut_by, loader, metadata_to_json(member.override))
            if state and (state.sha256, state.made_by, state.root) == (sha256, made_by, member.root):
                self.report.unchanged.append(member.document_id)
                continue
            job = Job(member.path, member.document_id, data, component, self.settings.chunk, member.override)
            yield Plan(member, job, sha256, made_by, state)

    def work(self, plan: Plan, result: Loaded | Refused, gone: Gone) -> Work | None:
        """What has to be written for this file; ``None`` when it failed."""
        try:
            if isinstance(result, Refused):
                raise result.error()
            # Here and not where it was cut, because this process has the embedder.
            chunks, split = fitted_chunks(
                result.document, result.chunks, self.chunker, self.embedder, metadata=self.settings.embed_metadata
            )
        except LoadError as error:
            self.fail(plan.member, error, plan.state, gone)
            return None
        self.report.warnings.extend(result.document.located_warnings())
        if split:
            self.report.warnings.append(split)
        known = plan.state is not None
        old_id = "" if known else gone.take(plan.sha256)
        return Work(plan.member, result.document, tuple(chunks), plan.sha256, plan.made_by, known, old_id)

    def fail(self, member: Member, error: LoadError, state: Stored | None, gone: Gone) -> None:
        """An older version of a file that cannot be loaded now is taken out: it may say what is no longer true, or
        be open to people who may no longer see it."""
        message = f"{error.problem}. {error.cure}"
        if state:
            gone.add(state)
        self.report.failed.append(Notice(kind=error.kind, message=message, file=member.document_id))

    def write(self, pending: Sequence[Work], writer: Writer) -> None:
        texts = {work.member.document_id: work.texts(self.settings.embed_metadata) for work in pending}
        vectors = self.vectors(text for several in texts.values() for text in several)
        for work in pending:
            own = texts[work.member.document_id]
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
                root=work.member.root,
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


def fingerprint(*parts: Any) -> str:
    """A short hash of settings: option objects by their fields, everything else as JSON."""

    def plain(value: Any) -> Any:
        if is_dataclass(value) and not isinstance(value, type):
            public = {name: plain(item) for name, item in asdict(value).items() if not name.startswith("_")}
            return [type(value).__qualname__, public]
        return value

    text = json.dumps([plain(part) for part in parts], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
