"""From a ranked list of candidates to hits: relevant enough, folded, within the budget, at most ``k``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.errors import UsageError
from pincite.model import Excerpt, Located, Repeat, Scored, Span, join_prefix
from pincite.ports import Counter
from pincite.retrieve.candidates import Reader
from pincite.retrieve.joining import JOINED_RANKS, Group, grouped, joined
from pincite.retrieve.relevance import SCALES, Scale, Word, rarities, share_of
from pincite.retrieve.repeats import SAME_SHARE, Chosen
from pincite.retrieve.request import Request
from pincite.retrieve.surroundings import Surroundings
from pincite.text.sameness import Wording

OVERLAP_SHARE = 0.5
"""Two passages of one document are one hit when more than this share of the shorter lies in the other."""


@dataclass(slots=True, kw_only=True)
class Passage:
    """One chunk, or adjacent ones that are read together, with everything that is known of it. ``matched`` are the
    weights of the terms that the best of the chunks has, ``terms`` are those that any of them has."""

    group: Group
    located: Located
    relevance: float | None
    matched: Mapping[str, float]
    terms: Collection[str]
    context: Excerpt | None
    wording: Wording | None
    also: list[Repeat] = field(default_factory=list)

    @property
    def scored(self) -> Scored:
        """The best of the chunks."""
        return self.group.best

    @property
    def rank(self) -> int:
        """Its place in the list, from 1."""
        return self.group.rank

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        return self.group.chunk_ids

    @property
    def shown(self) -> Span:
        return self.context.span if self.context else self.located.chunk.span

    @property
    def text(self) -> str:
        return join_prefix(self.located.chunk.prefix, self.context.text if self.context else self.located.chunk.text)

    def repeats(self, other: Passage) -> bool:
        """Whether it shows what the other shows already."""
        same_document = self.located.chunk.document_id == other.located.chunk.document_id
        if same_document and _overlap(self.shown, other.shown) > OVERLAP_SHARE:
            return True
        if self.wording is None or other.wording is None:
            return False
        return self.wording.nearly_same(other.wording, share=SAME_SHARE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chooser:
    """Walks down one list. ``fates`` says of each candidate that was looked at what became of it: ``hit``,
    ``irrelevant``, ``folded``, ``budget`` or ``cut``."""

    request: Request
    reader: Reader
    scale: Scale | None
    terms: Sequence[str]
    cosines: Mapping[str, float]
    counter: Counter | None = None
    fates: dict[str, str] = field(init=False, default_factory=dict)
    folded_into: dict[str, str] = field(init=False, default_factory=dict)
    _rarity: Mapping[Word, float] = field(init=False)
    _surroundings: Surroundings = field(init=False)
    _weights: dict[str, Mapping[str, float]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        around = Surroundings(snapshot=self.reader.snapshot, principal=self.reader.principal)
        object.__setattr__(self, "_rarity", self._rarities())
        object.__setattr__(self, "_surroundings", around)

    def choose(self, ranked: Sequence[Scored]) -> list[Passage]:
        """Everything that ranks before the first passage that is one too many is looked at."""
        request = self.request
        if request.budget_tokens is not None and self.counter is None:
            raise ValueError("a budget of tokens needs a counter")
        if request.min_relevance and self.scale is None:
            raise UsageError("there is no scale of relevance for this embedder", cure=f"There is for: {_known()}.")
        chosen = Chosen()
        kept = chosen.passages
        left = request.budget_tokens
        for passage in self._passages(ranked):
            if passage.relevance is not None and passage.relevance < request.min_relevance:
                self._decide(passage, "irrelevant")
                continue
            twin = chosen.repeated_by(passage) if request.fold else None
            if twin:
                twin.also.append(_repeat(passage.located))
                self._decide(passage, "folded")
                self.folded_into.update(dict.fromkeys(passage.chunk_ids, twin.scored.chunk_id))
                continue
            if len(kept) == request.k:
                self._decide(passage, "cut")
                break
            if left is not None:
                self._decide(passage, "budget")
                fitting = self._fitting(passage, left)
                if fitting is None:
                    continue
                passage, tokens = fitting
                left -= tokens
            self._decide(passage, "hit")
            kept.append(passage)
        return kept

    def _fitting(self, passage: Passage, budget: int) -> tuple[Passage, int] | None:
        """The passage with its length, of joined chunks as many as fit; ``None`` where not even the best one does."""
        counter = self.counter
        while counter and (passage.relevance is None or passage.relevance >= self.request.min_relevance):
            tokens = counter.count(passage.text)
            if tokens <= budget:
                return passage, tokens
            if len(passage.chunk_ids) == 1:
                break
            passage = self._passage(passage.group.smaller())
        return None

    def _decide(self, passage: Passage, fate: str) -> None:
        self.fates.update(dict.fromkeys(passage.chunk_ids, fate))

    def _passages(self, ranked: Sequence[Scored]) -> Iterator[Passage]:
        """In portions: most searches end after ``k`` passages."""
        groups = self._groups(ranked)
        step = self.request.k + (2 if self.request.fold else 0)
        for start in range(0, len(groups), step):
            several = groups[start : start + step]
            names = [name for group in several for name in group.chunk_ids]
            self.reader.located(names)
            self._weights.update(self._matched(names))
            yield from map(self._passage, several)

    def _passage(self, group: Group) -> Passage:
        """Of chunks whose terms are known."""
        names = group.chunk_ids
        parts = list(self.reader.located(names).values())
        around = self._surroundings
        whole = joined(parts, around.text(parts[0].chunk.document_id)) if len(parts) > 1 else parts[0]
        terms = {term for name in names for term in self._weights.get(name, ())}
        expand = self.request.expand
        return Passage(
            group=group,
            located=whole,
            relevance=self._relevance(names, terms),
            matched=self._weights.get(group.best.chunk_id, {}),
            terms=terms,
            context=around.around([part.chunk for part in parts], expand) if expand else None,
            wording=Wording.of(whole.chunk.text) if self.request.fold else None,
        )

    def _groups(self, ranked: Sequence[Scored]) -> list[Group]:
        if not self.request.join_tokens:
            return [
                Group(best=hit, chunk_ids=(hit.chunk_id,), ranks=(rank,)) for rank, hit in enumerate(ranked, start=1)
            ]
        located = self.reader.located(hit.chunk_id for hit in ranked[:JOINED_RANKS])
        return grouped(ranked, located, self.request.join_tokens)

    def relevance_of(self, chunk_id: str) -> float | None:
        """Of any chunk that takes part and whose cosine is known."""
        return self._relevance([chunk_id], self._matched([chunk_id]).get(chunk_id, {}))

    def _relevance(self, chunk_ids: Sequence[str], matched: Collection[str]) -> float | None:
        """Of chunks that are read together, which have these terms."""
        if self.scale is None:
            return None
        cosine = max(self.cosines.get(name, 0.0) for name in chunk_ids)
        return self.scale.of(cosine=cosine, share=share_of(self._rarity, matched))

    def _rarities(self) -> dict[Word, float]:
        if not self.terms or self.scale is None:
            return {}
        snapshot, principal = self.reader.snapshot, self.reader.principal
        return rarities(self.terms, *snapshot.document_frequencies(self.terms, principal=principal))

    def _matched(self, chunk_ids: Sequence[str]) -> Mapping[str, Mapping[str, float]]:
        if not self.terms:
            return {}
        reader = self.reader
        return reader.snapshot.term_weights(self.terms, chunk_ids, principal=reader.principal, where=self.request.where)


def _overlap(first: Span, second: Span) -> float:
    """The share of the shorter that lies in the other."""
    common = min(first.end, second.end) - max(first.start, second.start)
    return max(0, common) / min(len(first), len(second))


def _repeat(located: Located) -> Repeat:
    chunk = located.chunk
    return Repeat(chunk_id=chunk.id, document_id=chunk.document_id, span=chunk.span, place=located.place)


def _known() -> str:
    return ", ".join(sorted(SCALES)) + ", and every other with --mode lexical"
