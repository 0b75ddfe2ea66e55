"""A comparison as files for TREC's tools: one of judgements, and a run for each configuration, both of documents."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pincite.engine.evaluation.comparing import Comparison
from pincite.engine.evaluation.measuring import Asked
from pincite.evaluate.formats import trec_qrels
from pincite.model import Document

QRELS = "qrels.txt"


def trec_files(comparison: Comparison, documents: Mapping[str, Document]) -> dict[str, str]:
    """Texts by file name: ``qrels.txt`` of the questions that are scored, and ``01-NAME.run`` and so on."""
    questions = [each.question for each in comparison.scored]
    files = {QRELS: trec_qrels(questions, documents)}
    for number, name in enumerate(comparison.names, start=1):
        label = re.sub(r"[^\w.=-]+", "-", name).strip("-")
        asked = comparison.measured[name].asked
        lines = [line for each in questions for line in _ranking(each.id, asked[each.id], label)]
        files[f"{number:02}-{label[:100]}.run"] = "".join(lines)
    return files


def _ranking(question: str, asked: Asked, name: str) -> list[str]:
    """``question Q0 document rank score name``, each document at its first passage. The score counts down from the
    number of documents: tools order by it, and may not order equals as they were ranked."""
    found = list(dict.fromkeys(each.document_id for each in asked.passages))
    return [
        f"{_field(question)} Q0 {_field(document)} {rank} {len(found) - rank + 1} {name}\n"
        for rank, document in enumerate(found, start=1)
    ]


def _field(name: str) -> str:
    """As in the judgements: blanks separate fields."""
    return "_".join(name.split())
