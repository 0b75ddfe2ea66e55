"""A collection: a folder's documents with one chunker, one embedder and the index over them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from pincite import catalogue
from pincite.config import FILE_NAME, Component, Settings, read_settings
from pincite.engine.documents import COLLECTION_FOLDER
from pincite.engine.finding import Finder, Options
from pincite.engine.recipe import SETTING, name_and_options
from pincite.engine.report import Progress, SyncReport
from pincite.engine.roots import Root, shown_path, unknown_document
from pincite.errors import CollectionError, UsageError
from pincite.model import Answer, Chunk, Document, Mode, Principal, Ranking
from pincite.ports import Analyser, Answerer, Embedder, Listener, Snapshot, Store, Stored

if TYPE_CHECKING:
    from pincite.answer.claims import CheckedClaim, Claim
    from pincite.engine.upkeep import Upkeep
    from pincite.retrieve.reasons import Reason
    from pincite.retrieve.request import Expansion

FOLDER = COLLECTION_FOLDER


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What a collection holds and how it is made."""

    directory: Path
    roots: tuple[Path, ...]
    excluded: tuple[str, ...]
    documents: tuple[Stored, ...]
    strategy: str
    embedder: str
    redo: tuple[str, ...] = ()
    """Why `sync --rebuild` is needed, in words; empty where it is not."""

    def to_json(self) -> dict[str, Any]:
        return {
            "collection": str(self.directory),
            "roots": [str(root) for root in self.roots],
            "excluded": list(self.excluded),
            "documents": len(self.documents),
            "chunks": sum(document.chunks for document in self.documents),
            "strategy": self.strategy,
            "embedder": self.embedder,
            "redo": list(self.redo),
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
        self._former_embedder: tuple[Any, Embedder] | None = None
        if store is None:
            options = {"path": self.directory / FOLDER, "create": create}
            store = catalogue.create("store", catalogue.DEFAULTS["store"], options)
        self.store: Store = store

    @classmethod
    def in_memory(
        cls, directory: Path | str, *, settings: Settings | None = None, embedder: Embedder | None = None
    ) -> Self:
        """A new collection that writes no file, for trying things out: gone when the process ends."""
        return cls(directory, settings=settings, store=catalogue.create("store", "memory"), embedder=embedder)

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

    def add(
        self, paths: Iterable[Path | str] | Path | str, *, dry_run: bool = False, progress: Progress | None = None
    ) -> SyncReport:
        """Makes files and folders part of the collection and syncs. A path that does not exist is reported as failed;
        a file that was removed before, is hidden or ignored and is named now belongs to the collection.

        With ``dry_run`` nothing is written or embedded: the report says what would be done, as far as that is known
        without loading a file. Raises ``CollectionError`` of the kind ``mismatch`` where documents are made in another
        way now than the stored ones were.
        """
        paths = [paths] if isinstance(paths, (str, Path)) else paths
        return self._upkeep().add([Path(path) for path in paths], progress, dry_run=dry_run)

    def sync(self, *, dry_run: bool = False, rebuild: bool = False, progress: Progress | None = None) -> SyncReport:
        """Makes the index equal to the folders; only what changed is cut and embedded again. ``dry_run`` and errors
        are as in ``add``.

        ``rebuild`` makes every document anew beside the old index, which is searched until the new one is complete;
        vectors of the same embedder are kept, and a rebuild that was interrupted goes on.
        """
        if rebuild and dry_run:
            raise UsageError("a rebuild has no dry run", cure="`pincite status` says why one is needed.")
        return self._upkeep().rebuild(progress) if rebuild else self._upkeep().sync(progress, dry_run=dry_run)

    def remove(self, names: Iterable[str] | str) -> list[str]:
        """Takes documents, by id, or whole roots, by folder, out of the collection; returns the ids of the documents.

        Later syncs leave them out, until they are added again. Raises ``NothingFoundError`` for an unknown name, before
        anything is removed.
        """
        from pincite.engine.upkeep import remove

        return remove(self.store, self.directory, self.directory / FOLDER, [names] if isinstance(names, str) else names)

    def status(self, *, principal: Principal | None = None) -> Status:
        """``principal`` restricts the documents to those that they may see; ``None`` is whoever runs the
        collection."""
        from pincite.engine.upkeep import status_changes
        from pincite.store.entry import groups_of

        made_with = self.store.setting(SETTING) or {}
        documents = self.store.stored().values()
        return Status(
            directory=self.directory,
            roots=tuple(root.folder for root in self.roots()),
            # Whose file was removed is no longer known, so its name is for whoever runs the collection.
            excluded=() if principal else tuple(sorted(shown_path(path, self.directory) for path in self.excluded())),
            documents=tuple(
                state for state in documents if principal is None or principal.may_see(groups_of(state.metadata))
            ),
            strategy=made_with.get("chunk", {}).get("name") or self.settings.chunk.name,
            embedder=self.store.setting("embedder") or self.settings.embed.name,
            redo=tuple(status_changes(self.store, self.settings, self.analyser)),
        )

    def search(
        self,
        query: str,
        *,
        principal: Principal,
        k: int | None = None,
        mode: Mode | None = None,
        where: str | None = None,
        without: Sequence[str] = (),
        fold: bool | None = None,
        budget_tokens: int | None = None,
        expand: Expansion | None = None,
        min_relevance: float | None = None,
        rerank: str | None = None,
        explain: bool = False,
    ) -> Ranking:
        """The best chunks that the principal may see. What is not given is as the settings say.

        ``where`` is a condition on metadata, in the language of ``retrieve/where.py``; ``without`` lists words that no
        hit may have; ``rerank`` names a reranker, or is ``none``. The others are those of ``retrieve.request.Request``.
        """
        options = Options(
            k=k,
            mode=mode,
            where=where,
            without=without,
            fold=fold,
            budget_tokens=budget_tokens,
            expand=expand,
            min_relevance=min_relevance,
            rerank=rerank,
            explain=explain,
        )
        return self.find(query, options, principal=principal)

    def find(self, query: str, options: Options, *, principal: Principal) -> Ranking:
        """``search`` with its options as one value."""
        with self.store.snapshot() as snapshot:
            return self._finder(snapshot.setting).search(query, options, snapshot=snapshot, principal=principal)

    def ask(
        self,
        question: str,
        *,
        principal: Principal,
        answerer: str | Answerer | None = None,
        answerer_options: Mapping[str, Any] | None = None,
        where: str | None = None,
        without: Sequence[str] = (),
        explain: bool = False,
        listener: Listener | None = None,
    ) -> Answer:
        """An answer from what the principal may see, every statement with its citations. ``where`` and ``without`` are
        as in ``search``.

        ``answerer`` is another answerer than that of the settings: its name, a language model's (``gpt-4.1-mini``,
        ``anthropic:…``), or one that is ready; ``answerer_options`` are those that differ from the settings. With
        ``explain`` the answer has its trace. ``listener`` hears each statement of a language model as it is written.
        Raises ``RemoteError`` where a model cannot be asked; its ``finished`` has the ``ranking``.
        """
        options = Options(where=where, without=without, explain=explain)
        with self.store.snapshot() as snapshot:
            return self._finder(snapshot.setting).ask(
                question,
                options,
                answerer=answerer,
                answerer_options=answerer_options,
                listener=listener,
                snapshot=snapshot,
                principal=principal,
            )

    def verify(self, claims: Iterable[Claim | Mapping[str, Any]], *, principal: Principal) -> list[CheckedClaim]:
        """The claims, each a statement with its quote (or a mapping with ``statement``, ``quote`` and perhaps
        ``document``), with their verdicts, by what the principal may see. No language model is asked."""
        from pincite.engine.verifying import verify

        return verify(claims, store=self.store, principal=principal)

    def why(
        self,
        document_id: str,
        query: str,
        *,
        principal: Principal,
        line: int | None = None,
        k: int | None = None,
        mode: Mode | None = None,
        where: str | None = None,
        without: Sequence[str] = (),
        min_relevance: float | None = None,
        rerank: str | None = None,
    ) -> Reason:
        """Why a passage of that document is found by the query or not: the one at that line of its text (from 1), or
        its best one. Raises ``NothingFoundError`` where there is none that the principal may see."""
        options = Options(k=k, mode=mode, where=where, without=without, min_relevance=min_relevance, rerank=rerank)
        return self.explain(document_id, line, query, options, principal=principal)

    def explain(
        self, document_id: str, line: int | None, query: str, options: Options, *, principal: Principal
    ) -> Reason:
        """``why`` with its options as one value."""
        with self.store.snapshot() as snapshot:
            finder = self._finder(snapshot.setting)
            return finder.why(document_id, line, query, options, snapshot=snapshot, principal=principal)

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
        from pincite.engine.upkeep import read_roots

        return read_roots(self.store, self.directory, self.directory / FOLDER)

    def excluded(self) -> set[Path]:
        """The files that were removed by hand."""
        from pincite.engine.upkeep import read_excluded

        return read_excluded(self.store, self.directory)

    @cached_property
    def finder(self) -> Finder:
        return self._finder(self.store.setting)

    def _finder(self, setting: Callable[[str], Any]) -> Finder:
        """``setting`` reads those of the version that is searched: a rebuild may put another one in its place between
        the search's first look and its last."""
        return Finder(settings=self.settings, analyser=self.analyser, embedder=partial(self._checked_embedder, setting))

    def _checked_embedder(self, setting: Callable[[str], Any]) -> Embedder:
        """The embedder that the index was made with, also while the settings already name another one for the next
        rebuild. Raises ``CollectionError`` where it is not to be had."""
        made_with = (setting(SETTING) or {}).get("embed")
        if self._given_embedder is None and made_with and made_with != name_and_options(self.settings.embed):
            if self._former_embedder is None or self._former_embedder[0] != made_with:
                component = Component("embed", made_with["name"], made_with["options"])
                self._former_embedder = (made_with, component.create())
            return self._check_embedder(self._former_embedder[1], setting("embedder"))
        return self._check_embedder(self.embedder, setting("embedder"))

    def _document(self, document_id: str, snapshot: Snapshot, principal: Principal) -> Document:
        if not isinstance(principal, Principal):
            raise UsageError(f"the principal is {principal!r}", cure="Say who asks: principal=Principal({'public'}).")
        from pincite.retrieve.request import is_text

        document = snapshot.document(document_id, principal=principal) if is_text(document_id) else None
        if document is None:
            raise unknown_document(document_id)
        return document

    def _upkeep(self) -> Upkeep:
        from pincite.engine.upkeep import Upkeep

        return Upkeep(
            store=self.store,
            settings=self.settings,
            directory=self.directory,
            folder=self.directory / FOLDER,
            embedder=self.embedder,
            analyser=self.analyser,
        )

    def _check_embedder(self, embedder: Embedder, made_with: str | None) -> Embedder:
        if made_with not in (None, embedder.fingerprint):
            raise CollectionError(
                f"the index was made with the embedder {made_with}, not with {embedder.fingerprint}",
                cure=f"Set that embedder in {FILE_NAME}, or run `pincite sync --rebuild`.",
                kind="mismatch",
                file=str(self.directory / FOLDER),
            )
        return embedder
