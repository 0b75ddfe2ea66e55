"""Search, answers and the reasons for them, over the snapshot of one collection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite import catalogue
from pincite.config import Component, Settings
from pincite.errors import UsageError
from pincite.model import Answer, Principal, Ranking
from pincite.ports import Analyser, Answerer, Embedder, Reranker, Snapshot

if TYPE_CHECKING:
    from pincite.retrieve.reasons import Reason
    from pincite.retrieve.request import Request
    from pincite.retrieve.search import Tools

PASSAGES_TO_ASK = 10
"""How many hits the answerer reads."""
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
        self, question: str, options: Options, *, answerer: str | None, snapshot: Snapshot, principal: Principal
    ) -> Answer:
        """Every passage is read, also those that repeat another: the answerer quotes each sentence once."""
        component = Component("answer", answerer) if answerer else self.settings.answer
        chosen: Answerer = component.create({"embedder": self.embedder(), "analyser": self.analyser})
        wanted = replace(options, k=PASSAGES_TO_ASK, fold=False)
        ranking = self.search(question, wanted, snapshot=snapshot, principal=principal)
        answer = chosen.answer(question, ranking, snapshot, principal=principal)
        return replace(answer, warnings=tuple(dict.fromkeys((*ranking.warnings, *answer.warnings))))

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
