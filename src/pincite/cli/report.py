"""``compare --html`` and ``--png``: a page of its own with figures, plots, and for each question what was found and
missed; and the plots alone as a picture.

Nothing is fetched and nothing runs, as on the page of ``chunk --html``. Plots are there in two widths, of which a page
shows the one that fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from statistics import fmean

import numpy as np

from pincite.cli.plots import BROAD, NARROW, Drawing, Point, curves, figure, forest
from pincite.cli.report_questions import questions
from pincite.cli.standalone import beginning, breakable, escaped
from pincite.engine.evaluation.comparing import Comparison
from pincite.evaluate.bootstrap import Interval
from pincite.evaluate.metrics import recall_within
from pincite.evaluate.refusing import coverage_risk
from pincite.model import Document

BUDGETS = (0, 100, 200, 300, 400, 600, 800, 1000, 1500, 2000, 3000, 4000)
MOST_NAMED = 4
"""Of more configurations than this the tables show numbers, which the first table explains."""
MOST_DIFFERENCES = 20
PROVEN, OPEN = "#1a7f4e", "#8b95a5"
RECALL = "Recall against tokens read"


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
            *questions(comparison, documents, labels(comparison)),
        ]
    return "\n".join([*parts, "</body></html>"]) + "\n"


def picture(comparison: Comparison) -> str:
    """Verdict, values, differences and recall against tokens as one drawing in SVG."""
    drawings = []
    if comparison.scored:
        drawings.append((comparison.headline, _values(comparison, BROAD)))
        if comparison.differences:
            drawings.append((_DIFFERENCES.format(comparison.headline), _pairs(comparison, BROAD)))
        drawings.append((RECALL, _recall(comparison, BROAD)))
    return figure("Comparison", [f"{comparison.verdict}.", _told(comparison)], drawings)


def labels(comparison: Comparison) -> list[str]:
    """What stands for each configuration where there is little room."""
    names = comparison.names
    return names if len(names) <= MOST_NAMED else [str(number) for number in range(1, len(names) + 1)]


def _head(comparison: Comparison) -> Iterator[str]:
    yield "<header><h1>Comparison</h1>"
    yield f'<p class="verdict">{escaped(comparison.verdict)}.</p>'
    yield f'<p class="note">{escaped(_told(comparison))}</p></header>'


def _told(comparison: Comparison) -> str:
    told = [f"{len(comparison.scored)} questions scored", f"{len(comparison.unanswerable)} without an answer"]
    if comparison.lost:
        names = ", ".join(judged.question.id for judged in comparison.lost)
        told.append(f"{len(comparison.lost)} whose passages are gone: {names}")
    if comparison.errors:
        told.append(f"{len(comparison.errors)} searches failed")
    sample = comparison.samples.get(comparison.headline)
    drawn = "documents" if sample and sample.clustered else "questions"
    told.append(f"intervals of 95 %, by a bootstrap over {drawn}, for all comparisons at once")
    return "; ".join(told) + "."


def _figures(comparison: Comparison) -> Iterator[str]:
    yield f"<h2>{escaped(comparison.headline)}</h2>"
    yield _plot(partial(_values, comparison))
    yield '<div class="wide"><table class="figures"><thead><tr><th>configuration</th>'
    metrics = list(comparison.metrics)
    costs = ("chunks", "index MB", "index s", "search s")
    heads = (escaped(name).replace("@", "<wbr>@") for name in (*metrics, *costs))
    yield "".join(f"<th>{head}</th>" for head in heads) + "</tr></thead><tbody>"
    for name, numbered in zip(comparison.names, _numbered(comparison), strict=True):
        measured = comparison.measured[name]
        values = [(metric, comparison.values[name][metric].value) for metric in metrics]
        shown = [f"{value:.0f}" if metric.startswith("tokens") else f"{value:.3f}" for metric, value in values]
        shown += [f"{measured.chunks:,}", f"{measured.index_bytes / 1e6:.1f}"]
        shown += [f"{measured.index_seconds:.1f}", f"{measured.search_seconds:.1f}"]
        yield f"<tr><td>{breakable(numbered)}</td>" + "".join(f"<td>{each}</td>" for each in shown) + "</tr>"
    yield "</tbody></table></div>"


def _numbered(comparison: Comparison) -> list[str]:
    """Names, with the number in front that stands for them elsewhere."""
    pairs = zip(labels(comparison), comparison.names, strict=True)
    return [name if label == name else f"{label}. {name}" for label, name in pairs]


def _values(comparison: Comparison, width: int) -> Drawing:
    headline = comparison.headline
    values = (comparison.values[name][headline] for name in comparison.names)
    points = [_point(name, value) for name, value in zip(_numbered(comparison), values, strict=True)]
    return forest(points, unit=headline, width=width)


_DIFFERENCES = "Differences in {}"


def _differences(comparison: Comparison) -> Iterator[str]:
    if not comparison.differences:
        return
    yield f"<h2>{escaped(_DIFFERENCES.format(comparison.headline))}</h2>"
    yield _plot(partial(_pairs, comparison))
    left = len(comparison.differences) - MOST_DIFFERENCES
    yield "<ul>" + "".join(f"<li>{escaped(each.verdict)}</li>" for each in comparison.differences[:MOST_DIFFERENCES])
    yield (f"<li>and {left} more pairs, which --json has</li>" if left > 0 else "") + "</ul>"


def _pairs(comparison: Comparison, width: int) -> Drawing:
    short = dict(zip(comparison.names, labels(comparison), strict=True))
    points = [
        _point(f"{short[each.first]} − {short[each.second]}", each.interval, PROVEN if each.winner else OPEN)
        for each in comparison.differences[:MOST_DIFFERENCES]
    ]
    return forest(points, unit=f"difference in {comparison.headline}", width=width)


def _curves(comparison: Comparison) -> Iterator[str]:
    yield f"<h2>{RECALL}</h2>"
    series = _recalls(comparison)
    yield _plot(partial(_recall_of, series))


def _recall(comparison: Comparison, width: int) -> Drawing:
    return _recall_of(_recalls(comparison), width)


def _recall_of(series: Mapping[str, list[tuple[float, float]]], width: int) -> Drawing:
    return curves(series, x_unit="tokens of chunk text", y_unit="recall", width=width)


def _recalls(comparison: Comparison) -> dict[str, list[tuple[float, float]]]:
    series = {}
    for name, numbered in zip(comparison.names, _numbered(comparison), strict=True):
        asked = comparison.measured[name].asked
        series[numbered] = [
            (
                float(budget),
                fmean(
                    recall_within(asked[judged.question.id].passages, judged.gold, tokens=budget)
                    for judged in comparison.scored
                ),
            )
            for budget in BUDGETS
        ]
    return series


def _refusals(comparison: Comparison) -> Iterator[str]:
    """Only where some questions have no answer."""
    if not comparison.unanswerable:
        return
    yield "<h2>When to say that nothing was found</h2>"
    yield '<p class="note">Answering only the questions whose first passage is most relevant: how many of these '
    yield "answers are wrong. A question without an answer in the documents is always answered wrongly.</p>"
    series = {
        numbered: [(point.coverage, point.risk) for point in coverage_risk(comparison.decisions(name))]
        for name, numbered in zip(comparison.names, _numbered(comparison), strict=True)
    }
    units = {"x_unit": "share answered", "y_unit": "share wrong"}
    yield _plot(lambda width: curves(series, **units, width=width))
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
    yield "".join(f"<th>{escaped(label)}</th>" for label in labels(comparison)) + "</tr></thead><tbody>"
    for key, values in found.items():
        number = next(iter(values.values()))[0]
        cells = "".join(f"<td>{values[name][1]:.3f}</td>" for name in comparison.names)
        yield f"<tr><td>{breakable(key)}</td><td>{number}</td>{cells}</tr>"
    yield "</tbody></table></div>"


def _plot(draw: Callable[[int], Drawing]) -> str:
    """In the widths of a window and of a phone."""
    return f'<div class="broad">{draw(BROAD).svg}</div><div class="narrow">{draw(NARROW).svg}</div>'


def _point(name: str, interval: Interval, colour: str = "") -> Point:
    return Point(name, interval.value, _bounded(interval.low), _bounded(interval.high), colour)


def _bounded(value: float) -> float:
    """What is not known ends at the edge of what is possible."""
    return float(min(max(value, -1.0), 1.0)) if np.isfinite(value) else (1.0 if value > 0 else -1.0)
