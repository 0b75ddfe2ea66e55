"""``compare --html``: a page of its own with figures, plots, and for each question what was found and missed.

Nothing is fetched and nothing runs, as on the page of ``chunk --html``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

import numpy as np

from pincite.cli.plots import Point, curves, forest
from pincite.cli.standalone import beginning, escaped
from pincite.engine.evaluation.comparing import Comparison
from pincite.evaluate.bootstrap import Interval
from pincite.evaluate.gold import GoldSpan, Passage, finds
from pincite.evaluate.judging import Judged
from pincite.evaluate.metrics import recall_within, within
from pincite.evaluate.refusing import coverage_risk
from pincite.model import Document

BUDGETS = (0, 100, 200, 300, 400, 600, 800, 1000, 1500, 2000, 3000, 4000)
PASSAGES_SHOWN = 5
CONTEXT = 160
LONGEST_SHOWN = 900


def report(comparison: Comparison, documents: Mapping[str, Document]) -> str:
    """The whole page."""
    parts = [
        *beginning("compare", "Comparison", "report.css"),
        *_head(comparison),
    ]
    if comparison.scored:
        parts += [
            *_figures(comparison),
            *_differences(comparison),
            *_curves(comparison),
            *_refusals(comparison),
            *_groups(comparison, "language", "By language"),
            *_groups(comparison, "document", "By document"),
            *_questions(comparison, documents),
        ]
    return "\n".join([*parts, "</body></html>"]) + "\n"


def _head(comparison: Comparison) -> Iterator[str]:
    yield "<header><h1>Comparison</h1>"
    yield f'<p class="verdict">{escaped(comparison.verdict)}.</p>'
    told = [f"{len(comparison.scored)} questions scored", f"{len(comparison.unanswerable)} without an answer"]
    if comparison.lost:
        names = ", ".join(judged.question.id for judged in comparison.lost)
        told.append(f"{len(comparison.lost)} whose passages are gone: {names}")
    if comparison.errors:
        told.append(f"{len(comparison.errors)} searches failed")
    sample = comparison.samples.get(comparison.headline)
    drawn = "documents" if sample and sample.clustered else "questions"
    told.append(f"intervals of 95 %, by a bootstrap over {drawn}, for all comparisons at once")
    yield f'<p class="note">{escaped("; ".join(told))}.</p></header>'


def _figures(comparison: Comparison) -> Iterator[str]:
    headline = comparison.headline
    yield f"<h2>{escaped(headline)}</h2>"
    points = [_point(name, comparison.values[name][headline]) for name in comparison.names]
    yield _wide(forest(points, unit=headline))
    yield '<div class="wide"><table><thead><tr><th>configuration</th>'
    metrics = list(comparison.metrics)
    costs = ("chunks", "index MB", "index s", "search s")
    yield "".join(f"<th>{escaped(name)}</th>" for name in (*metrics, *costs)) + "</tr></thead><tbody>"
    for name in comparison.names:
        measured = comparison.measured[name]
        values = [(metric, comparison.values[name][metric].value) for metric in metrics]
        shown = [f"{value:.0f}" if metric.startswith("tokens") else f"{value:.3f}" for metric, value in values]
        shown += [f"{measured.chunks:,}", f"{measured.index_bytes / 1e6:.1f}"]
        shown += [f"{measured.index_seconds:.1f}", f"{measured.search_seconds:.1f}"]
        yield f"<tr><td>{escaped(name)}</td>" + "".join(f"<td>{each}</td>" for each in shown) + "</tr>"
    yield "</tbody></table></div>"


def _differences(comparison: Comparison) -> Iterator[str]:
    if not comparison.differences:
        return
    yield "<h2>Differences</h2>"
    shown = comparison.differences[:20]
    points = [_point(f"{each.first} − {each.second}", each.interval) for each in shown]
    yield _wide(forest(points, unit=f"difference in {comparison.headline}"))
    yield "<ul>" + "".join(f"<li>{escaped(each.verdict)}</li>" for each in shown) + "</ul>"


def _curves(comparison: Comparison) -> Iterator[str]:
    yield "<h2>Recall against tokens read</h2>"
    series = {}
    for name in comparison.names:
        asked = comparison.measured[name].asked
        series[name] = [
            (
                float(budget),
                fmean(
                    recall_within(asked[judged.question.id].passages, judged.gold, tokens=budget)
                    for judged in comparison.scored
                ),
            )
            for budget in BUDGETS
        ]
    yield _wide(curves(series, x_unit="tokens of chunk text", y_unit="recall"))


def _refusals(comparison: Comparison) -> Iterator[str]:
    """Only where some questions have no answer."""
    if not comparison.unanswerable:
        return
    yield "<h2>When to say that nothing was found</h2>"
    yield '<p class="note">Answering only the questions whose first passage is most relevant: how many of these '
    yield "answers are wrong. A question without an answer in the documents is always answered wrongly.</p>"
    series = {
        name: [(point.coverage, point.risk) for point in coverage_risk(comparison.decisions(name))]
        for name in comparison.names
    }
    yield _wide(curves(series, x_unit="share of the questions that are answered", y_unit="share of wrong answers"))
    yield "<ul>"
    for name in comparison.names:
        cut_off = comparison.cut_off(name)
        if cut_off:
            yield (
                f"<li>{escaped(name)}: from a relevance of {cut_off.threshold:.2f} on (fitted on the odd questions), "
                f"of the even ones {cut_off.recall or 0:.0%} of those without an answer are refused and "
                f"{cut_off.answered} of {cut_off.of} with one are not.</li>"
            )
    yield "</ul>"


def _groups(comparison: Comparison, group: str, title: str) -> Iterator[str]:
    found = comparison.by(group)
    if len(found) < 2:
        return
    yield f'<h2>{title}</h2><div class="wide"><table><thead><tr><th>{group}</th><th>questions</th>'
    yield "".join(f"<th>{escaped(name)}</th>" for name in comparison.names) + "</tr></thead><tbody>"
    for key, values in found.items():
        number = next(iter(values.values()))[0]
        cells = "".join(f"<td>{values[name][1]:.3f}</td>" for name in comparison.names)
        yield f"<tr><td>{escaped(key)}</td><td>{number}</td>{cells}</tr>"
    yield "</tbody></table></div>"


def _questions(comparison: Comparison, documents: Mapping[str, Document]) -> Iterator[str]:
    """Those on which the configurations differ most come first."""
    yield '<h2>Questions</h2><p class="note">Those on which the configurations differ most come first.</p>'
    columns = {name: comparison.scores_of(name, comparison.headline) for name in comparison.names}
    rows = np.array([columns[name] for name in comparison.names]).T
    spread = rows.max(axis=1) - rows.min(axis=1)
    for number in sorted(range(len(rows)), key=lambda number: (-spread[number], rows[number].mean(), number)):
        judged = comparison.scored[number]
        shown = " · ".join(f"{value:.2f}" for value in rows[number])
        yield f'<details><summary>{escaped(judged.question.question)} <span class="score">{shown}</span></summary>'
        yield f'<p class="note">{escaped(judged.question.id)}: what is relevant</p>'
        for part in judged.gold:
            for gold in part:
                yield _gold(gold, documents)
        for name in comparison.names:
            passages = comparison.measured[name].asked[judged.question.id].passages
            yield f"<h3>{escaped(name)} <small>{escaped(comparison.headline)} {columns[name][number]:.3f}</small></h3>"
            yield from _passages(passages, judged, documents)
        yield "</details>"


def _passages(passages: Sequence[Passage], judged: Judged, documents: Mapping[str, Document]) -> Iterator[str]:
    budget = set(map(id, within(passages, 1000)))
    for part in judged.gold:
        finding = (rank for rank, each in enumerate(passages, start=1) if any(finds(each, gold) for gold in part))
        rank = next(finding, None)
        told = f'<span class="yes">found at rank {rank}</span>' if rank else '<span class="no">missed</span>'
        yield f"<p>{escaped(_short(_text(part[0], documents)))}: {told}</p>"
    for rank, passage in enumerate(passages[:PASSAGES_SHOWN], start=1):
        golds = [gold for part in judged.gold for gold in part]
        kind = "found" if any(finds(passage, gold) for gold in golds) else "missed"
        over = "" if id(passage) in budget else ", over the budget"
        where = f"{rank}. {passage.document_id}, {passage.tokens} tokens{over}"
        yield f'<div class="passage {kind}"><span class="where">{escaped(where)}</span>'
        yield _marked(passage.document_id, passage.span.start, passage.span.end, golds, documents) + "</div>"


def _gold(gold: GoldSpan, documents: Mapping[str, Document]) -> str:
    start, end = max(0, gold.span.start - CONTEXT), gold.span.end + CONTEXT
    text = _marked(gold.document_id, start, end, [gold], documents)
    grade = f", grade {gold.grade}" if gold.grade > 1 else ""
    return f'<div class="gold"><span class="where">{escaped(gold.document_id)}{grade}</span>{text}</div>'


def _marked(name: str, start: int, end: int, golds: Sequence[GoldSpan], documents: Mapping[str, Document]) -> str:
    """The text of a document from start to end, what is relevant in it marked; long ones are cut."""
    text = documents[name].text
    end = min(end, len(text))
    shown = min(end, start + LONGEST_SHOWN)
    parts, place = [], start
    for gold in sorted((gold for gold in golds if gold.document_id == name), key=lambda gold: gold.span.start):
        first, last = max(gold.span.start, place), min(gold.span.end, shown)
        if first < last:
            parts += [escaped(text[place:first]), f"<mark>{escaped(text[first:last])}</mark>"]
            place = last
    return "".join([*parts, escaped(text[place:shown]), "…" if shown < end else ""])


def _text(gold: GoldSpan, documents: Mapping[str, Document]) -> str:
    return gold.span.of(documents[gold.document_id].text)


def _short(text: str, most: int = 90) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def _wide(plot: str) -> str:
    """A plot that is moved sideways where the window is narrow."""
    return f'<div class="wide">{plot}</div>'


def _point(name: str, interval: Interval) -> Point:
    return Point(name, interval.value, _bounded(interval.low), _bounded(interval.high))


def _bounded(value: float) -> float:
    """What is not known ends at the edge of what is possible."""
    return float(min(max(value, -1.0), 1.0)) if np.isfinite(value) else (1.0 if value > 0 else -1.0)
