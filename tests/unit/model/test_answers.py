"""Citations, statements and traces: what they refuse to be, and that JSON keeps them."""

from __future__ import annotations

import json

import pytest

from pincite.model import Answer, Citation, Context, Document, Exchange, Ranking, Span, Statement, Trace

DOCUMENT = Document(id="d.md", source="d.md", media_type="text/markdown", text="A cursor lives for 15 minutes.")
FOUND = Citation.cite(DOCUMENT, Span(2, 14), match="normalised")
LOST = Citation.missing("a cursor never ends", document_id="d.md")


def test_a_citation_knows_how_its_quote_was_found() -> None:
    assert (FOUND.quote, FOUND.match, FOUND.found, FOUND.holds_in(DOCUMENT)) == (
        "cursor lives",
        "normalised",
        True,
        True,
    )
    assert (LOST.span, LOST.match, LOST.found, LOST.holds_in(DOCUMENT)) == (None, None, False, False)
    for citation in (FOUND, LOST):
        assert Citation.from_json(json.loads(json.dumps(citation.to_json()))) == citation
    assert (LOST.to_json()["start"], LOST.to_json()["end"]) == (None, None)
    with pytest.raises(ValueError, match="no match 'guessed'"):
        Citation(document_id="d", span=Span(0, 1), quote="A", match="guessed")  # type: ignore[arg-type] # on purpose
    with pytest.raises(ValueError, match="neither"):
        Citation(document_id="d", span=None, quote="A")
    with pytest.raises(ValueError, match="3 characters"):
        Citation(document_id="d", span=Span(0, 1), quote="abc")


def test_a_supported_statement_has_a_quote_that_was_found() -> None:
    judged = Statement("It ends.", (LOST,), "quote-not-found", "not-in-documents", "it stands nowhere")
    assert not judged.supported
    assert Statement.from_json(judged.to_json()) == judged
    assert "reason" not in Statement("It lives.", (FOUND,)).to_json()
    for verdict in ("verified", "paraphrase", "derived"):
        with pytest.raises(ValueError, match=verdict):
            Statement("It ends.", (LOST,), verdict)


def test_a_trace_goes_to_json_and_back() -> None:
    statement = Statement("It lives.", (FOUND,), "verified", "same-words", "the quote says it")
    exchange = Exchange(
        model="m", api="chat", instructions="i", prompt="p", output="o", statements=(statement,), cost=0.5, attempts=2
    )
    context = Context(question="q", budget=10, counter="words")
    for trace in (
        Trace(answerer="model", ranking=Ranking("q"), context=context, exchanges=(exchange,), seconds=1.5),
        Trace(answerer="extractive"),
    ):
        answer = Answer(question="q", statements=(statement,), trace=trace)
        again = Answer.from_json(json.loads(json.dumps(answer.to_json())))
        assert again.trace == trace
        assert again == answer == Answer(question="q", statements=(statement,))
