"""The page of a comparison: many configurations, failed searches, what is cut short."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pincite.cli.report import picture, report
from pincite.engine.evaluation.comparing import Comparison
from pincite.engine.evaluation.measuring import Asked, Measured
from pincite.evaluate.gold import Passage
from pincite.evaluate.judging import judged
from pincite.evaluate.questions import question_of
from pincite.model import Document, Span

TEXT = "".join(f"Fact {number} & more words that say nothing else at all here. " for number in range(60))
QUOTE = "Fact 30 & more words"
DOCUMENTS = {name: Document(id=name, source=name, media_type="text/plain", text=TEXT) for name in ("a.txt", "b.txt")}


def found(*spans: tuple[str, int, int], tokens: int = 100) -> Asked:
    passages = tuple(Passage(name, Span(start, end), tokens) for name, start, end in spans)
    return Asked(passages, (0.5,) * len(passages), 0.5)


def comparison(names: Sequence[str], asked: Mapping[str, Asked], *, questions: int = 3) -> Comparison:
    """Every configuration finds the same; the last one nothing."""
    judgements = [
        {"id": f"q{number}", "question": f"Which <fact> {number}?", "relevant": [{"document": "a.txt", "text": QUOTE}]}
        for number in range(questions)
    ]
    judgements.append({"id": "none", "question": "Who won?", "relevant": []})
    every = {str(each["id"]): asked["all"] for each in judgements}
    costs = {"chunks": 3, "tokens": 300, "index_bytes": 2_000_000}
    measured = {name: Measured(asked=every, index_seconds=1.0, search_seconds=0.1, cuts={}, **costs) for name in names}
    last = asked.get("last")
    if last:
        nothing = dict.fromkeys(every, last)
        measured[names[-1]] = Measured(asked=nothing, index_seconds=1.0, search_seconds=0.1, cuts={}, **costs)
    return Comparison.of(measured, [judged(question_of(each), DOCUMENTS) for each in judgements])


PLACE = TEXT.index(QUOTE)
HIT = ("a.txt", 0, len(TEXT))
MISS = ("b.txt", 0, len(TEXT))


def test_what_was_found_is_shown_around_its_mark_and_what_was_not_is_short() -> None:
    page = report(comparison(["one"], {"all": found(MISS, HIT)}), DOCUMENTS)
    assert page.count("<mark>Fact 30 &amp; more words</mark>") == 3 * 2
    assert "found at rank 2" in page
    shown = re.findall(r'<div class="passage (\w+)">(?:<span.*?</span>)(.*?)</div>', page, re.DOTALL)
    assert [kind for kind, _ in shown] == ["missed", "found"] * 3
    assert all(len(text) < 280 for kind, text in shown if kind == "missed")
    assert all(500 < len(text) < 1000 and text.endswith("…") for kind, text in shown if kind == "found")
    assert "Which &lt;fact&gt; 0?" in page


def test_what_is_found_too_late_is_told_from_what_is_not_found() -> None:
    late = found(*(("b.txt", n, n + 50) for n in range(11)), HIT)
    page = report(comparison(["one", "two"], {"all": late, "last": found(MISS)}), DOCUMENTS)
    assert page.count("found at rank 12, beyond 1,000 tokens") == 3
    assert page.count('<span class="no">missed</span>') == 3


def test_a_search_that_failed_says_why() -> None:
    page = report(comparison(["one", "two"], {"all": found(HIT), "last": Asked(error="gone & away")}), DOCUMENTS)
    assert page.count('<span class="no">gone &amp; away</span>') == 3
    assert "two: first" not in page


def test_many_configurations_have_numbers() -> None:
    names = [f"tokens:max_tokens={number}" for number in range(100, 108)]
    page = report(comparison(names, {"all": found(HIT)}), DOCUMENTS)
    assert "1. tokens:<wbr>max_<wbr>tokens=<wbr>100" in page
    assert "and 8 more pairs, which --json has" in page
    assert "<th>8</th>" not in page  # all questions are about one document, in one language
    few = report(comparison(names[:2], {"all": found(HIT)}), DOCUMENTS)
    assert "1. tokens" not in few


def test_a_picture_of_nothing_to_compare() -> None:
    nothing = picture(comparison(["one"], {"all": found(HIT)}, questions=0))
    assert "nothing can be compared" in nothing
    assert "Recall against" not in nothing
    assert "Differences" in picture(comparison(["one", "two"], {"all": found(HIT)}))
