"""Kinds of faults that answers are reported for: the shared cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.unit.answer.collection import document_of

from pincite.answer.claims import Claim, check
from pincite.config import Settings
from pincite.engine import Collection
from pincite.model import PUBLIC


def case_of(shared: Path, name: str) -> dict[str, Any]:
    lines = (shared / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    case: dict[str, Any] = next(case for case in map(json.loads, lines) if case["id"] == name)
    return case


def test_c058_typography_is_forgiven_and_short_quotes_are_not(shared: Path) -> None:
    expected = case_of(shared, "C058")["check"]
    data = json.loads((shared / "cases" / "C058.json").read_text(encoding="utf-8"))
    texts = {str(chunk["n"]): chunk["text"] for chunk in data["chunks"]}
    documents = {f"{name}.md": document_of(f"{name}.md", text) for name, text in texts.items()}
    claims = [
        Claim(statement=each["quote"], quote=each["quote"], document_id=f"{each['cite']}.md") for each in data["claims"]
    ]
    checked = dict(zip([each["id"] for each in data["claims"]], check(claims, documents, documents.get), strict=True))
    assert [name for name, each in checked.items() if each.verdict == "verified"] == expected["verified"]
    assert [name for name, each in checked.items() if each.verdict == "quote-not-found"] == expected["rejected"]
    for name, (start, end) in expected["span"].items():
        span = checked[name].span
        assert span is not None
        assert (span.start, span.end) == (start, end)
        assert checked[name].quote == span.of(documents[checked[name].document_id].text)


def test_c060_no_figure_is_borrowed_from_the_next_sentence(shared: Path, tmp_path: Path) -> None:
    case = case_of(shared, "C060")
    with Collection(tmp_path, create=True, settings=Settings()) as collection:
        collection.add([shared / "cases" / case["input"].strip("/")])
        for question in case["options"]["questions"]:
            answer = collection.ask(question, principal=PUBLIC)
            for statement in answer.statements:
                for word, figure in case["check"]["not_together"]:
                    assert not (word in statement.text.lower() and figure in statement.text)
                for citation in statement.citations:
                    assert citation.holds_in(collection.document(citation.document_id, principal=PUBLIC))
            if question in case["check"]["answered"]:
                document, quote = case["check"]["answered"][question]
                citations = [citation for statement in answer.statements for citation in statement.citations]
                assert any(each.document_id == document and quote in each.quote for each in citations)
                said = [{"statement": each.text, "quote": each.citations[0].quote} for each in answer.statements]
                assert {each.verdict for each in collection.verify(said, principal=PUBLIC)} == {"verified"}
        borrowed = {
            "statement": "A day ticket for dogs costs 7.50 crowns.",
            "quote": "Dogs are allowed on the upper deck only.",
        }
        (one,) = collection.verify([borrowed], principal=PUBLIC)
        assert (one.verdict, one.reason) == ("unsupported", "number")
