"""Which documents belong to a collection, what is stored of them, and what has to be done."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.config import FILE_NAME, Component, Settings
from pincite.engine.entries import embedded_texts
from pincite.engine.files import File, files_of, is_excluded
from pincite.engine.jobs import Job
from pincite.engine.report import SyncReport
from pincite.engine.roots import Root, id_prefixes, is_folder, shown_path
from pincite.model import Chunk, Document, Metadata, MetadataValue, Notice
from pincite.ports import Stored


@dataclass(frozen=True, slots=True)
class Member:
    """A file that belongs to the collection; ``rules`` is the metadata that rules give it, ``chunk`` how it is cut."""

    path: Path
    document_id: str
    root: str
    rules: Metadata
    chunk: Component


@dataclass(frozen=True, slots=True)
class Plan:
    """A file that has to be loaded."""

    member: Member
    job: Job
    sha256: str
    made_by: str


@dataclass(frozen=True, slots=True)
class Work:
    """A document that has to be written: new, changed, or moved from ``old_id``."""

    member: Member
    document: Document
    chunks: tuple[Chunk, ...]
    sha256: str
    made_by: str
    old_id: str = ""

    def texts(self, names: Sequence[str]) -> list[str]:
        return embedded_texts(self.document, self.chunks, names)


class Gone:
    """Stored documents whose files are no longer there, found again by content when a file has moved."""

    def __init__(self, states: Collection[Stored]) -> None:
        self._ids_of: dict[str, list[str]] = {}
        for state in states:
            self.add(state)

    def add(self, state: Stored) -> None:
        self._ids_of.setdefault(state.sha256, []).append(state.document_id)

    def __contains__(self, sha256: str) -> bool:
        return bool(self._ids_of.get(sha256))

    def __bool__(self) -> bool:
        return any(self._ids_of.values())

    def take(self, sha256: str) -> str:
        """The first document of that content, which is then no longer gone; empty when there is none."""
        ids = self._ids_of.get(sha256)
        return ids.pop(0) if ids else ""

    def ids(self, but_not: Collection[str] = ()) -> list[str]:
        """Without those of the contents in ``but_not``."""
        return sorted(name for sha256, ids in self._ids_of.items() if sha256 not in but_not for name in ids)


class MemberFinder:
    """Finds the members of one collection; what it meets goes into the report."""

    def __init__(self, settings: Settings, directory: Path, report: SyncReport) -> None:
        self.settings = settings
        self.directory = directory
        self.report = report
        self.used: set[str] = set()
        """The globs of the rules that matched a document."""
        self.lost: set[str] = set()
        """The roots that are not there, by the names that the index has for them."""

    def find(self, roots: Sequence[Root], excluded: frozenset[Path], stored: dict[str, Stored]) -> dict[str, Member]:
        """The files of all roots by document id. A root that is not there keeps what is stored of it: that is taken
        out of ``stored``."""
        prefixes = id_prefixes(roots)
        self.look_again(roots)
        found: dict[str, Member] = {}
        for root in roots:
            shown = shown_path(root.folder, self.directory)
            if shown in self.lost:
                for name in [name for name, state in stored.items() if state.root == shown]:
                    del stored[name]
                continue
            files = files_of(root)
            for notice in files.notices:
                (self.report.failed if notice.kind == "unreadable" else self.report.warnings).append(notice)
            self.report.ignored += files.ignored
            for file in files.files:
                document_id = prefixes[root.folder] + file.document_id
                names = (document_id, file.document_id, shown_path(file.path, self.directory))
                if file.path in excluded:
                    continue
                if (
                    root.named is None
                    and file.document_id not in root.also
                    and is_excluded(self.settings.exclude, names, file.document_id)
                ):
                    self.report.ignored += 1
                    continue
                rules, chunk = self._metadata(file, names), self._chunk(names)
                found[document_id] = Member(file.path, document_id, shown, rules, chunk)
        self.report.warnings.extend(self._unused_rules())
        return dict(sorted(found.items()))

    def look_again(self, roots: Sequence[Root]) -> None:
        """Which roots are not there, or have gone meanwhile."""
        for root in roots:
            shown = shown_path(root.folder, self.directory)
            if shown not in self.lost and not is_folder(root.folder):
                self.lost.add(shown)
                self.report.failed.append(kept_root(root.folder))

    def _chunk(self, names: Sequence[str]) -> Component:
        for rule in self.settings.chunk_rules:
            if rule.matches(names):
                self.used.add(f"chunk {rule.glob}")
        return self.settings.chunk_of(names)

    def _metadata(self, file: File, names: Sequence[str]) -> dict[str, MetadataValue]:
        """What rules give a document. The collection's own may call it by its id, by its path in its root or by its
        path from the collection's directory; those beside the documents by the path from there, and have the last
        word."""
        result: dict[str, MetadataValue] = {}
        for rule in self.settings.rules:
            if rule.matches(names):
                self.used.add(rule.glob)
                result.update(rule.metadata)
        for scope in file.scopes:
            if scope.folder != self.directory:
                for rule in scope.settings.rules:
                    if rule.matches((scope.name_of(file.path),)):
                        result.update(rule.metadata)
        return result

    def _unused_rules(self) -> Iterator[Notice]:
        """A rule that matches nothing may be a slip that leaves documents open to everybody."""
        for rule in self.settings.rules:
            if rule.glob not in self.used:
                message = f"the [[metadata]] rule for {rule.glob!r} matches no document"
                yield Notice(kind="unused_rule", message=message, file=FILE_NAME)
        for chunk_rule in self.settings.chunk_rules:
            if f"chunk {chunk_rule.glob}" not in self.used:
                message = f"the [[chunk.for]] rule for {chunk_rule.glob!r} matches no document"
                yield Notice(kind="unused_rule", message=message, file=FILE_NAME)


def kept_root(folder: Path) -> Notice:
    message = "the folder is not there; its documents stay as they were. Bring it back, or `pincite remove` it"
    return Notice(kind="missing", message=message, file=str(folder))
