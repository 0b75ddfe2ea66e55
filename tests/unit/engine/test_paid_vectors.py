"""A model server that fails in the middle of a sync: what was paid for is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.remote.model_server import Behaviour, Reply, embeddings, good, serving

from pincite.config import Component, Settings
from pincite.engine import Collection
from pincite.errors import RemoteError

NAMES = ("a.md", "b.md", "c.md", "d.md")


def collection(folder: Path, url: str) -> Collection:
    (folder / "docs").mkdir(exist_ok=True)
    for name in NAMES:
        (folder / "docs" / name).write_text(f"# {name}\n\nWords of {name} and of nobody else.\n", encoding="utf-8")
    options: dict[str, Any] = {"model": "m", "base_url": url, "dimension": 16, "max_tokens": 100}
    options |= {"batch_size": 1, "concurrency": 1, "attempts": 1, "price_per_million_tokens": 2.0}
    return Collection(folder, create=True, settings=Settings(embed=Component("embed", "openai", options)))


def failing_at(name: str) -> Behaviour:
    def behaviour(_: int, body: Any) -> Reply:
        return Reply({"error": "no"}, status=400) if name in body["input"][0] else Reply(embeddings(body))

    return behaviour


def test_documents_that_were_embedded_are_written(tmp_path: Path) -> None:
    with serving(failing_at("c.md")) as server, collection(tmp_path, server.url) as opened:
        with pytest.raises(RemoteError):
            opened.add(tmp_path / "docs")
        assert [each.document_id for each in opened.status().documents] == ["a.md", "b.md"]
        asked = len(server.asked)
        server.behaviour = good
        report = opened.sync()
        assert (report.added, report.embedded) == (["c.md", "d.md"], 2)
        assert len(server.asked) == asked + 2


def test_what_it_cost_is_told(tmp_path: Path) -> None:
    with serving(good) as server, collection(tmp_path, server.url) as opened:
        report = opened.add(tmp_path / "docs")
        assert [notice.kind for notice in report.warnings] == ["cost"]
