"""Claims checked against documents, through the library, a collection and the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.answer.collection import document_of

from pincite.answer.claims import CheckedClaim, Claim, check
from pincite.cli.run import run
from pincite.config import Component, Settings
from pincite.engine import Collection
from pincite.errors import UsageError
from pincite.model import PUBLIC, Document, Principal

PAGES = {
    "a.md": "# Cursors\n\nA cursor lives for 15 minutes. Renewing a token does not renew a cursor.\n",
    "b.md": "# Tokens\n\nAn access token is valid\nfor **60 minutes** from the moment of issue.\n",
    "old/a.md": "# Cursors\n\nA cursor lives for 60 minutes. Everything else is as it was.\n",
}
DOCUMENTS = {name: document_of(name, text) for name, text in PAGES.items()}


def checked(*claims: dict[str, Any]) -> list[CheckedClaim]:
    return check([Claim.from_json(claim) for claim in claims], DOCUMENTS, DOCUMENTS.get)


def claim(statement: str, quote: str, document: str | None = None) -> dict[str, Any]:
    return {"statement": statement, "quote": quote, "document": document}


def test_the_quote_is_given_back_as_the_source_has_it() -> None:
    (one,) = checked(claim("The token is valid for an hour.", "access token is valid for 60 minutes from the moment"))
    assert one.to_json() == {
        "statement": "The token is valid for an hour.",
        "quote": "access token is valid\nfor **60 minutes** from the moment",
        "document": "b.md",
        "start": 13,
        "end": 69,
        "match": "normalised",
        "verdict": "paraphrase",
        "reason": "reworded",
        "message": "the facts agree",
    }
    assert one.span is not None
    assert one.span.of(PAGES["b.md"]) == one.quote


@pytest.mark.parametrize(
    ("quote", "document", "reason"),
    [
        ("A cursor lives for 20 minutes", None, "not-in-documents"),
        ("A cursor lives for 15 minutes", "b.md", "not-in-document"),
        ("A cursor lives for 15 minutes", "c.md", "no-such-document"),
        ("", "a.md", "empty"),
        ("the", None, "too-short"),
    ],
)
def test_a_quote_that_does_not_stand_there(quote: str, document: str | None, reason: str) -> None:
    (one,) = checked(claim("A cursor lives for 15 minutes", quote, document))
    assert (one.verdict, one.reason, one.span, one.match) == ("quote-not-found", reason, None, None)
    assert one.quote == quote
    assert one.to_json()["start"] is None


def test_of_several_documents_the_one_that_supports_the_statement_is_taken() -> None:
    (one,) = checked(claim("A cursor lives for 15 minutes.", "A cursor lives for"))
    assert (one.verdict, one.document_id) == ("unsupported", "a.md")
    (two,) = checked(claim("Cursors", "# Cursors and others"))
    assert two.verdict == "quote-not-found"
    (three,) = checked(claim("A cursor lives for 60 minutes.", "cursor lives for 60 minutes"))
    assert (three.verdict, three.document_id) == ("verified", "old/a.md")


def test_the_strictest_match_of_all_documents_counts() -> None:
    (one,) = checked(claim("Everything else is as it was.", "everything else is as it was"))
    assert (one.match, one.document_id) == ("normalised", "old/a.md")
    both = {
        "x.md": document_of("x.md", "A long horn  is carried."),
        "y.md": document_of("y.md", "A long horn is carried."),
    }
    (two,) = check([Claim(statement="A horn is carried.", quote="long horn is carried")], both, both.get)
    assert (two.match, two.document_id) == ("exact", "y.md")


def test_several_quotes_support_one_statement_together() -> None:
    said = "The access token is valid 45 minutes longer than a cursor lives."
    lines = checked(
        claim(said, "A cursor lives for 15 minutes", "a.md"),
        claim(said, "access token is valid for 60 minutes", "b.md"),
        claim(said, "this stands nowhere at all", "b.md"),
        claim(said, "Everything else is as it was", "old/a.md"),
        claim("A cursor lives for 15 minutes.", "A cursor lives for 15 minutes"),
    )
    assert [line.verdict for line in lines] == ["derived", "derived", "quote-not-found", "unsupported", "verified"]


def test_a_statement_has_the_verdict_of_its_best_quote() -> None:
    said = "A cursor lives for 15 minutes."
    lines = checked(claim(said, "A cursor lives for 15 minutes", "a.md"), claim(said, "A cursor lives for", "old/a.md"))
    assert [line.verdict for line in lines] == ["verified", "verified"]


def test_a_document_that_vanishes_is_not_there() -> None:
    def read(_name: str) -> Document | None:
        return None

    (one,) = check([Claim(statement="x", quote="A cursor lives", document_id="a.md")], ["a.md"], read)
    assert one.reason == "no-such-document"


def test_other_fields_of_a_line_are_kept() -> None:
    (one,) = checked({**claim("x", "A cursor lives for 15"), "id": 7, "verdict": "verified"})
    data = one.to_json()
    assert (data["id"], data["verdict"]) == (7, "unsupported")


@pytest.mark.parametrize("data", [[], "x", {}, {"statement": "x"}, {"statement": 1, "quote": "x"}, claim("x", "y", 3)])  # type: ignore[arg-type] # that is the point
def test_what_is_no_claim(data: Any) -> None:
    with pytest.raises(ValueError, match=r"object|missing|text"):
        Claim.from_json(data)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("A cursor lives for 15 minutes.\n", encoding="utf-8")
    (docs / "s.md").write_text("---\ngroups: [security]\n---\nThe master key lies in the safe.\n", encoding="utf-8")
    with Collection(tmp_path, create=True, settings=Settings(embed=Component("embed", "hashing"))) as collection:
        collection.add([docs])
    (tmp_path / "pincite.toml").write_text('[embed]\nname = "hashing"\n', encoding="utf-8")
    return tmp_path


def test_what_one_may_not_see_is_not_there(folder: Path) -> None:
    secret = claim("The master key lies in the safe.", "master key lies in the safe")
    nothing = claim("The master key lies in the safe.", "master key lies in the attic")
    with Collection(folder) as collection:
        for name, reason in ((None, "not-in-documents"), ("s.md", "no-such-document")):
            for line in (secret, nothing):
                (one,) = collection.verify([{**line, "document": name}], principal=PUBLIC)
                assert (one.verdict, one.reason) == ("quote-not-found", reason)
        (one,) = collection.verify([secret], principal=Principal(frozenset({"security"})))
        assert (one.verdict, one.document_id) == ("verified", "s.md")
        assert collection.verify([], principal=PUBLIC) == []
        assert collection.verify([Claim(statement="x", quote="")], principal=PUBLIC)[0].reason == "empty"
        with pytest.raises(UsageError, match="number 2 is no claim"):
            collection.verify([secret, {}], principal=PUBLIC)
        with pytest.raises(UsageError, match="principal"):
            collection.verify([secret], principal=None)  # type: ignore[arg-type] # that is the point


def verify(folder: Path, text: str | bytes, *options: str) -> int:
    file = folder / "claims.jsonl"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SystemExit) as left:
        run(["verify", str(file), "--collection", str(folder), *options])
    assert isinstance(left.value.code, int)
    return left.value.code


GOOD = json.dumps(claim("A cursor lives for 15 minutes.", "A cursor lives for 15 minutes"))
SAID = json.dumps(claim("The cursor lives for a quarter, 15 minutes.", "A cursor lives for 15 minutes"))
SECRET = json.dumps(claim("The master key lies in the safe.", "The master key lies in the safe."))


def test_the_command_prints_verdicts_and_leaves_with_8(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(folder, f"{GOOD}\n\n") == 0
    assert capsys.readouterr().out == (
        "verified: A cursor lives for 15 minutes.\n"
        "    a.md [0, 29), exact: A cursor lives for 15 minutes\n"
        "    the quote says it (word-for-word)\n"
        "1 claim: 1 verified\n"
    )
    assert verify(folder, f"{GOOD}\n{SECRET}\n") == 8
    assert capsys.readouterr().out.endswith("2 claims: 1 verified, 1 quote-not-found\n")
    assert verify(folder, SECRET, "--as", "security") == 0


def test_json_lines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(folder, f"{GOOD}\n{SECRET}\n", "--json") == 8
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["verdict"], line["document"], line["start"]) for line in lines] == [
        ("verified", "a.md", 0),
        ("quote-not-found", None, None),
    ]


def test_verdicts_that_are_accepted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(folder, f"{GOOD}\n{SAID}\n") == 8
    assert verify(folder, f"{GOOD}\n{SAID}\n", "--accept", "paraphrase") == 0
    assert verify(folder, GOOD, "--accept", "true") == 2
    assert "there are: verified, paraphrase" in capsys.readouterr().err.lower()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{GOOD}\n{{}}", "line 2: is no claim ('statement' is missing or no text)"),
        (f"{GOOD}\n\nnonsense", "line 3: is no claim"),
        ("[" * 100_000, "line 1: is no claim"),
        ("", "has no claim"),
        (b"\xff", "is not UTF-8 (byte 0)"),
    ],
)
def test_a_broken_file(folder: Path, capsys: pytest.CaptureFixture[str], text: str | bytes, said: str) -> None:
    assert verify(folder, text) == 2
    assert said in capsys.readouterr().err


def test_a_missing_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        run(["verify", str(folder / "none.jsonl"), "--collection", str(folder)])
    assert left.value.code == 2
    assert "cannot be read" in capsys.readouterr().err
