"""What a page says of itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pincite.load.html.loader import HtmlLoader
from pincite.model import Source


def metadata(head: str, html: str = "<html>") -> dict[str, Any]:
    return dict(HtmlLoader().load(Source("a.html", f"{html}<head>{head}</head><p>x".encode())).metadata)


def test_everything() -> None:
    head = """<title> Berths &amp;
      tides </title><meta name=description content="Where to  moor"><meta name=author content="A. Lind">
      <meta name=author content="B. Roe"><meta property="article:published_time" content="2024-03-01T10:00:00Z">
      <link rel=canonical href="https://example.org/berths"><meta name=version content="2.1">"""
    assert metadata(head, "<html lang=de-AT>") == {
        "title": "Berths & tides",
        "description": "Where to moor",
        "authors": ("A. Lind", "B. Roe"),
        "date": "2024-03-01T10:00:00+00:00",
        "language": "de",
        "url": "https://example.org/berths",
        "version": "2.1",
    }


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("", {}),
        ("<title></title><meta property=og:title content=Berths>", {"title": "Berths"}),
        ("<meta name=author content='https://example.org/a'>", {}),
        ("<meta name=date content='last week'><meta name=DC.date content=2024/3/1>", {"date": "2024-03-01"}),
        ("<meta name=date content=2024-13-77>", {}),
        ("<meta name=last-modified content=2024-03-02>", {"date": "2024-03-02"}),
        ("<link rel=canonical href='javascript:x'>", {}),
        (
            "<link rel=canonical><meta property=og:url content='https://example.org/b'>",
            {"url": "https://example.org/b"},
        ),
        ("<meta http-equiv=content-language content='fr, en'>", {"language": "fr"}),
        ("<meta http-equiv=content-language content='french language'>", {}),
        ("<script type='application/ld+json'>{</script>", {}),
        ("<script type='application/ld+json'>" + "[" * 100_000 + "</script>", {}),
    ],
)
def test_one_by_one(head: str, expected: dict[str, Any]) -> None:
    assert metadata(head) == expected


@pytest.mark.parametrize(
    ("author", "authors"),
    [
        ({"name": "A. Lind"}, ("A. Lind",)),
        ([{"name": "A. Lind"}, "B. Roe", 3, {"name": None}], ("A. Lind", "B. Roe")),
        (None, None),
    ],
)
@pytest.mark.parametrize("shape", ["object", "list", "graph"])
def test_structured_data(author: Any, authors: tuple[str, ...] | None, shape: str) -> None:
    item = {"@type": "Article", "datePublished": "2024-03-01", "author": author}
    data = {"object": item, "list": [item, "x"], "graph": {"@graph": [item]}}[shape]
    found = metadata(f"<script type='application/ld+json'>{json.dumps(data)}</script>")
    assert found.get("authors") == authors
    assert found["date"] == "2024-03-01"


def test_the_time_of_publication_in_the_page() -> None:
    assert metadata("</head><body><time pubdate datetime=2024-03-01>first</time>")["date"] == "2024-03-01"
