"""``compare --question``: the first passages of every configuration for one question, in columns."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import Any

from pincite.cli import output
from pincite.cli.layout import padded
from pincite.cli.listing import counted
from pincite.engine.evaluation.corpus import Corpus
from pincite.engine.evaluation.measuring import Asked, Measured
from pincite.model import Question

PASSAGES_SHOWN = 3
LINES_SHOWN = 5
NARROWEST = 30
"""Cells of a column; where the terminal has no room for two of them, configurations stand one below the other."""
GAP = 2


def print_side_by_side(asked: Question, measured: Mapping[str, Measured], corpus: Corpus, *, as_json: bool) -> None:
    """Scores compare within a configuration only."""
    if as_json:
        found = [
            {"configuration": name, "passages": _passages(each.asked[asked.id])} for name, each in measured.items()
        ]
        output.write_json({"question": asked.question, "configurations": found})
        return
    total = output.terminal_width()
    together = max(1, min(len(measured), (total + GAP) // (NARROWEST + GAP)))
    width = (total + GAP) // together - GAP
    names = list(measured)
    for start in range(0, len(names), together):
        columns = [_column(name, measured[name], asked.id, corpus, width) for name in names[start : start + together]]
        for row in range(1 + PASSAGES_SHOWN):
            blocks = [column[row] for column in columns]
            for number in range(max(map(len, blocks))):
                line = [block[number] if number < len(block) else "" for block in blocks]
                output.write((" " * GAP).join(padded(each, width) for each in line).rstrip())
            output.write()


def _passages(asked: Asked) -> list[dict[str, Any]]:
    return [
        {
            "document": each.document_id,
            "start": each.span.start,
            "end": each.span.end,
            "tokens": each.tokens,
            "score": score,
        }
        for each, score in zip(asked.passages[:PASSAGES_SHOWN], asked.scores, strict=False)
    ]


def _column(name: str, measured: Measured, question: str, corpus: Corpus, width: int) -> list[list[str]]:
    """The head and one block of lines for each passage."""
    asked = measured.asked[question]
    head = [output.first_line(f"{name}: {counted(measured.chunks, 'chunk')}", width)]
    if asked.error:
        head.append(output.first_line(asked.error, width))
    blocks = [head]
    pairs = zip(asked.passages[:PASSAGES_SHOWN], asked.scores, strict=False)
    for rank, (passage, score) in enumerate(pairs, start=1):
        document = corpus.documents[passage.document_id]
        line = document.place(passage.span).line
        where = f"{passage.document_id}:{line}" if line else passage.document_id
        lines = wrap(output.safe(passage.span.of(document.text)), width - GAP)[:LINES_SHOWN]
        shown = [f"{rank}. {score:.3f}, {passage.tokens} tokens", where, *(f"| {line}" for line in lines)]
        blocks.append([output.first_line(each, width) for each in shown])
    return blocks + [[]] * (1 + PASSAGES_SHOWN - len(blocks))
