"""Which chunks are called bad, and which are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.documents import markdown_document, markdown_documents, plain_documents

from pincite.engine.documents import load_files
from pincite.engine.files import find_files
from pincite.engine.lint import KINDS, Finding, Rules, lint
from pincite.errors import LoadError, UsageError
from pincite.load.code import CodeLoader
from pincite.model import Block, Document, Place, Placement, Source, Span

WORDS = "The quick brown fox jumps over the lazy dog while a slow green turtle watches from the fence nearby today. "
FENCE = "```python\n" + "".join(f"value_{number} = {number} * other\n\n" for number in range(30)) + "```\n"
TABLE = "| name | room |\n| --- | --- |\n" + "".join(f"| person {number} | {number} |\n" for number in range(40))


def found(
    *texts: str | Document, strategy: str = "structure", rules: Rules | None = None, **options: Any
) -> list[Finding]:
    documents = [
        text if isinstance(text, Document) else made(text, f"d{number}.md") for number, text in enumerate(texts)
    ]
    return list(lint(documents, strategy=strategy, options=options, rules=rules).findings)


def made(text: str, document_id: str) -> Document:
    document = markdown_document(text)
    return Document(document_id, document_id, "text/markdown", text, document.blocks)


def kinds(findings: list[Finding]) -> list[tuple[str, int]]:
    return [(finding.kind, finding.number) for finding in findings]


def test_a_good_document_has_none() -> None:
    report = lint([made(f"# A\n\n{WORDS}\n\n{TABLE}\n## B\n\n{FENCE}", "a.md")])
    assert report.findings == ()
    assert report.counts == dict.fromkeys(KINDS, 0)
    assert (report.documents, report.chunks) == (1, 2)


def test_heading_only() -> None:
    findings = found(f"# A\n\n{WORDS * 30}\n\n# B\n", strategy="headings")
    assert kinds(findings) == [("heading-only", 2)]
    assert (findings[0].span, findings[0].place.line) == (Span(3217, 3220), 5)
    assert kinds(found("# A\n\n## B\n\nText of b.\n", strategy="headings")) == [("heading-only", 1)]
    assert found("# A\n\n## B\n\nText of b.\n") == []


def test_tiny() -> None:
    (finding,) = found(f"# A\n\n{WORDS * 9}\n\n# B\n\nShort.\n", max_tokens=300)
    assert (finding.kind, finding.number) == ("tiny", 2)
    assert finding.message == "has a text of 5 tokens (o200k_base), less than 5 % of the limit of 300"
    assert found("Short.\n", max_tokens=300) == []  # alone in its document: nothing to merge it with
    assert kinds(found(f"# A\n\n{WORDS}\n\n# B\n\nShort.\n", max_tokens=300, rules=Rules(tiny_share=0.9))) == [
        *(("tiny", 1), ("tiny", 2)),
    ]
    assert found(f"# A\n\n{WORDS * 9}\n\n# B\n\nShort.\n", rules=Rules(tiny_share=0)) == []
    (finding,) = found(f"# A\n\n{WORDS * 30}\n\n# B\n\nShort.\n", strategy="headings")
    assert finding.message == "has a text of 11 characters, less than 5 % of the mean of 1612"
    (finding,) = found(WORDS * 8 + "x", strategy="characters", max_characters=len(WORDS) * 8, overlap_characters=0)
    assert finding.message == "has a text of 1 characters, less than 5 % of the limit of 856"


def test_tiny_is_measured_without_the_prefix() -> None:
    title = "A rather long heading that would make every chunk below it look as if it were of a decent size"
    (long, tiny) = found(f"# {title}\n\n{WORDS * 30}\n\n## B\n\nShort.\n", strategy="sections")
    assert (long.kind, tiny.kind, long.number) == ("tiny", "long-prefix", 2)


def test_near_duplicates() -> None:
    other = WORDS.replace("green", "blue") + "And then the day was over and everybody went home to sleep. "
    text = WORDS + other * 3
    findings = found(text, text, text.replace("turtle", "tortoise", 1), WORDS)
    assert [(finding.document_id, finding.message) for finding in findings] == [
        ("d1.md", "is the same as chunk 1 of d0.md"),
        ("d2.md", "is 98 % the same as chunk 1 of d0.md"),
    ]
    assert len(found(text, text.replace("turtle", "tortoise"), rules=Rules(same_share=0.85))) == 1
    assert found(text, text.replace("turtle", "tortoise"), rules=Rules(same_share=0.99)) == []
    same = found(f"# A\n\n{WORDS * 2}\n\n# B\n\n{WORDS * 2}\n", strategy="sections")
    assert [(finding.number, finding.message) for finding in same] == [(2, "is the same as chunk 1")]


def test_a_window_inside_the_one_before() -> None:
    text = "".join(f"{number:04} " for number in range(100))
    findings = found(text, strategy="characters", max_characters=300, overlap_characters=200)
    assert [(finding.kind, finding.number, finding.message) for finding in findings] == [
        ("near-duplicate", 4, "lies wholly inside chunk 3"),
        ("near-duplicate", 5, "lies wholly inside chunk 3"),
    ]


def test_half_fences() -> None:
    findings = found(f"# A\n\n{WORDS}\n\n{FENCE}", strategy="tokens", max_tokens=100)
    assert {finding.kind for finding in findings} == {"half-fence"}
    assert findings[0].message == "has only a part of the code block (python) in lines 5 to 66"
    assert "The block alone has 274 tokens (o200k_base): raise the limit of 100" in findings[0].cure
    whole = found(f"# A\n\n{WORDS * 12}\n\n{FENCE}", strategy="tokens", max_tokens=320)
    assert [finding.cure for finding in whole] == ["Use `structure`, which keeps it whole."] * 2
    assert kinds(found(f"# A\n\n{WORDS * 12}\n\n{FENCE}", strategy="headings")) == []
    indented = f"# A\n\n{WORDS}\n\n    indented\n\n    code\n\n{WORDS}\n"
    assert kinds(found(indented, strategy="characters", max_characters=120, overlap_characters=0)) == [
        *(("half-fence", 1), ("half-fence", 2)),
    ]
    assert found(indented, strategy="characters", max_characters=141, overlap_characters=0) == []


def test_a_block_whose_place_nobody_knows() -> None:
    text = "Words.\n\n" + FENCE
    block = Block("code", Span(8, len(text)))
    placement = Placement(Span(0, 7), Place(page=3))
    document = Document(
        "a.pdf", "a.pdf", "application/pdf", text, (Block("paragraph", Span(0, 6)), block), (placement,)
    )
    first, *_ = found(document, strategy="tokens", max_tokens=100)
    assert (first.message, str(first.place)) == ("has only a part of the code block", "page 3")


def test_boilerplate_of_a_document_with_pages_has_the_page_of_its_chunk() -> None:
    text = "This document is for the harbour only."
    documents = [
        Document(
            f"{number}.pdf",
            "x",
            "application/pdf",
            text,
            (Block("paragraph", Span(0, len(text))),),
            (Placement(Span(0, len(text)), Place(page=number)),),
        )
        for number in (1, 2)
    ]
    findings = found(*documents, rules=Rules(boilerplate_chunks=1, same_share=1))
    assert [str(finding.place) for finding in findings if finding.kind == "boilerplate"] == ["page 1"]


def test_source_code_is_no_fence() -> None:
    source = "".join(f"def name_{number}():\n    return {number}\n\n\n" for number in range(60))
    document = CodeLoader().load(Source("a.py", source.encode()))
    assert found(document, strategy="tokens", max_tokens=100, rules=Rules(tiny_share=0)) == []


def test_tables_without_header() -> None:
    assert "table-without-header" not in dict(kinds(found(f"# A\n\n{TABLE}", max_tokens=120)))
    findings = found(f"# A\n\n{TABLE}", strategy="tokens", max_tokens=120)
    assert {finding.kind for finding in findings} == {"table-without-header"}
    assert [finding.number for finding in findings] == list(range(2, len(findings) + 2))
    assert findings[0].message == "has rows of the table in lines 3 to 44 without its header"
    assert findings[0].cure == "Use `structure`, which repeats the header in the prefix."
    wide = "| " + " | ".join(f"column {number}" for number in range(40)) + " |\n"
    wide += "|---" * 40 + "|\n" + ("| x " * 40 + "|\n") * 30
    (first, *_) = found(f"# A\n\n{wide}", max_tokens=250, rules=Rules(same_share=1))
    assert (first.kind, first.cure.partition(":")[0]) == (
        "table-without-header",
        "The header alone has 242 tokens (o200k_base)",
    )


def test_a_table_of_which_only_blanks_follow_the_header() -> None:
    text = "| a |\n| - |\n\nWords.\n"
    header = Span(0, 11)
    document = Document("a.md", "a.md", "text/markdown", text, (Block("table", header, header=header),))
    assert found(document, strategy="characters", max_characters=12, overlap_characters=0) == []


def test_long_prefixes() -> None:
    title = "A heading of many words that says nearly all that there is to be said"
    findings = found(f"# {title}\n\n## {title}\n\nShort text here.\n", strategy="sections")
    assert [(finding.kind, finding.message) for finding in findings] == [
        ("long-prefix", "has a prefix of 31 tokens (o200k_base) and a text of 4"),
    ]
    assert found(f"# {title}\n\n{WORDS}\n", strategy="sections") == []


def test_boilerplate() -> None:
    page = (
        "# Page {0}\n\nText number {0} of its own.\n\nAll rights reserved by the harbour.\nSeen in {0}.\nCall the port."
    )
    texts = [page.format(number) for number in range(12)]
    (finding,) = found(*texts)
    assert (finding.kind, finding.document_id, finding.number, finding.place.line) == ("boilerplate", "d0.md", 1, 5)
    assert finding.span.of(texts[0]) == "All rights reserved by the harbour."
    first = "has the line “All rights reserved by the harbour.” and 1 more with it, which stand in"
    assert finding.message == f"{first} 12 chunks of 12 documents"
    assert found(*texts[:10]) == []
    assert len(found(*texts[:10], rules=Rules(boilerplate_chunks=9))) == 1
    assert found(*texts, rules=Rules(ignore=frozenset({"boilerplate"}))) == []


def test_boilerplate_in_one_document() -> None:
    line = "This sentence stands below every section of the book, and it is so long that it is shortened."
    text = "\n".join(f"## Section {number}\n\n{WORDS}{number}\n\n{line}\n" for number in range(11))
    (finding,) = found(text, min_tokens=0, rules=Rules(same_share=1))
    assert finding.message == f"has the line “{line[:59]}…”, which stands in 11 chunks of one document"


@pytest.mark.parametrize(
    "line",
    [
        "For example:",
        "/// note | Technical details",
        ":::warning here",
        '<div class="box">',
        "```",
        "## Examples of it",
        "| table of | words |\n| --- | --- |\n| repeated row | words |",
        "    indented(code)",
        '"type": "string",',
        "ok 12345",
    ],
)
def test_what_is_no_boilerplate(line: str) -> None:
    texts = [f"# Page {number}\n\nText number {number} of its own.\n\n{line}\n\nEnd {number}." for number in range(12)]
    assert [finding for finding in found(*texts) if finding.kind == "boilerplate"] == []


def test_overlap_does_not_make_boilerplate() -> None:
    text = "\n\n".join(f"Sentence number {number} of the text." for number in range(40))
    options = {"max_characters": 400, "overlap_characters": 390}
    rules = Rules(boilerplate_chunks=1, ignore=frozenset({"near-duplicate", "tiny"}))
    assert found(text, strategy="characters", rules=rules, **options) == []


def test_a_line_in_no_chunk_as_a_whole_is_not_counted() -> None:
    texts = [f"{number}\n\n{'A line that is longer than any chunk of the windows. ' * 3}" for number in range(5)]
    rules = Rules(boilerplate_chunks=1, ignore=frozenset({"near-duplicate", "tiny"}))
    assert found(*texts, strategy="characters", max_characters=50, overlap_characters=0, rules=rules) == []


def test_rules_are_checked() -> None:
    for wrong in ({"tiny_share": -0.1}, {"tiny_share": 2}, {"same_share": 0.5}, {"boilerplate_chunks": 0}):
        with pytest.raises(UsageError):
            Rules(**wrong)
    with pytest.raises(UsageError, match=r"no kind of finding is called 'nope'\. There are: heading-only, tiny"):
        Rules(ignore=frozenset({"nope"}))
    with pytest.raises(UsageError, match="no strategy"):
        lint([], strategy="nope")


def test_json() -> None:
    report = lint([made(f"# A\n\n{WORDS * 9}\n\n# B\n\nShort.\n", "a.md")])
    data = json.loads(json.dumps(report.to_json()))
    assert data["counts"]["tiny"] == 1
    assert set(data["findings"][0]) == {
        *("kind", "message", "cure", "document", "number", "start", "end", "line", "place"),
    }
    assert (data["findings"][0]["line"], data["documents"], data["chunks"]) == (5, 1, 2)


@given(st.lists(st.one_of(markdown_documents, plain_documents), max_size=3))
def test_any_document_can_be_looked_at(documents: list[Document]) -> None:
    rules = Rules(tiny_share=0.5, boilerplate_chunks=1)
    for strategy, options in (("tokens", {"max_tokens": 9, "overlap_tokens": 3}), ("structure", {"max_tokens": 20})):
        report = lint(documents, strategy=strategy, options=options, rules=rules)
        for finding in report.findings:
            texts = {document.text for document in documents if document.id == finding.document_id}
            assert any(finding.span.of(text).strip() for text in texts)
            assert finding.message
            assert finding.cure


def loaded(folder: Path) -> list[Document]:
    results = load_files(find_files([folder]).files)
    return [result for result in results if not isinstance(result, LoadError)]


def test_the_sample_corpus_is_clean(orbit: Path) -> None:
    assert lint(loaded(orbit)).findings == ()


def test_half_fences_of_the_lesson(shared: Path) -> None:
    """14 chunks of its capped cutter hold half a fence; one more is the middle of a block and has no fence line."""
    report = lint(loaded(shared / "data" / "httpx-docs" / "docs"), strategy="headings-capped")
    halves = [finding for finding in report.findings if finding.kind == "half-fence"]
    assert (report.chunks, len(halves)) == (196, 15)
