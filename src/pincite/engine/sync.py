"""Makes the index equal to the folders: what is new is loaded, cut and embedded, what is gone is taken out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy

from pincite.config import Component, Settings
from pincite.engine.chunking import fitted_chunks
from pincite.engine.entries import entry_of
from pincite.engine.jobs import Job, Loaded, Refused
from pincite.engine.members import Gone, Member, MemberFinder, Plan, Work
from pincite.engine.pool import results
from pincite.engine.reading import Reader, is_made_alike
from pincite.engine.recipe import SETTING, Recipe
from pincite.engine.report import Progress, SyncReport
from pincite.engine.roots import PREFIXES, Root, id_prefixes, shown_path
from pincite.errors import LoadError, RemoteError
from pincite.model import Metadata, Notice
from pincite.ports import Analyser, Chunker, Embedder, Entry, Store, Stored, Writer
from pincite.store.entry import groups_of

EMBED_TOGETHER = 256
"""Documents are embedded together until they have this many chunks, so that small files fill whole batches."""
LAST = 2
"""The turn of files that are new to the collection."""


class Syncer:
    """One sync of one store. ``old`` is the store that a rebuild replaces: the report compares with it, and vectors of
    the same embedder are taken from it. With ``rights_only`` plans are of stored documents only, and of those whose
    rights may be others now."""

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
        rights_only: bool = False,
        progress: Progress | None = None,
    ) -> None:
        self.store = store
        self.settings = settings
        self.embedder = embedder
        self.analyser = analyser
        self.recipe = recipe
        self.old = old
        self.rights_only = rights_only
        self.progress = progress
        self.report = SyncReport()
        self.finder = MemberFinder(settings, directory, self.report)
        self.reader = Reader(settings)
        self.paths: set[Path] = set()
        self.before: dict[str, Stored] = {}
        """What the collection held before, by id; what a missing root holds is not in it."""
        self.gone = Gone(())
        self.moving: set[str] = set()
        """Ids of new files that have the content of a document which is gone."""
        self.kept: set[str] = set()
        self.failure: RemoteError | None = None
        """Why nothing more is embedded."""
        self._chunkers: dict[int, Chunker] = {}

    def run(self, roots: Sequence[Root], excluded: Iterable[Path], writer: Writer) -> SyncReport:
        """``excluded`` are files that a person took out of the collection.

        Where a model server fails, everything is done that needs no embedding before ``RemoteError`` is raised: what is
        deleted, or open to fewer people, must not wait for the server.
        """
        stored = self.store.stored()
        members = self.members_of(roots, excluded, stored)
        writer.write_setting("embedder", self.embedder.fingerprint)
        writer.write_setting(SETTING, self.recipe)
        prefixes = id_prefixes(roots).items()
        writer.write_setting(PREFIXES, {shown_path(root, self.finder.directory): prefix for root, prefix in prefixes})
        if self.old is None:  # nobody searches the store beside it
            self.take_out(self.gone.ids(but_not=self.find_moving(members)), roots, writer)
        pending: list[Work] = []
        chunks = 0
        for plan, result in self.loaded(self.plans(members, stored)):
            work = self.work(plan, result)
            if work:
                pending.append(work)
                chunks += len(work.chunks)
            if chunks >= EMBED_TOGETHER or len(pending) >= EMBED_TOGETHER:
                self.write(pending, writer)
                pending, chunks = [], 0
        self.write(pending, writer)
        self.take_out(sorted(stored.keys() - self.kept), roots, writer)
        if self.failure:
            raise self.failure
        self._finish(members)
        self.report.warnings.extend(getattr(self.embedder, "notices", list)())  # what a model server has cost
        return self.report

    def preview(self, roots: Sequence[Root], excluded: Iterable[Path]) -> SyncReport:
        """The report that ``run`` would give, as far as it is known without loading a file: what a loader will refuse
        is among the added or changed. Nothing is written and nothing embedded."""
        stored = self.store.stored()
        members = self.members_of(roots, excluded, stored)
        for plan in self.plans(members, stored):
            name = plan.member.document_id
            self._tell(name, "" if name in self.before else self.gone.take(plan.sha256))
        self._finish(members)
        self.report.dry_run = True
        return self.report

    def members_of(
        self, roots: Sequence[Root], excluded: Iterable[Path], stored: dict[str, Stored]
    ) -> dict[str, Member]:
        self.before = stored if self.old is None else self.before or self.old.stored()
        members = self.finder.find(roots, frozenset(excluded), self.before)
        self.gone = Gone([state for name, state in self.before.items() if name not in members])
        self.paths = {member.path for member in members.values()}
        return members

    def find_moving(self, members: dict[str, Member]) -> set[str]:
        """The contents of what seems to have moved. Only where documents are gone their new files are read before."""
        contents = set()
        for member in members.values() if self.gone else ():
            if member.document_id not in self.before:
                with suppress(LoadError):  # it is told when its turn comes
                    sha256 = self.reader.sha256(member)
                    if sha256 in self.gone:
                        self.moving.add(member.document_id)
                        contents.add(sha256)
        return contents

    def take_out(self, names: Sequence[str], roots: Sequence[Root], writer: Writer) -> list[str]:
        """Removes these documents but those of a root that has gone since the walk; returns their ids."""
        self.finder.look_again(roots)
        taken_out = [name for name in names if name not in self.before or not self._is_lost(name)]
        for name in taken_out:
            writer.remove(name)
        return taken_out

    def loaded(self, plans: Iterator[Plan]) -> Iterator[tuple[Plan, Loaded | Refused]]:
        planned: deque[Plan] = deque()

        def jobs() -> Iterator[Job]:
            for plan in plans:
                planned.append(plan)
                yield plan.job

        with closing(results(jobs())) as outcomes:  # so that nothing goes on loading when writing fails
            for result in outcomes:
                yield planned.popleft(), result

    def _is_lost(self, name: str) -> bool:
        return self.before[name].root in self.finder.lost

    def _finish(self, members: dict[str, Member]) -> None:
        self.report.removed.extend(name for name in self.gone.ids() if not self._is_lost(name))
        if self.progress:
            self.progress("", len(members), len(members))

    def plans(self, members: dict[str, Member], stored: dict[str, Stored]) -> Iterator[Plan]:
        """What has to be loaded: files that are new or whose bytes or settings have changed. What is stored comes
        first, since its rights may be others now, then what has moved."""
        for done, member in enumerate(sorted(members.values(), key=self._turn)):
            if self.progress:
                self.progress(member.document_id, done, len(members))
            if (self.failure or self.rights_only) and self._turn(member) == LAST:
                continue
            state = stored.get(member.document_id)
            try:
                plan = self.reader.plan(member)
            except LoadError as error:
                self.fail(member, error)
                continue
            if state and is_made_alike(state, plan, rights_only=self.rights_only):
                self.kept.add(member.document_id)
                self._tell_unchanged(member.document_id, plan.sha256)
                continue
            yield plan

    def _turn(self, member: Member) -> int:
        if member.document_id in self.before:
            return 0
        return 1 if member.document_id in self.moving else LAST

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
        """Where a model server fails, the documents whose vectors are all there are written: they have been paid
        for."""
        texts = {work.member.document_id: work.texts(self.settings.embed_metadata) for work in pending}
        try:
            vectors = self.vectors(text for several in texts.values() for text in several)
        except RemoteError as error:
            self.failure, vectors = error, error.finished
        for work in pending:
            own = texts[work.member.document_id]
            if self.failure and not all(text in vectors for text in own):
                self._put_off(work)
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
        if self.failure and self.old is not None:
            raise self.failure

    def _put_off(self, work: Work) -> None:
        """Until it can be embedded the old version stays, unless somebody may see that who may not see the new one."""
        state = self.before.get(work.old_id or work.member.document_id)
        if state and not fewer_may_see(state.metadata, work.document.metadata):
            self.kept.add(state.document_id)

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
        if new and not self.failure:
            try:
                known.update(zip(new, self.embedder.embed(new), strict=True))
            except RemoteError as error:
                error.finished = {**known, **error.finished}
                raise
            self.report.embedded += len(new)
        return known


def fewer_may_see(before: Metadata, now: Metadata) -> bool:
    """Whether somebody may see the document as it was who may not see it as it is.

    >>> fewer_may_see({}, {"groups": ("crew",)}), fewer_may_see({"groups": ("crew",)}, {"groups": ("crew", "cook")})
    (True, False)
    """
    return not set(groups_of(before)) <= set(groups_of(now))
