"""Adjacent chunks that rank high together are read as one passage: small chunks are found better, longer passages are
read better."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pincite.model import Chunk, Located, Scored, Span

JOINED_RANKS = 12
"""Only chunks of these ranks are joined: those further below would add what the query did not ask for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Chunks that are read together, in the order of their document, with their ``ranks`` from 1; ``best`` is the one
    that ranks highest, at ``rank``."""

    best: Scored
    chunk_ids: tuple[str, ...]
    ranks: tuple[int, ...]

    @property
    def rank(self) -> int:
        return min(self.ranks)

    def smaller(self) -> Group:
        """Of several chunks without that one of the first and the last which ranks lower: never the best."""
        left = slice(1, None) if self.ranks[0] > self.ranks[-1] else slice(None, -1)
        return replace(self, chunk_ids=self.chunk_ids[left], ranks=self.ranks[left])


def grouped(ranked: Sequence[Scored], located: Mapping[str, Located], most_tokens: int) -> list[Group]:
    """Each chunk in one group, groups in the order of their best chunks.

    Down the ranking each chunk takes the chunk before or after the group in its document, the one that ranks higher
    first, while that is among the first ``JOINED_RANKS``, belongs to no group and ``Chunk.tokens`` stay together at
    most ``most_tokens``. ``located`` has the chunks of the first ``JOINED_RANKS``.
    """
    ranks = {hit.chunk_id: rank for rank, hit in enumerate(ranked, start=1)}
    first = [hit.chunk_id for hit in ranked[:JOINED_RANKS]]
    places = {_place(located[name].chunk): name for name in first}
    taken: set[str] = set()
    groups = []
    for rank, hit in enumerate(ranked, start=1):
        if hit.chunk_id in taken:
            continue
        members = [hit.chunk_id]
        if rank <= JOINED_RANKS:
            tokens = located[hit.chunk_id].chunk.tokens
            while near := _next_to(members, located, places, taken):
                fitting = [name for name in near if tokens + located[name].chunk.tokens <= most_tokens]
                if not fitting:
                    break
                name = min(fitting, key=ranks.__getitem__)
                members = [name, *members] if _before(located[name], located[members[0]]) else [*members, name]
                tokens += located[name].chunk.tokens
        taken.update(members)
        groups.append(Group(best=hit, chunk_ids=tuple(members), ranks=tuple(ranks[name] for name in members)))
    return groups


def _next_to(
    members: Sequence[str], located: Mapping[str, Located], places: Mapping[tuple[str, int], str], taken: set[str]
) -> list[str]:
    first, last = (located[name].chunk for name in (members[0], members[-1]))
    ends = ((first.document_id, first.number - 1), (last.document_id, last.number + 1))
    return [places[end] for end in ends if end in places and places[end] not in taken]


def _place(chunk: Chunk) -> tuple[str, int]:
    return chunk.document_id, chunk.number


def _before(one: Located, other: Located) -> bool:
    return one.chunk.number < other.chunk.number


def joined(several: Sequence[Located], text: str) -> Located:
    """One passage of adjacent chunks, in their order; ``text`` is that of their document.

    Its id is made of theirs. It has number, prefix, headings and place of the first chunk, the boxes of all, each once,
    and their ``tokens`` in sum; its parent holds theirs.
    """
    first, chunks = several[0], [one.chunk for one in several]
    span = Span(chunks[0].span.start, max(chunk.span.end for chunk in chunks))
    parents = [chunk.parent for chunk in chunks if chunk.parent]
    body = span.of(text)
    chunk = replace(
        first.chunk,
        id=hashlib.sha256("\n".join(chunk.id for chunk in chunks).encode("utf-8", "surrogatepass")).hexdigest()[:16],
        span=span,
        text=body,
        tokens=sum(chunk.tokens for chunk in chunks),
        parent=Span(min(one.start for one in parents), max(one.end for one in parents)) if parents else None,
    )
    # Where one chunk ends within a line and the next one begins, both have the box of the line.
    boxes = tuple(dict.fromkeys(box for one in several for box in one.place.boxes))
    return replace(first, chunk=chunk, place=replace(first.place, boxes=boxes))
