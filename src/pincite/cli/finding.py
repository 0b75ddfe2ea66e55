"""``search`` and ``why``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli import output
from pincite.cli.collections import open_collection, principal_of
from pincite.cli.listing import counted
from pincite.errors import NothingFoundError
from pincite.model import PATH_SEPARATOR
from pincite.text.terms import by_word

if TYPE_CHECKING:
    from pincite.engine.finding import Options
    from pincite.model import Explanation, Hit
    from pincite.ports import Analyser
    from pincite.retrieve.reasons import Reason

LINES_SHOWN = 4
VERDICTS = {
    "hit": "a hit",
    "folded": "folded into a better hit",
    "where": "left out by the condition",
    "not": "left out by --not",
    "phrase": "the phrase does not stand in it",
    "no_term": "no word in common",
    "irrelevant": "not relevant enough",
    "budget": "does not fit the budget",
    "cut": "below the cut-off",
    "not_reranked": "not among the candidates for the reranker",
    "not_indexed": "has no passage in the index",
}
"""What became of a passage, in words."""


def show_hits(
    query: str,
    options: Options,
    directory: Path | None,
    *,
    groups: Sequence[str] | None,
    as_json: bool,
) -> int:
    with open_collection(directory) as collection:
        ranking = collection.find(query, options, principal=principal_of(groups))
        analyser = collection.analyser
    output.warn(ranking.warnings, as_json=as_json)
    for hit in ranking.hits:
        if as_json:
            output.write_json(hit.to_json())
        else:
            print_hit(hit, query, analyser)
    if not ranking.hits and not as_json:
        output.write("no hits")
    return 0


def show_reason(
    document: str,
    query: str,
    options: Options,
    directory: Path | None,
    *,
    groups: Sequence[str] | None,
    as_json: bool,
) -> int:
    """``document`` is an id, or an id with ``:`` and a line."""
    principal = principal_of(groups)
    place = re.fullmatch(r"(.+):([0-9]{1,9})", document, re.DOTALL)
    with open_collection(directory) as collection:
        try:
            reason = collection.explain(document, None, query, options, principal=principal)
        except NothingFoundError:
            if not place:
                raise
            reason = collection.explain(place[1], int(place[2]), query, options, principal=principal)
    if as_json:
        output.write_json(reason.to_json())
    else:
        _print_reason(reason)
    return 0


def _print_reason(reason: Reason) -> None:
    verdict = VERDICTS[reason.verdict]
    rank = f", rank {reason.rank}" if reason.rank else ""
    output.write(f"{output.safe(reason.document_id)}: {verdict}{rank}")
    if reason.chunk:
        output.write(f"   | {output.first_line(reason.chunk.text, output.terminal_width() - 6)}")
    scores = {"lexical": reason.lexical, "dense": reason.dense, "relevance": reason.relevance}
    told = [f"{name} {_figure(score)}" for name, score in scores.items() if score is not None]
    if told:
        output.write("   " + " · ".join(told))
    if reason.terms:
        output.write(f"   terms: {_terms(reason.terms)}")
    if reason.last and reason.verdict != "hit":
        last = reason.last
        output.write(
            f"   the last hit is {output.safe(last['document'])}, rank {last['rank']}, {_both(last['scores'])}"
        )
    for sentence in reason.advice:
        output.write(f"   {output.safe(sentence)}")


def print_hit(hit: Hit, query: str = "", analyser: Analyser | None = None) -> None:
    """With an analyser those lines of a long passage that say most of the query."""
    place = str(hit.located.place)
    where = ", ".join(part for part in (hit.chunk.document_id, place) if part)
    headings = PATH_SEPARATOR.join(hit.chunk.headings)
    output.write(f"{hit.rank}. {output.safe(where)}   score {_figure(hit.score)}")
    width = output.terminal_width() - 4
    if headings:
        output.write(f"   {output.first_line(headings, width)}")
    lines = [line for line in (hit.context or hit.chunk).text.splitlines() if line.strip()]
    start, end = (0, len(lines)) if hit.context else (0, LINES_SHOWN)
    if analyser and end < len(lines):
        start = telling(lines, analyser.query_terms(query), analyser)
        end += start
    if start:
        output.write(f"   | … {counted(start, 'line')} before")
    for line in lines[start:end]:
        output.write(f"   | {output.first_line(line, width - 2)}")
    if len(lines) > end:
        output.write(f"   | … {counted(len(lines) - end, 'more line')}")
    for repeat in hit.also:
        where = ", ".join(part for part in (repeat.document_id, str(repeat.place)) if part)
        output.write(f"   also in {output.safe(where)}")
    if hit.explanation:
        _print_explanation(hit.explanation, hit)
    output.write()


def telling(lines: Sequence[str], terms: Sequence[str], analyser: Analyser) -> int:
    """Where to begin so that ``LINES_SHOWN`` lines have the most words of the query: at the start where that is as
    good, else at a line that has one, at the first such place.

    >>> from pincite.text.terms import Analyser
    >>> telling(["a", "b", "c", "d", "a ferry", "at noon", "e", "f", "g"], ["ferry", "noon"], Analyser())
    4
    """
    words = by_word(terms)
    found = []
    for line in lines:
        here = set(analyser.document_terms(line))
        found.append({word for word in words if not here.isdisjoint(word)})
    starts = range(max(len(lines) - LINES_SHOWN, 0) + 1)
    return max(
        starts,
        key=lambda at: (len(set().union(*found[at : at + LINES_SHOWN])), at == 0, len(found[at]) > 0, -at),
    )


def _print_explanation(why: Explanation, hit: Hit) -> None:
    for name, part in (("lexical", why.lexical), ("dense", why.dense)):
        if part:
            score = "no score" if part.score is None else f"{_figure(part.score)}, rank {part.rank}"
            share = "" if part.weight is None else f", normalised {_figure(part.normalised)} × weight {part.weight:.3f}"
            output.write(f"   {name}: {score}{share}")
    around = [
        f"{name} {_figure(part.normalised)} × {part.weight:.3f}" for name, part in why.context.items() if part.weight
    ]
    if around:
        output.write(f"   around it: {', '.join(around)}")
    moves = [f"fused rank {why.fused_rank} (score {_figure(why.fused_score)})"] if why.fusion else []
    moves += [f"reranked to {why.reranked}"] if why.reranked else []
    moves += [f"shown at {hit.rank}"]
    moves += [f"the best of {len(hit.joined)} chunks read as one"] if hit.joined else []
    moves += [] if hit.relevance is None else [f"relevance {hit.relevance:.2f}"]
    output.write(f"   {' · '.join(moves)}")
    if why.terms:
        output.write(f"   terms: {_terms(why.terms)}")
    if why.missing:
        output.write(f"   missing: {output.safe(', '.join(word[0] for word in by_word(why.missing)))}")
    filters = [f"{name} {_said(value)}" for name, value in why.filters.items() if value]
    output.write(f"   filters: {output.safe('; '.join(filters))}")


def _terms(weights: Mapping[str, float]) -> str:
    """Heaviest first."""
    ordered = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return output.safe(", ".join(f"{term} {weight:.2f}" for term, weight in ordered))


def _both(scores: Mapping[str, float | None]) -> str:
    return ", ".join(f"{name} {_figure(score)}" for name, score in scores.items() if score is not None)


def _figure(score: float | None) -> str:
    """Three digits after the point, of small scores four: those of reciprocal ranks hardly differ in the third."""
    return "" if score is None else f"{score:.4f}" if 0 < abs(score) < 0.1 else f"{score:.3f}"


def _said(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
