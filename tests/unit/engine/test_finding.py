"""Search, ask and why of a collection: settings, options, and what each of them needs."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from pincite.config import Component, Settings, read_settings
from pincite.engine import Collection
from pincite.engine.finding import Options
from pincite.errors import ConfigError, NothingFoundError, UnknownNameError, UsageError
from pincite.model import PUBLIC, Principal

EMBED = Component("embed", "hashing")
TEXTS = {
    "ferry.md": "# Ferry\n\nThe ferry leaves at noon from the old pier, every day of the week but Sunday.\n",
    "twin.md": "# Ferry\n\nThe ferry leaves at noon from the old pier, every day of the week but Sunday.\n",
    "bread.md": "---\nversion: '2'\n---\n# Bread\n\nBread is baked before the ferry comes.\n",
    "crew.md": "---\ngroups: [crew]\n---\n# Crew\n\nThe crew of the ferry sleeps on board.\n",
}


@contextmanager
def collection_of(folder: Path, settings: Settings | None = None) -> Iterator[Collection]:
    (folder / "docs").mkdir(parents=True)
    for name, text in TEXTS.items():
        (folder / "docs" / name).write_text(text)
    with Collection(folder, create=True, settings=settings or Settings(embed=EMBED)) as collection:
        collection.add([folder / "docs"])
        yield collection


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    with collection_of(tmp_path) as opened:
        yield opened


def found(collection: Collection, query: str, **options: Any) -> list[str]:
    return [hit.chunk.document_id for hit in collection.search(query, principal=PUBLIC, **options).hits]


def test_repeats_are_folded_unless_settings_or_the_call_say_otherwise(collection: Collection, tmp_path: Path) -> None:
    ranking = collection.search("ferry at noon", principal=PUBLIC)
    assert [hit.chunk.document_id for hit in ranking.hits] == ["ferry.md", "bread.md"]
    assert [repeat.document_id for repeat in ranking.hits[0].also] == ["twin.md"]
    assert set(found(collection, "ferry at noon", fold=False)) == {"ferry.md", "twin.md", "bread.md"}
    with collection_of(tmp_path / "other", Settings(embed=EMBED, fold=False, min_relevance=0.99)) as other:
        assert found(other, "ferry at noon") == []
        assert set(found(other, "ferry at noon", min_relevance=0.0)) == {"ferry.md", "twin.md", "bread.md"}


def test_options_reach_the_search(collection: Collection) -> None:
    assert found(collection, '"baked before"') == ["bread.md"]
    assert found(collection, "ferry", without=["noons"]) == ["bread.md"]
    assert found(collection, "ferry", where="version = '2'", mode="lexical") == ["bread.md"]
    [hit] = collection.search("ferry", principal=PUBLIC, k=1, explain=True, expand="neighbours", budget_tokens=99).hits
    assert hit.explanation is not None
    assert hit.context is not None
    assert found(collection, "ferry", budget_tokens=3) == []
    assert found(collection, "ferry", rerank="none")


def test_a_lone_word_to_leave_out_is_not_its_letters(collection: Collection) -> None:
    assert found(collection, "ferry", without="noon") == found(collection, "ferry", without=["noon"]) == ["bread.md"]
    assert collection.why("ferry.md", "ferry", principal=PUBLIC, without="noon").verdict == "not"


def test_bytes_that_are_no_text(collection: Collection) -> None:
    """A command line gives them as halves of surrogate pairs, which SQLite refuses."""
    half = "caf\udce9"
    assert found(collection, f"ferry {half}")
    with pytest.raises(UsageError, match="the condition has bytes that are no UTF-8"):
        found(collection, "ferry", where=f"version = '{half}'")
    with pytest.raises(UsageError, match="a group has bytes that are no UTF-8"):
        collection.search("ferry", principal=Principal(frozenset({"public", half})))
    for call in (collection.document, collection.chunks):
        with pytest.raises(NothingFoundError):
            call(half, principal=PUBLIC)
    with pytest.raises(NothingFoundError):
        collection.why(half, "ferry", principal=PUBLIC)


def test_who_asks_is_never_forgotten(collection: Collection) -> None:
    for call in (
        lambda: collection.search("x", principal=None),  # type: ignore[arg-type]
        lambda: collection.why("ferry.md", "x", principal="public"),  # type: ignore[arg-type]
        lambda: collection.ask("x", principal=None),  # type: ignore[arg-type]
    ):
        with pytest.raises(UsageError, match="Say who asks"):
            call()


def test_unknown_names_are_errors_before_anything_is_opened() -> None:
    with pytest.raises(UsageError, match="There are: hybrid, lexical, dense"):
        Options(mode="fuzzy")
    with pytest.raises(UsageError, match="There are: parent, neighbours"):
        Options(expand="children")
    with pytest.raises(UnknownNameError, match="no reranker is called 'nope'"):
        Options(rerank="nope")


def test_ask_takes_conditions_and_unwanted_words(collection: Collection) -> None:
    def quoted(**options: Any) -> str:
        answer = collection.ask("When does the ferry leave?", principal=PUBLIC, **options)
        return " ".join(statement.text for statement in answer.statements)

    assert "noon" in quoted()
    assert "noon" not in quoted(without=["noon"])
    assert "noon" not in quoted(where="version = '2'")


def test_why(collection: Collection) -> None:
    told = collection.why("twin.md", "ferry at noon", principal=PUBLIC)
    assert (told.verdict, told.rank) == ("folded", 2)
    assert collection.why("bread.md", "ferry", principal=PUBLIC, where="not has version").verdict == "where"
    assert collection.why("bread.md", "ferry at noon", principal=PUBLIC, line=6, k=1).verdict == "cut"
    for name in ("crew.md", "nowhere.md"):
        with pytest.raises(NothingFoundError, match="no such document that you may see"):
            collection.why(name, "ferry", principal=PUBLIC)
    assert collection.why("crew.md", "crew", principal=Principal(frozenset({"crew"}))).verdict == "hit"


class Backwards(BaseHTTPRequestHandler):
    """A server with a rerank API: the later a passage comes, the better it is."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        results = [{"index": index, "relevance_score": index / 9} for index in range(len(asked["documents"]))]
        data = json.dumps({"results": results}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments: object) -> None:
        """Nothing on stderr."""


@pytest.fixture
def server() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Backwards) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def test_a_reranker_of_the_settings(tmp_path: Path, server: str) -> None:
    pytest.importorskip("httpx2")
    (tmp_path / "pincite.toml").write_text(
        f'[embed]\nname = "hashing"\n[search]\nrerank = "http"\n[rerank.http]\nbase_url = "{server}"\n'
    )
    with collection_of(tmp_path, read_settings(tmp_path / "pincite.toml")) as collection:
        plain = found(collection, "ferry at noon", rerank="none", fold=False)
        assert found(collection, "ferry at noon", fold=False) == plain[::-1]
        ranking = collection.search("ferry at noon", principal=PUBLIC, fold=False, rerank="http", explain=True)
        assert [hit.explanation and hit.explanation.fused_rank for hit in ranking.hits] == [3, 2, 1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[search]\nfold = 1\n", "It is true or false"),
        ("[search]\nmin_relevance = 2\n", "a number from 0 to 1"),
        ("[search]\nmin_relevance = true\n", "a number from 0 to 1"),
        ("[search]\nrerank = 3\n", "a name in quotes"),
        ("[search]\nrerank = 'nope'\n", "no reranker is called 'nope'"),
        ("[rerank.nope]\n", "no reranker is called 'nope'"),
        ("[rerank.http]\nurl = 'x'\n", "no option 'url'"),
    ],
)
def test_settings_that_are_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "pincite.toml").write_text(text)
    with pytest.raises(ConfigError, match=said):
        read_settings(tmp_path / "pincite.toml")
