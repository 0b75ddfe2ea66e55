"""The part of a comparison's page that shows each question: what is relevant, and what every configuration found and
missed of it, marked in the text of the documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pincite.cli.listing import counted
from pincite.cli.standalone import breakable, escaped
from pincite.engine.evaluation.comparing import Comparison
from pincite.engine.evaluation.measuring import Asked
from pincite.evaluate.gold import GoldSpan, Part, Passage, distinct, finds
from pincite.evaluate.judging import Judged
from pincite.evaluate.metrics import within
from pincite.model import Document, Span

Documents = Mapping[str, Document]

BUDGET = 1000
PASSAGES_SHOWN = 5
MOST_PASSAGES = 20_000
"""Of more than this on one page, each configuration shows fewer."""
CONTEXT = 160
LONGEST_FOUND, LONGEST_MISSED = 900, 240
"""Characters of a passage that is shown; of one without anything relevant its beginning is enough."""


def questions(comparison: Comparison, documents: Documents, labels: Sequence[str]) -> Iterator[str]:
    """Those on which the configurations differ most come first."""
    yield '<h2>Questions</h2><p class="note">Those on which the configurations differ most come first; open one to see '
    yield f"what is relevant and who found it. The figures are {escaped(comparison.headline)} of "
    yield f"{escaped(', '.join(labels))}.</p>"
    columns = [comparison.scores_of(name, comparison.headline) for name in comparison.names]
    rows = np.array(columns).T
    spread = rows.max(axis=1) - rows.min(axis=1)
    most = max(1, min(PASSAGES_SHOWN, MOST_PASSAGES // max(rows.size, 1)))
    for number in sorted(range(len(rows)), key=lambda number: (-spread[number], rows[number].mean(), number)):
        judged = comparison.scored[number]
        shown = " · ".join(f"{value:.2f}" for value in rows[number])
        yield f'<details><summary>{escaped(judged.question.question)} <span class="score">{shown}</span></summary>'
        yield f'<p class="note">Question {escaped(judged.question.id)}: what is relevant</p>'
        for part in judged.gold:
            for gold in part:
                yield _gold(gold, documents)
        yield from _findings(comparison, judged, rows[number])
        for name in comparison.names:
            yield from _passages(name, comparison.measured[name].asked[judged.question.id], judged, documents, most)
        yield "</details>"


def _findings(comparison: Comparison, judged: Judged, scores: Sequence[float]) -> Iterator[str]:
    """One line per configuration: at which rank it found each part."""
    yield '<div class="wide"><table class="findings"><tbody>'
    for name, score in zip(comparison.names, scores, strict=True):
        asked = comparison.measured[name].asked[judged.question.id]
        several = len(judged.gold) > 1
        told = [
            f"{f'{number}: ' if several else ''}{_finding(part, asked.passages)}"
            for number, part in enumerate(judged.gold, start=1)
        ]
        if asked.error:
            told = [f'<span class="no">{escaped(asked.error)}</span>']
        yield f'<tr><td>{breakable(name)}</td><td>{score:.3f}</td><td class="text">{"; ".join(told)}</td></tr>'
    yield "</tbody></table></div>"


def _finding(part: Part, passages: Sequence[Passage]) -> str:
    """At which rank the first passage stands that holds half of a span of this part."""
    ranked = enumerate(distinct(passages), start=1)
    rank, passage = next(((rank, each) for rank, each in ranked if any(finds(each, gold) for gold in part)), (0, None))
    if passage is None:
        return '<span class="no">missed</span>'
    if passage in within(passages, BUDGET):
        return f'<span class="yes">found at rank {rank}</span>'
    return f'<span class="late">found at rank {rank}, beyond {BUDGET:,} tokens</span>'


def _passages(name: str, asked: Asked, judged: Judged, documents: Documents, most: int) -> Iterator[str]:
    shown = asked.passages[:most]
    if not shown:
        return
    first = f"first {counted(len(shown), 'passage')}"
    yield f'<details class="passages"><summary>{escaped(name)}: {first}</summary>'
    golds = [gold for part in judged.gold for gold in part]
    for rank, passage in enumerate(shown, start=1):
        found = [gold for gold in golds if finds(passage, gold)]
        text = _marked(passage.document_id, _window(passage.span, found), golds, documents)
        where = f"{rank}. {_where(passage.document_id, passage.span, documents)}, {passage.tokens} tokens"
        yield f'<div class="passage {"found" if found else "missed"}"><span class="where">{escaped(where)}</span>'
        yield f"{text}</div>"
    yield "</details>"


def _window(span: Span, found: Sequence[GoldSpan]) -> tuple[int, int]:
    """What is shown of a passage: the part around what is relevant in it, or its beginning."""
    if not found:
        return span.start, min(span.end, span.start + LONGEST_MISSED)
    first = max(span.start, min(gold.span.start for gold in found) - CONTEXT)
    start = max(span.start, min(first, span.end - LONGEST_FOUND))
    return start, min(span.end, start + LONGEST_FOUND)


def _gold(gold: GoldSpan, documents: Documents) -> str:
    length = len(documents[gold.document_id].text)
    window = max(0, gold.span.start - CONTEXT), min(length, min(gold.span.end, gold.span.start + 2000) + CONTEXT)
    grade = f", grade {gold.grade}" if gold.grade > 1 else ""
    where = f"{_where(gold.document_id, gold.span, documents)}{grade}"
    text = _marked(gold.document_id, window, [gold], documents)
    return f'<div class="gold"><span class="where">{escaped(where)}</span>{text}</div>'


def _where(name: str, span: Span, documents: Documents) -> str:
    line = documents[name].place(span).line
    return f"{name} line {line}" if line else name


def _marked(name: str, window: tuple[int, int], golds: Sequence[GoldSpan], documents: Documents) -> str:
    """That part of a document's text, what is relevant in it marked."""
    text = documents[name].text
    place, end = window
    parts = ["…" if place and not text[place - 1].isspace() else ""]
    for gold in sorted((gold for gold in golds if gold.document_id == name), key=lambda gold: gold.span.start):
        first, last = max(gold.span.start, place), min(gold.span.end, end)
        if first < last:
            parts += [escaped(text[place:first]), f"<mark>{escaped(text[first:last])}</mark>"]
            place = last
    return "".join([*parts, escaped(text[place:end]), "…" if end < len(text) else ""]).strip("\n")
