"""What an answerer reads: the hits of the whole question together with those of its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest

from pincite.answer.reading import searches
from pincite.model import Hit, Ranking
from pincite.ports import Analyser

PASSAGES_TO_ASK = 15
"""How many hits of the whole question the answerer reads."""
PASSAGES_OF_A_PART = 8
LOOKED_AT = 30
"""Among so many hits it is looked for versions that the question may ask about."""
MOST_SEARCHES = 6
QUOTATION_MARKS = frozenset('"“”„«»')

Search = Callable[[str, int, str], Ranking]
"""The ranking of a query, of so many hits, in the documents that fulfil a condition ("" for all)."""


def passages(question: str, search: Search, *, analyser: Analyser) -> Ranking:
    """The best hits of the question, of each of its parts and, where it asks about versions, of the documents of each
    one, by turns: the best of each, the second of each, …; nothing twice."""
    found = search(question, LOOKED_AT, "")
    versions = {str(hit.located.metadata.get("version", "")) for hit in found.hits}
    further = [
        search(plain(query), PASSAGES_OF_A_PART, f"version = '{version}'" if version else "").hits
        for query, version in searches(question, analyser, versions)[:MOST_SEARCHES]
        if not set(version) & set("'\\")
    ]
    if QUOTATION_MARKS & set(question):  # whoever asks may quote what they saw, which need not stand there
        further.append(search(plain(question), PASSAGES_TO_ASK, "").hits)
    hits = enumerate(_by_turns([found.hits[:PASSAGES_TO_ASK], *further]), start=1)
    return Ranking(found.query, tuple(replace(hit, rank=rank) for rank, hit in hits), found.warnings)


def plain(question: str) -> str:
    """Without quotation marks, which would make what stands in them a phrase that every hit must have.

    >>> plain('Is "21.4" a value?')
    'Is  21.4  a value?'
    """
    return "".join(" " if character in QUOTATION_MARKS else character for character in question)


def both(condition: str | None, other: str) -> str | None:
    """
    >>> both("draft = false or year = 2025", "version = '3.0'"), both(None, ""), both("year = 2025", "")
    ("(draft = false or year = 2025) and version = '3.0'", None, 'year = 2025')
    """
    if condition and other:
        return f"({condition}) and {other}"
    return condition or other or None


def _by_turns(lists: Sequence[Sequence[Hit]]) -> Iterable[Hit]:
    """Without those that lie inside of one that came before: each search joins other chunks to one passage."""
    taken: list[Hit] = []
    for turn in zip_longest(*lists):
        for hit in turn:
            if hit is not None and not any(_lies_in(hit, other) for other in taken):
                taken.append(hit)
    return taken


def _lies_in(hit: Hit, other: Hit) -> bool:
    one, two = hit.chunk, other.chunk
    inside = two.span.start <= one.span.start and one.span.end <= two.span.end
    return one.document_id == two.document_id and inside
