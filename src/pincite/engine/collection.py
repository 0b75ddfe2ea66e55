"""A collection: a folder's documents with one chunker, one embedder and the index over them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from pincite import catalogue
from pincite.config import FILE_NAME, Component, Settings, read_settings
from pincite.engine.documents import problem_with
from pincite.engine.report import Progress, SyncReport
from pincite.engine.roots import Root, id_prefixes, settled, shown_path, with_path
from pincite.errors import CollectionError, NothingFoundError, UsageError
from pincite.model import Answer, Chunk, Condition, Document, Mode, Notice, Principal, Ranking
from pincite.ports import Analyser, Answerer, Embedder, Snapshot, Store, Stored, Writer

if TYPE_CHECKING:
    from pincite.engine.sync import Syncer

FOLDER = ".pincite"
PASSAGES_TO_ASK = 10
"""How many hits the answerer reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What a collection holds and how it is made."""

    directory: Path
    roots: tuple[Path, ...]
    excluded: tuple[str, ...]
    documents: tuple[Stored, ...]
    strategy: str
    embedder: str

    def to_json(self) -> dict[str, Any]:
        return {
            "collection": str(self.directory),
            "roots": [str(root) for root in self.roots],
            "excluded": list(self.excluded),
            "documents": len(self.documents),
            "chunks": sum(document.chunks for document in self.documents),
            "strategy": self.strategy,
            "embedder": self.embedder,
        }


class Collection:
    """The index of one directory, in its ``.pincite`` folder. Use it as a context manager, or close it.

    ``settings`` are those of the directory's ``pincite.toml`` unless given. Every method that shows documents demands
    the principal who asks: there is no way to see a document by forgetting to say who is looking.
    """

    def __init__(
        self,
        directory: Path | str,
        *,
        create: bool = False,
        settings: Settings | None = None,
        store: Store | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        """Opens the collection; ``create`` makes one where there is none. Raises ``CollectionError``."""
        self.directory = Path(directory).resolve()
        if self.directory.is_file():
            raise UsageError("is a file", cure="Name the collection's folder.", file=str(directory))
        self.settings = settings or read_settings(self.directory / FILE_NAME)
        self._given_embedder = embedder
        if store is None:
            options = {"path": self.directory / FOLDER, "create": create}
            store = catalogue.create("store", catalogue.DEFAULTS["store"], options)
        self.store: Store = store

    @staticmethod
    def directory_for(start: Path) -> Path:
        """The nearest folder upwards that holds a collection, else ``start`` itself."""
        start = start.resolve()
        return next((folder for folder in (start, *start.parents) if os.path.isdir(folder / FOLDER)), start)  # noqa: PTH112 - it says no, where Path.is_dir raises, for a folder that may not be looked into

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.store.close()

    @cached_property
    def embedder(self) -> Embedder:
        embedder: Embedder = self._given_embedder or self.settings.embed.create()
        return embedder

    @cached_property
    def analyser(self) -> Analyser:
        from pincite.text.terms import Analyser as Terms

        return Terms()

    def add(self, paths: Iterable[Path | str] | Path | str, *, progress: Progress | None = None) -> SyncReport:
        """Makes files and folders part of the collection and syncs. A path that does not exist is reported as failed;
        a file that was removed before and is named now belongs to the collection again."""
        self._check_embedder()
        failed: list[Notice] = []
        named: list[Path] = []
        with self.store.writer() as writer:
            roots, excluded = self.roots(), self.excluded()
            for path in [Path(paths)] if isinstance(paths, (str, Path)) else [Path(path) for path in paths]:
                problem = problem_with(path)
                if problem:
                    failed.append(problem)
                else:
                    roots = with_path(roots, path)
                    named.append(settled(path))
            writer.write_setting("roots", [root.to_json(self.directory) for root in roots])
            self._write_excluded(writer, excluded - set(named))
            syncer = self._syncer(progress)
            report = syncer.run(roots, excluded - set(named), writer)
        failed.extend(left_out(path) for path in named if path.is_file() and path not in syncer.paths)
        report.failed[:0] = failed
        return report

    def sync(self, *, progress: Progress | None = None) -> SyncReport:
        """Makes the index equal to the folders; only what changed is cut and embedded again."""
        self._check_embedder()
        with self.store.writer() as writer:
            return self._syncer(progress).run(self.roots(), self.excluded(), writer)

    def remove(self, names: Iterable[str] | str) -> list[str]:
        """Takes documents, by id, or whole roots, by folder, out of the collection; returns the ids of the documents.

        Later syncs leave them out, until they are added again. Raises ``NothingFoundError`` for an unknown name, before
        anything is removed.
        """
        names = [names] if isinstance(names, str) else list(names)
        with self.store.writer() as writer:
            stored, roots, excluded = self.store.stored(), self.roots(), self.excluded()
            removed: dict[str, None] = {}
            for name in names:
                root = next((root for root in roots if self._is_called(root, name)), None)
                if name in stored:
                    removed[name] = None
                    excluded.add(self._path_of(stored[name]))
                elif root:
                    roots.remove(root)
                    shown = shown_path(root.folder, self.directory)
                    removed.update(dict.fromkeys(other for other, state in stored.items() if state.root == shown))
                else:
                    raise unknown_document(name)
            writer.write_setting("roots", [root.to_json(self.directory) for root in roots])
            self._write_excluded(writer, excluded)
            for name in removed:
                writer.remove(name)
        return list(removed)

    def status(self) -> Status:
        return Status(
            directory=self.directory,
            roots=tuple(root.folder for root in self.roots()),
            excluded=tuple(sorted(shown_path(path, self.directory) for path in self.excluded())),
            documents=tuple(self.store.stored().values()),
            strategy=self.settings.chunk.name,
            embedder=self.store.setting("embedder") or self.settings.embed.name,
        )

    def search(
        self,
        query: str,
        *,
        principal: Principal,
        k: int | None = None,
        mode: Mode | None = None,
        where: str | None = None,
    ) -> Ranking:
        """The best chunks that the principal may see. ``k`` and ``mode`` are those of the settings unless given;
        ``where`` is a condition on metadata, in the language of ``retrieve/where.py``."""
        with self.store.snapshot() as snapshot:
            return self._ranking(query, snapshot, principal, self.settings.k if k is None else k, mode, where)

    def ask(
        self, question: str, *, principal: Principal, answerer: str | None = None, where: str | None = None
    ) -> Answer:
        """An answer from what the principal may see, every statement with its citations. ``answerer`` is the name of
        another answerer than that of the settings; ``where`` is as in ``search``."""
        component = Component("answer", answerer) if answerer else self.settings.answer
        self._check_embedder()
        chosen: Answerer = component.create({"embedder": self.embedder, "analyser": self.analyser})
        with self.store.snapshot() as snapshot:
            ranking = self._ranking(question, snapshot, principal, PASSAGES_TO_ASK, where=where)
            answer = chosen.answer(question, ranking, snapshot, principal=principal)
        return replace(answer, warnings=tuple(dict.fromkeys((*ranking.warnings, *answer.warnings))))

    def document(self, document_id: str, *, principal: Principal) -> Document:
        """Raises ``NothingFoundError`` where there is no such document that the principal may see."""
        with self.store.snapshot() as snapshot:
            return self._document(document_id, snapshot, principal)

    def chunks(self, document_id: str, *, principal: Principal) -> list[Chunk]:
        """The document's chunks as they are indexed. Raises ``NothingFoundError`` like ``document``."""
        with self.store.snapshot() as snapshot:
            self._document(document_id, snapshot, principal)
            return snapshot.chunks(document_id, principal=principal)

    def problems(self) -> list[str]:
        """What is damaged in the index; empty when all is well."""
        return self.store.problems()

    def roots(self) -> list[Root]:
        try:
            return [Root.from_json(data, self.directory) for data in self.store.setting("roots") or ()]
        except (TypeError, KeyError, AttributeError) as error:
            raise CollectionError(
                f"the index is damaged (its roots cannot be read: {error})",
                cure=f"Delete {self.directory / FOLDER} and add the documents again.",
                file=str(self.directory / FOLDER),
            ) from error

    def excluded(self) -> set[Path]:
        """The files that were removed by hand."""
        return {self.directory / name for name in self.store.setting("excluded") or ()}

    def _ranking(
        self,
        query: str,
        snapshot: Snapshot,
        principal: Principal,
        k: int,
        mode: Mode | None = None,
        where: str | None = None,
    ) -> Ranking:
        from pincite.retrieve.search import search

        if not isinstance(principal, Principal):
            raise UsageError(f"the principal is {principal!r}", cure="Say who asks: principal=Principal({'public'}).")
        mode = mode or self.settings.mode
        if mode != "lexical":
            self._check_embedder()
        return search(
            query,
            snapshot=snapshot,
            embedder=None if mode == "lexical" else self.embedder,
            analyser=self.analyser,
            fusion=self.settings.fusion.create(),
            principal=principal,
            k=k,
            mode=mode,
            where=None if where is None else self._condition(where, snapshot, principal),
        )

    def _condition(self, where: str, snapshot: Snapshot, principal: Principal) -> Condition:
        from pincite.retrieve.where import parse, settle

        return settle(parse(where), snapshot.fields(principal=principal))

    def _document(self, document_id: str, snapshot: Snapshot, principal: Principal) -> Document:
        if not isinstance(principal, Principal):
            raise UsageError(f"the principal is {principal!r}", cure="Say who asks: principal=Principal({'public'}).")
        document = snapshot.document(document_id, principal=principal)
        if document is None:
            raise unknown_document(document_id)
        return document

    def _syncer(self, progress: Progress | None) -> Syncer:
        from pincite.engine.sync import Syncer

        return Syncer(
            self.store,
            self.settings,
            directory=self.directory,
            embedder=self.embedder,
            analyser=self.analyser,
            progress=progress,
        )

    def _check_embedder(self) -> None:
        made_with = self.store.setting("embedder")
        if made_with is not None and made_with != self.embedder.fingerprint:
            raise CollectionError(
                f"the index was made with the embedder {made_with}, not with {self.embedder.fingerprint}",
                cure=f"Set that embedder in {FILE_NAME}, or delete the folder and add the documents again.",
                kind="mismatch",
                file=str(self.directory / FOLDER),
            )

    def _is_called(self, root: Root, name: str) -> bool:
        """Whether the root is meant: by the name that ``status`` shows, or by a path."""
        return name.rstrip("/\\") == shown_path(root.folder, self.directory) or Path(name).resolve() == root.folder

    def _path_of(self, stored: Stored) -> Path:
        """The file of a stored document, through the roots as they are now."""
        roots = self.roots()
        for root, prefix in id_prefixes(roots).items():
            if shown_path(root, self.directory) == stored.root:
                return root / stored.document_id.removeprefix(prefix)
        return self.directory / stored.root / stored.document_id

    def _write_excluded(self, writer: Writer, excluded: set[Path]) -> None:
        writer.write_setting("excluded", sorted(shown_path(path, self.directory) for path in excluded))


def unknown_document(document_id: str) -> NothingFoundError:
    return NothingFoundError(
        "no document of that id is in the collection", cure="`pincite status` lists the ids.", file=document_id
    )


def left_out(path: Path) -> Notice:
    message = "is hidden, excluded or a link in a folder that belongs to the collection; nothing was added"
    return Notice(kind="left_out", message=message, file=str(path))
