"""``chunk --explain``: why each chunk begins where it does."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from pincite import catalogue
from pincite.cli import output
from pincite.cli.layout import drawn
from pincite.cli.listing import counted
from pincite.cli.strategy import Strategy
from pincite.errors import UsageError
from pincite.model import Document
from pincite.ports import Alternative, ExplainedCut, Explainer

INDENT = " " * 6
KINDS = {
    "item": "before a list item",
    "row": "before a table row",
    "text": "behind a heading that its text does not fit together with",
    "inside": "inside what is over the limit by itself",
    "limit": "where the text before reached the limit",
}
"""What begins at a cut, where its name does not say it."""


def explainer_of(strategy: Strategy) -> Explainer:
    """Raises ``UsageError`` for a strategy that does not say why."""
    if isinstance(strategy.chunker, Explainer):
        return strategy.chunker
    able = [row.name for row in catalogue.rows("chunk") if hasattr(catalogue.load_target(row), "explain")]
    raise UsageError(
        f"the strategy {strategy.name!r} does not explain its cuts", cure=f"Those that do: {', '.join(able)}."
    )


def write_cuts(document: Document, explainer: Explainer) -> None:
    """A JSON line for each cut; ``number`` is that of the chunk which begins there."""
    for number, cut in enumerate(explainer.explain(document), start=2):
        data = {**cut.to_json(), "document": document.id, "number": number, "line": _line(document, cut.offset)}
        if cut.alternative and cut.alternative.offset is not None:
            data["alternative"]["line"] = _line(document, cut.alternative.offset)
        output.write_json(data)


def print_cuts(document: Document, explainer: Explainer) -> None:
    cuts = list(explainer.explain(document))
    output.write(f"{output.safe(document.id)}: {counted(len(cuts), 'cut')}")
    width = max(20, output.terminal_width() - len(INDENT))
    for number, cut in enumerate(cuts, start=2):
        first = output.first_line(document.text[cut.offset :], width)
        output.write(f"{number:>4}  line {_line(document, cut.offset)}, {_said(cut)}: {first}")
        if cut.costs:
            output.write(output.styled(f"{INDENT}{_sum(cut.costs)}", "dim"))
            output.write(output.styled(f"{INDENT}{_next_best(document, cut.alternative)}", "dim"))


def _said(cut: ExplainedCut) -> str:
    if cut.costs or cut.kind == "limit":
        return KINDS.get(cut.kind, f"before a {cut.kind}")
    return "at an outermost heading, which is always one"


def _sum(costs: Mapping[str, float]) -> str:
    parts = " + ".join(f"{name} {cost:.2f}" for name, cost in costs.items())
    return f"{parts} = {sum(costs.values()):.2f}"


def _next_best(document: Document, alternative: Alternative | None) -> str:
    if not alternative:
        return "no other cut fits the limit"
    dash = drawn("–", "-")
    if alternative.offset is None:
        return f"next best: no cut here {dash} {alternative.lost_by:.2f} more"
    line = _line(document, alternative.offset)
    kind = KINDS.get(alternative.kind, f"before a {alternative.kind}")
    return f"next best: line {line}, {kind} {dash} {alternative.lost_by:.2f} more"


def _line(document: Document, offset: int) -> int:
    return bisect_right(document.line_starts, offset)
