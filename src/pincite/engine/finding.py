"""Search, answers and the reasons for them, over the snapshot of one collection."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pincite import catalogue
from pincite.config import Component, Settings
from pincite.engine.answerers import answerer_called
from pincite.errors import RemoteError, UsageError
from pincite.model import Answer, Principal, Ranking, Trace
from pincite.ports import Analyser, Answerer, Embedder, Listener, Reranker, Snapshot

if TYPE_CHECKING:
    from pincite.retrieve.reasons import Reason
    from pincite.retrieve.request import Request
    from pincite.retrieve.search import Tools

EXTRACTIVE = "extractive"
NO_RERANKER = "none"
"""The name that switches off the reranker of the settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What one search wants; ``None`` is what the settings say. ``without`` lists words that no hit may have; a lone
    text is one of them, not its letters."""

    k: int | None = None
    mode: str | None = None
    where: str | None = None
    without: Sequence[str] = ()
    fold: bool | None = None
    budget_tokens: int | None = None
    expand: str | None = None
    min_relevance: float | None = None
    rerank: str | None = None
    explain: bool = False

    def __post_init__(self) -> None:
        """Raises ``UsageError`` for an unknown name before anything is opened."""
        from pincite.retrieve.request import expansion_called, mode_called

        object.__setattr__(self, "without", (self.without,) if isinstance(self.without, str) else tuple(self.without))
        mode_called(self.mode)
        expansion_called(self.expand)
        if self.rerank not in (None, NO_RERANKER):
            catalogue.find("rerank", self.rerank)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finder:
    """``embedder`` is asked for when it is needed: a search by words alone loads no model."""

    settings: Settings
    analyser: Analyser
    embedder: Callable[[], Embedder]

    def search(self, query: str, options: Options, *, snapshot: Snapshot, principal: Principal) -> Ranking:
        from pincite.retrieve.search import search

        request = self.request(query, options, snapshot=snapshot, principal=principal)
        return search(request, snapshot=snapshot, principal=principal, tools=self.tools(request, options))

    def ask(
        self,
        question: str,
        options: Options,
        *,
        answerer: str | Answerer | None,
        snapshot: Snapshot,
        principal: Principal,
        answerer_options: Mapping[str, Any] | None = None,
        listener: Listener | None = None,
    ) -> Answer:
        """Every passage is read, also those that repeat another: the answerer quotes each sentence once.

        With ``options.explain`` the answer has its trace. A ``RemoteError`` has the ``ranking`` in ``finished``.
        """
        parts = {"embedder": self.embedder(), "analyser": self.analyser, "listener": listener}
        chosen = answerer_called(answerer, self.settings.answer, options=answerer_options or {}, parts=parts)
        started = time.monotonic()
        ranking = self.passages(question, options, snapshot=snapshot, principal=principal)
        try:
            answer = chosen.answer(question, ranking, snapshot, principal=principal)
        except RemoteError as error:
            error.finished["ranking"] = ranking
            raise
        if not answer.answered:
            answer = self._elsewhere(answer, options, snapshot, principal)
        trace = replace(
            answer.trace or Trace(answerer=chosen.name), ranking=ranking, seconds=time.monotonic() - started
        )
        warnings = tuple(dict.fromkeys((*ranking.warnings, *answer.warnings)))
        return replace(answer, warnings=warnings, trace=trace if options.explain else None)

    def _elsewhere(self, refused: Answer, options: Options, snapshot: Snapshot, principal: Principal) -> Answer:
        """Looked for without a language model, whoever refused: it costs no second call."""
        from pincite.engine.other_versions import asks_one_version, said_elsewhere

        if options.where is None or not asks_one_version(options.where):
            return refused
        own = self.settings.answer if self.settings.answer.name == EXTRACTIVE else Component("answer", EXTRACTIVE)
        answerer: Answerer = own.create({"embedder": self.embedder(), "analyser": self.analyser})

        def ask(where: str) -> Answer:
            elsewhere = replace(options, where=where)
            ranking = self.passages(refused.question, elsewhere, snapshot=snapshot, principal=principal)
            return answerer.answer(refused.question, ranking, snapshot, principal=principal)

        return said_elsewhere(refused, options.where, ask, snapshot, principal=principal)

    def passages(self, question: str, options: Options, *, snapshot: Snapshot, principal: Principal) -> Ranking:
        """What an answerer reads of the question, ``k`` left aside; also what repeats another passage."""
        from pincite.engine.passages import both, passages
        from pincite.engine.screening import beyond_orders

        def search(query: str, k: int, condition: str) -> Ranking:
            wanted = replace(options, k=k, fold=False, where=both(options.where, condition))
            return beyond_orders(
                lambda many: self.search(query, replace(wanted, k=many), snapshot=snapshot, principal=principal), k
            )

        return passages(question, search, analyser=self.analyser)

    def why(
        self,
        document_id: str,
        line: int | None,
        query: str,
        options: Options,
        *,
        snapshot: Snapshot,
        principal: Principal,
    ) -> Reason:
        from pincite.retrieve.reasons import reason

        request = self.request(query, options, snapshot=snapshot, principal=principal)
        tools = self.tools(request, options)
        return reason(document_id, line, request, snapshot=snapshot, principal=principal, tools=tools)

    def request(self, query: str, options: Options, *, snapshot: Snapshot, principal: Principal) -> Request:
        from pincite.retrieve.request import Request, expansion_called, is_text, mode_called

        if not isinstance(principal, Principal):
            raise UsageError(f"the principal is {principal!r}", cure="Say who asks: principal=Principal({'public'}).")
        if not all(map(is_text, principal.groups)):
            raise UsageError("a group has bytes that are no UTF-8", cure="Name the groups in UTF-8.")
        settings = self.settings
        condition = None
        if options.where is not None:
            from pincite.retrieve.where import parse, settle

            condition = settle(parse(options.where), snapshot.fields(principal=principal))
        return Request(
            query=query,
            k=settings.k if options.k is None else options.k,
            mode=mode_called(options.mode) or settings.mode,
            where=condition,
            said=options.where or "",
            without=tuple(options.without),
            fold=settings.fold if options.fold is None else options.fold,
            budget_tokens=options.budget_tokens,
            join_tokens=settings.join_tokens,
            expand=expansion_called(options.expand),
            min_relevance=settings.min_relevance if options.min_relevance is None else options.min_relevance,
            explain=options.explain,
        )

    def tools(self, request: Request, options: Options) -> Tools:
        from pincite.retrieve.search import Tools

        return Tools(
            embedder=None if request.mode == "lexical" else self.embedder(),
            analyser=self.analyser,
            fusion=self.settings.fusion.create(),
            reranker=self._reranker(options.rerank or self.settings.rerank),
            counter=catalogue.create("counter", catalogue.DEFAULTS["counter"]) if request.budget_tokens else None,
        )

    def _reranker(self, name: str | None) -> Reranker | None:
        if name is None or name == NO_RERANKER:
            return None
        reranker: Reranker = self.settings.rerankers.get(name, Component("rerank", name)).create()
        return reranker
