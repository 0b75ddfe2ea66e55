"""The sample corpus and real documentation from end to end, with the default embedder."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite import catalogue
from pincite.engine import Collection, load_document
from pincite.errors import LoadError
from pincite.model import PUBLIC, Answer, Question

TWO_DOCUMENTS = (
    "The reader paused for 20 minutes. What are the lifetimes of the cursor and the Orbit 3 token, "
    "and is renewing the token enough to continue?"
)
GERMAN = "Darf ich während einer Cursorfolge den Gerätefilter ändern?"
ORBIT = Path(__file__).parent.parent.parent / "examples" / "orbit"
HTTPX = Path(__file__).parent.parent.parent.parent / "shared" / "data" / "httpx-docs" / "docs"


def questions() -> list[Question]:
    lines = (ORBIT / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [Question.from_json(json.loads(line)) for line in lines]


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    with Collection(tmp_path_factory.mktemp("orbit"), create=True) as opened:
        opened.add([ORBIT])
        yield opened


def sources(answer: Answer, collection: Collection) -> dict[str, str]:
    """The quotes of an answer by document, each checked against the document."""
    found: dict[str, str] = {}
    for statement in answer.statements:
        for citation in statement.citations:
            assert citation.holds_in(collection.document(citation.document_id, principal=PUBLIC))
            found[citation.document_id] = found.get(citation.document_id, "") + citation.quote
    return found


def test_the_questions_are_as_many_and_as_varied_as_promised() -> None:
    asked = questions()
    assert len({question.id for question in asked}) == len(asked) >= 80
    assert sum(question.language == "en" for question in asked) >= 50
    assert sum(question.language == "de" for question in asked) >= 30
    assert sum(len({judgement.document_id for judgement in question.relevant}) >= 2 for question in asked) >= 15
    assert sum(not question.relevant for question in asked) >= 15


def test_the_corpus_has_every_format_two_versions_and_three_groups() -> None:
    files = [path for path in ORBIT.rglob("*.*") if path.suffix in (".md", ".html", ".csv", ".docx", ".pdf")]
    assert len(files) >= 24
    assert {path.suffix for path in files} == {".md", ".html", ".csv", ".docx", ".pdf"}
    for path in files:
        if path.suffix == ".md":
            document = load_document(path)
            words = len(document.text[document.body_start :].split())
            assert 300 <= words <= 2000, path


def test_every_quote_stands_in_its_document_exactly_once() -> None:
    checked = 0
    suffixes = {suffix for row in catalogue.rows("load") for suffix in row.suffixes}
    for question in questions():
        for judgement in question.relevant:
            path = ORBIT / judgement.document_id
            assert path.is_file()
            if path.suffix in suffixes:
                text = " ".join(load_document(path).text.split())
                assert text.count(" ".join(judgement.text.split())) == 1, (question.id, judgement.text)
                checked += 1
    assert checked >= 80


def test_a_question_over_two_documents_cites_both(collection: Collection) -> None:
    found = sources(collection.ask(TWO_DOCUMENTS, principal=PUBLIC), collection)
    assert "15 minutes" in found["v3/pagination.md"]
    assert "does not renew a cursor" in found["v3/pagination.md"]
    assert "60 minutes" in found["v3/authentication.md"]


def test_a_german_question_finds_the_english_passage(collection: Collection) -> None:
    found = sources(collection.ask(GERMAN, principal=PUBLIC), collection)
    assert "is not allowed during a cursor sequence" in found["v3/pagination.md"]


@pytest.mark.parametrize(
    "question", ["What is the capital of Peru?", "Wie wird das Wetter morgen?", "Who won the football match?"]
)
def test_a_question_outside_of_the_corpus_is_not_answered(collection: Collection, question: str) -> None:
    answer = collection.ask(question, principal=PUBLIC)
    assert not answer.answered
    assert answer.kind in ("nothing-relevant", "insufficient")
    assert answer.reason.startswith(
        "Die Dokumente sagen das nicht" if "Wetter" in question else "The documents do not say"
    )


def test_nobody_but_a_member_sees_a_group(collection: Collection) -> None:
    for question in questions():
        if question.groups and "public" in question.groups and len(question.groups) == 2:
            ranking = collection.search(question.question, principal=PUBLIC, k=100)
            hidden = {
                hit.chunk.document_id
                for hit in ranking.hits
                if hit.chunk.document_id.startswith(("support/", "security/"))
            }
            assert not hidden


def test_adding_twice_embeds_nothing_and_an_edit_only_its_chunks(tmp_path: Path) -> None:
    docs = shutil.copytree(ORBIT / "v3", tmp_path / "v3")
    with Collection(tmp_path / "index", create=True) as opened:
        first = opened.add([docs])
        assert first.embedded > 30
        assert opened.add([docs]).embedded == 0
        page = docs / "rate-limits.md"
        page.write_text(page.read_text(encoding="utf-8").replace("1000 requests", "1001 requests"), encoding="utf-8")
        changed = opened.sync()
        assert changed.changed == ["rate-limits.md"]
        assert 0 < changed.embedded < len(opened.chunks("rate-limits.md", principal=PUBLIC))
        page.unlink()
        assert opened.sync().removed == ["rate-limits.md"]
        hits = opened.search("requests per minute", principal=PUBLIC, k=50).hits
        assert all(hit.chunk.document_id != "rate-limits.md" for hit in hits)


@pytest.fixture(scope="module")
def httpx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    if not HTTPX.is_dir():
        pytest.skip("the httpx documentation is missing in ../shared/data")
    with Collection(tmp_path_factory.mktemp("httpx"), create=True) as opened:
        opened.add([HTTPX])
        yield opened


@pytest.mark.parametrize("question", ["How do I turn timeouts off?", "Wie schalte ich Timeouts ab?"])
def test_timeouts_are_turned_off_in_two_languages(httpx: Collection, question: str) -> None:
    pages = ("advanced/timeouts.md", "quickstart.md")
    says_how = re.compile(r"[Dd]isabl\w+ (the )?timeout|timeout=None")
    hits = httpx.search(question, principal=PUBLIC, k=3).hits
    assert any(hit.chunk.document_id in pages and says_how.search(hit.chunk.text) for hit in hits)
    found = sources(httpx.ask(question, principal=PUBLIC), httpx)
    assert any(says_how.search(found.get(page, "")) for page in pages)


def test_what_cannot_be_loaded_is_told_by_name(collection: Collection) -> None:
    report = collection.sync()
    suffixes = {suffix for row in catalogue.rows("load") for suffix in row.suffixes}
    unsupported = {
        path.relative_to(ORBIT).as_posix()
        for path in ORBIT.rglob("*.*")
        if path.suffix not in suffixes and path.name not in ("pincite.toml", "questions.jsonl")
    }
    assert {notice.file for notice in report.failed} == unsupported
    assert all(notice.kind == LoadError("", cure="", kind="unsupported").kind for notice in report.failed)
