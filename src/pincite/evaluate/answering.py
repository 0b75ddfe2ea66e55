"""How an answer compares with the one that was expected, and its citations with the passages that are relevant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pincite.evaluate.gold import Gold, GoldSpan, Passage
from pincite.evaluate.judging import overlap
from pincite.text.language import language_of

SHARED = 0.5
"""The least share of the shorter of two spans that a citation and a relevant passage have in common."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCheck:
    """Of one question. ``in_passages`` and ``in_answer`` are the shares of the expected answer's words that the
    passages found and the answer given have, ``None`` where these are in another language. ``precision`` is the share
    of the citations that are relevant, ``None`` without one; ``recall`` that of the parts to be found that are
    cited."""

    question_id: str
    answered: bool
    in_passages: float | None = None
    in_answer: float | None = None
    precision: float | None = None
    recall: float | None = None
    error: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


MEASURES = ("in_passages", "in_answer", "precision", "recall")


def words_in(expected: str, text: str) -> float | None:
    """The share of the expected answer's words, stop words left aside, that the text has in some form; ``None`` where
    the two are known to be in different languages.

    >>> words_in("15 minutes, then 60 seconds", "A cursor lives for 15 minutes.")
    0.5
    """
    if not text.strip():
        return 0.0
    languages = {language_of(expected), language_of(text)} - {""}
    return None if len(languages) > 1 else overlap(expected, text)


def citation_precision(citations: Sequence[Passage], gold: Gold) -> float | None:
    """The share of the citations that have half in common with a relevant passage; ``None`` without a citation."""
    if not citations:
        return None
    return sum(any(_supports(each, span) for part in gold for span in part) for each in citations) / len(citations)


def citation_recall(citations: Sequence[Passage], gold: Gold) -> float:
    """The share of the parts of which some alternative has half in common with a citation."""
    return sum(any(_supports(each, span) for each in citations for span in part) for part in gold) / len(gold)


def _supports(citation: Passage, gold: GoldSpan) -> bool:
    """A citation is a sentence and a relevant passage may be a section, or the other way round: the shorter counts."""
    if citation.document_id != gold.document_id:
        return False
    common = min(citation.span.end, gold.span.end) - max(citation.span.start, gold.span.start)
    return common >= SHARED * min(len(citation.span), len(gold.span))
