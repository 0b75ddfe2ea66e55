"""Makes the index equal to the folders: what is new is loaded, cut and embedded, what is gone is taken out."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy

from pincite.config import Component, Settings
from pincite.engine.chunking import fitted_chunks
from pincite.engine.documents import loader_for, read_bytes
from pincite.engine.entries import entry_of
from pincite.engine.jobs import Job, Loaded, Refused
from pincite.engine.members import Gone, Member, MemberFinder, Plan, Work
from pincite.engine.pool import results
from pincite.engine.recipe import SETTING, Recipe, algorithm_of, fingerprint, options_of
from pincite.engine.report import Progress, SyncReport
from pincite.engine.roots import Root
from pincite.engine.side_files import side_metadata
from pincite.errors import LoadError, RemoteError
from pincite.model import Metadata, Notice, metadata_to_json
from pincite.ports import Analyser, Chunker, Embedder, Entry, Loader, Store, Stored, Writer

EMBED_TOGETHER = 256
"""Documents are embedded together until they have this many chunks, so that small files fill whole batches."""


class Syncer:
    """One sync of one store. ``old`` is the store that a rebuild replaces: the report compares with it, and vectors of
    the same embedder are taken from it."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        *,
        directory: Path,
        embedder: Embedder,
        analyser: Analyser,
        recipe: Recipe,
        old: Store | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.store = store
        self.settings = settings
        self.embedder = embedder
        self.analyser = analyser
        self.recipe = recipe
        self.old = old
        self.progress = progress
        self.report = SyncReport()
        self.finder = MemberFinder(settings, directory, self.report)
        self.paths: set[Path] = set()
        self.before: dict[str, Stored] = {}
        """What the collection held before, by id; what a missing root holds is not in it."""
        self.gone = Gone(())
        self.kept: set[str] = set()
        self._loaders: dict[str, tuple[Component, Loader, str]] = {}
        self._chunkers: dict[int, Chunker] = {}

    def run(self, roots: Sequence[Root], excluded: Iterable[Path], writer: Writer) -> SyncReport:
        """``excluded`` are files that a person took out of the collection."""
        stored = self.store.stored()
        members = self._members(roots, excluded, stored)
        writer.write_setting("embedder", self.embedder.fingerprint)
        writer.write_setting(SETTING, self.recipe)
        planned: deque[Plan] = deque()

        def jobs() -> Iterator[Job]:
            for plan in self.plans(members, stored):
                planned.append(plan)
                yield plan.job

        pending: list[Work] = []
        chunks = 0
        with closing(results(jobs())) as outcomes:  # so that nothing goes on loading when writing fails
            for result in outcomes:
                work = self.work(planned.popleft(), result)
                if work:
                    pending.append(work)
                    chunks += len(work.chunks)
                if chunks >= EMBED_TOGETHER or len(pending) >= EMBED_TOGETHER:
                    self.write(pending, writer)
                    pending, chunks = [], 0
        self.write(pending, writer)
        for name in sorted(stored.keys() - self.kept):
            writer.remove(name)
        self._finish(members)
        self.report.warnings.extend(getattr(self.embedder, "notices", list)())  # what a model server has cost
        return self.report

    def preview(self, roots: Sequence[Root], excluded: Iterable[Path]) -> SyncReport:
        """The report that ``run`` would give, as far as it is known without loading a file: what a loader will refuse
        is among the added or changed. Nothing is written and nothing embedded."""
        stored = self.store.stored()
        members = self._members(roots, excluded, stored)
        for plan in self.plans(members, stored):
            name = plan.member.document_id
            self._tell(name, "" if name in self.before else self.gone.take(plan.sha256))
        self._finish(members)
        self.report.dry_run = True
        return self.report

    def _members(self, roots: Sequence[Root], excluded: Iterable[Path], stored: dict[str, Stored]) -> dict[str, Member]:
        self.before = stored if self.old is None else self.old.stored()
        members = self.finder.find(roots, frozenset(excluded), self.before)
        self.gone = Gone([state for name, state in self.before.items() if name not in members])
        self.paths = {member.path for member in members.values()}
        return members

    def _finish(self, members: dict[str, Member]) -> None:
        self.report.removed.extend(self.gone.ids())
        if self.progress:
            self.progress("", len(members), len(members))

    def plans(self, members: dict[str, Member], stored: dict[str, Stored]) -> Iterator[Plan]:
        """What has to be loaded: files that are new or whose bytes or settings have changed."""
        for done, member in enumerate(members.values()):
            if self.progress:
                self.progress(member.document_id, done, len(members))
            state = stored.get(member.document_id)
            try:
                component, loader, made = self._loader(member.path)
                data = read_bytes(member.path, max_bytes=getattr(loader, "max_bytes", None))
                override = {**side_metadata(member.path), **member.rules}
            except LoadError as error:
                self.fail(member, error)
                continue
            sha256 = hashlib.sha256(data).hexdigest()
            made_by = self._made_by(member, made, override)
            if state and (state.sha256, state.made_by, state.root) == (sha256, made_by, member.root):
                self.kept.add(member.document_id)
                self._tell_unchanged(member.document_id, sha256)
                continue
            job = Job(member.path, member.document_id, data, component, member.chunk, override)
            yield Plan(member, job, sha256, made_by)

    def _loader(self, path: Path) -> tuple[Component, Loader, str]:
        """The loader of that kind of file, made once, and the fingerprint of its settings."""
        suffix = path.suffix.lower()
        if suffix not in self._loaders:
            component = loader_for(path, self.settings.load)
            loader = component.create()
            made = fingerprint(component.name, options_of(loader), algorithm_of(loader))
            self._loaders[suffix] = (component, loader, made)
        return self._loaders[suffix]

    def _made_by(self, member: Member, loader: str, override: Metadata) -> str:
        """What is not in the recipe of the whole collection: that is the same for all documents of a store."""
        chunk = [member.chunk.name, dict(member.chunk.options)]
        return fingerprint(loader, chunk, metadata_to_json(override))

    def work(self, plan: Plan, result: Loaded | Refused) -> Work | None:
        """What has to be written for this file; ``None`` when it failed."""
        try:
            if isinstance(result, Refused):
                raise result.error()
            # Here and not where it was cut, because this process has the embedder.
            chunks, split = fitted_chunks(
                result.document,
                result.chunks,
                self._chunker(plan.member.chunk),
                self.embedder,
                metadata=self.settings.embed_metadata,
            )
        except LoadError as error:
            self.fail(plan.member, error)
            return None
        self.report.warnings.extend(result.document.located_warnings())
        if split:
            self.report.warnings.append(split)
        old_id = "" if plan.member.document_id in self.before else self.gone.take(plan.sha256)
        return Work(plan.member, result.document, tuple(chunks), plan.sha256, plan.made_by, old_id)

    def _chunker(self, component: Component) -> Chunker:
        """Components are those of the settings, which outlive the syncer."""
        if id(component) not in self._chunkers:
            self._chunkers[id(component)] = component.create()
        return self._chunkers[id(component)]

    def fail(self, member: Member, error: LoadError) -> None:
        """An older version of a file that cannot be loaded now is taken out: it may say what is no longer true, or
        be open to people who may no longer see it."""
        state = self.before.get(member.document_id)
        if state:
            self.gone.add(state)
        message = f"{error.problem}. {error.cure}"
        self.report.failed.append(Notice(kind=error.kind, message=message, file=member.document_id))

    def write(self, pending: Sequence[Work], writer: Writer) -> None:
        """Where a model server fails, the documents whose vectors are all there are written before the error goes on:
        they have been paid for."""
        texts = {work.member.document_id: work.texts(self.settings.embed_metadata) for work in pending}
        failure: RemoteError | None = None
        try:
            vectors = self.vectors(text for several in texts.values() for text in several)
        except RemoteError as error:
            failure, vectors = error, error.finished
        for work in pending:
            own = texts[work.member.document_id]
            if failure and not all(text in vectors for text in own):
                continue
            matrix = numpy.zeros((len(own), self.embedder.dimension), dtype=numpy.float32)
            for row, text in enumerate(own):
                matrix[row] = vectors[text]
            entry = entry_of(
                work.document,
                work.chunks,
                own,
                matrix,
                analyser=self.analyser,
                sha256=work.sha256,
                root=work.member.root,
                made_by=work.made_by,
            )
            self.commit(entry, work.old_id, writer)
        if failure:
            raise failure

    def commit(self, entry: Entry, old_id: str, writer: Writer) -> None:
        if old_id and self.old is None:
            writer.rename(entry, old_id=old_id)
        else:
            writer.put(entry)
        self.kept.update((entry.document.id, *([old_id] if old_id else ())))
        self._tell(entry.document.id, old_id)

    def _tell(self, name: str, old_id: str) -> None:
        if old_id:
            self.report.moved.append((old_id, name))
        else:
            (self.report.changed if name in self.before else self.report.added).append(name)

    def _tell_unchanged(self, name: str, sha256: str) -> None:
        """In a rebuild that goes on this was made by the run that was interrupted."""
        if self.old is None:
            self.report.unchanged.append(name)
        else:
            self._tell(name, "" if name in self.before else self.gone.take(sha256))

    def vectors(self, texts: Iterable[str]) -> dict[str, Any]:
        """The vector of every text; only what no store has yet is embedded."""
        wanted = list(dict.fromkeys(texts))
        known = dict(self.store.vectors(wanted))
        if self.old is not None and self.old.setting("embedder") == self.embedder.fingerprint:
            known.update(self.old.vectors([text for text in wanted if text not in known]))
        new = [text for text in wanted if text not in known]
        if new:
            try:
                known.update(zip(new, self.embedder.embed(new), strict=True))
            except RemoteError as error:
                error.finished = {**known, **error.finished}
                raise
            self.report.embedded += len(new)
        return known
