"""No text is embedded in part: a collection splits what its embedder would not read to the end, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.property.embedders import LimitedEmbedder

from pincite import catalogue
from pincite.config import Component, Settings
from pincite.engine import Collection
from pincite.engine.chunking import chunk_document, fit_report, fitted_chunks, limit_of
from pincite.engine.documents import load_document
from pincite.errors import CollectionError
from pincite.model import PUBLIC

SETTINGS = Settings(chunk=Component("chunk", "structure", {"counter": "words", "max_tokens": 50}))
TEXT = "---\ntitle: Quay rules\n---\n# Rules\n\n" + "Every boat pays. " * 8 + "\n\n# Fees\n\nNone.\n"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "docs" / "rules.md"
    file.parent.mkdir()
    file.write_text(TEXT)
    return file


def test_what_is_over_the_limit_is_split_and_told(tmp_path: Path, page: Path) -> None:
    with Collection(tmp_path, create=True, settings=SETTINGS, embedder=LimitedEmbedder(max_tokens=12)) as collection:
        report = collection.add(page)
        chunks = collection.chunks("rules.md", principal=PUBLIC)
        assert [warning.to_json() for warning in report.warnings] == [
            {
                "kind": "split",
                "message": "1 chunk was over the 12 tokens that 'limited' reads of one text, "
                "and split further or given a shorter prefix",
                "file": "rules.md",
            }
        ]
        assert [(chunk.number, chunk.tokens, chunk.prefix) for chunk in chunks] == [
            (1, 8, ""),
            (2, 10, "Rules"),
            (3, 10, "Rules"),
            (4, 3, ""),
        ]
        assert collection.sync().unchanged == ["rules.md"]


def test_another_limit_asks_for_a_rebuild(tmp_path: Path, page: Path) -> None:
    def opened(limit: int) -> Collection:
        return Collection(tmp_path, create=True, settings=SETTINGS, embedder=LimitedEmbedder(max_tokens=limit))

    with opened(12) as collection:
        assert collection.add(page).added == ["rules.md"]
        assert len(collection.chunks("rules.md", principal=PUBLIC)) == 4
    with opened(9) as collection:
        with pytest.raises(CollectionError, match="reads 9 tokens of a text, not 12"):
            collection.sync()
        assert collection.sync(rebuild=True).changed == ["rules.md"]
        assert len(collection.chunks("rules.md", principal=PUBLIC)) == 5


def test_metadata_in_front_of_every_chunk_counts(tmp_path: Path, page: Path) -> None:
    settings = Settings(chunk=SETTINGS.chunk, embed_metadata=("title",))
    with Collection(tmp_path, create=True, settings=settings, embedder=LimitedEmbedder(max_tokens=12)) as collection:
        collection.add(page)
        chunks = collection.chunks("rules.md", principal=PUBLIC)
    assert max(chunk.tokens for chunk in chunks) <= 12 - 3


def test_a_document_of_which_nothing_fits_fails_and_no_other(tmp_path: Path, page: Path) -> None:
    other = page.with_name("other.md")
    other.write_text("---\ntitle: " + "very long " * 9 + "\n---\nShort.\n")
    settings = Settings(chunk=SETTINGS.chunk, embed_metadata=("title",))
    with Collection(tmp_path, create=True, settings=settings, embedder=LimitedEmbedder(max_tokens=12)) as collection:
        report = collection.add(page.parent)
    assert report.added == ["rules.md"]
    [failed] = report.failed
    assert (failed.kind, failed.file) == ("too_large", "other.md")
    assert "12 tokens" in failed.message


def test_without_a_limit_nothing_is_counted(page: Path) -> None:
    document = load_document(page)
    chunks = chunk_document(document)
    chunker = catalogue.create("chunk", "structure")
    assert fitted_chunks(document, chunks, chunker, LimitedEmbedder(max_tokens=None)) == (chunks, None)
    assert fitted_chunks(document, chunks, chunker, LimitedEmbedder(max_tokens=99)) == (chunks, None)


def test_the_report_counts_in_the_embedders_tokens(page: Path) -> None:
    document = load_document(page)
    chunks = chunk_document(document, options={"counter": "words", "max_tokens": 50})
    fit = fit_report(document, chunks, LimitedEmbedder(max_tokens=12), metadata=("title",))
    assert (fit.embedder, fit.max_tokens, fit.tokens, fit.over) == ("limited", 12, (29, 6), (1,))
    notice = fit.notice(document.id)
    assert notice
    assert (notice.kind, notice.file) == ("over_limit", document.id)
    assert notice.message.startswith("1 chunk is over the 12 tokens that 'limited' reads")
    several = fit_report(document, chunks, LimitedEmbedder(max_tokens=2)).notice("a.md")
    assert several
    assert several.message.startswith("2 chunks are")
    assert fit_report(document, chunks, LimitedEmbedder(max_tokens=None)).notice("a.md") is None


@pytest.mark.parametrize(
    ("strategy", "options", "limit"),
    [
        ("structure", {"max_tokens": 9}, 9),
        ("structure", {"max_tokens": 10, "keep_whole": {"code": 2.5}}, 25),
        ("characters", {"max_characters": 200}, 200),
        ("headings-capped", {}, None),
        ("sections", {}, None),
    ],
)
def test_the_limit_that_a_strategy_promises(strategy: str, options: dict[str, object], limit: int | None) -> None:
    assert limit_of(catalogue.create("chunk", strategy, options)) == limit
