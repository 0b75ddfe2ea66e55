"""Pages made to exhaust the parser cost no more than others of their size, and lose no text."""

from __future__ import annotations

import time

import pytest
from selectolax.lexbor import LexborHTMLParser

from pincite.load.html.loader import HtmlLoader
from pincite.load.html.taming import MOST_NESTED, as_html, tamed
from pincite.model import Source

N = 100_000
SECONDS = 5.0


def depth(html: str) -> int:
    """Of the deepest element in the tree that the parser makes of it."""
    node, level, deepest = LexborHTMLParser(html).root, 0, 0
    while node is not None:
        if node.first_child is not None:
            node, level = node.first_child, level + 1
            deepest = max(deepest, level)
            continue
        while node is not None and node.next is None:
            node, level = node.parent, level - 1
        node = node.next if node is not None else None
    return deepest


HOSTILE = {
    "div": "<div>" * N + "word",
    "list": "<ul><li>" * N + "word",
    "definitions": "<dl><dd>" * N + "word",
    "details": "<details>" * (N // 2) + "word",
    "tables": "<table><tr><td>" * (N // 4) + "word",
    "closed in another scope": "<div><table><tr><td></div></table>" * (N // 4) + "word",
    "quotes": "<blockquote>" * N + "word",
    "formatting left open": "".join(f"<i id={number}><p>" for number in range(N // 4)) + "word",
    "formatting": "".join(f"<em a{number}>" for number in range(N)) + "word",
    "unmatched ends": "<span>" * N + "</div>" * N + "word",
    "templates": "<template>" * N + "</template>" * N + "word",
    "attributes": "<p " + " ".join(f"a{number}=1" for number in range(N)) + ">word",
    "links": "<a href=#>x" * N + "word",
    "entities": "&amp;" * N + "word",
    "ends": "</p>" * N + "word",
    "quotation marks": '<p a="' * N + '">word',
    "sups": "<sup>1" * N + "word",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_read_in_time(name: str) -> None:
    start = time.process_time()
    document = HtmlLoader().load(Source("a.html", HOSTILE[name].encode()))
    assert time.process_time() - start < SECONDS
    assert "word" in document.text


@pytest.mark.parametrize("name", ["div", "list", "tables", "closed in another scope", "templates"])
def test_nesting_is_bounded(name: str) -> None:
    assert depth(tamed(HOSTILE[name])) < 5 * MOST_NESTED


def test_ordinary_pages_are_left_as_they_are() -> None:
    html = (
        "<!doctype html><p class='x'>" + "a long line " * 1000 + "<b>x</b><!-- c --><script>if (a < b) '<div>'</script>"
    )
    assert tamed(html) == html


def test_many_tags_alone_change_no_tree() -> None:
    html = (
        "<!-- <div> --><ul>"
        + "<li class=x>a <span>b</span><br/><script>'<div>'</script>\n" * 4000
        + "</ul><p title='<i>'>x"
    )
    assert LexborHTMLParser(tamed(html)).html == LexborHTMLParser(html).html


def test_templates_stay_unread() -> None:
    assert HtmlLoader().load(Source("a", b"<p>a<template><p>no</template>b")).text == "ab\n"


@pytest.mark.parametrize(
    ("xhtml", "html"),
    [
        ("<html xmlns='http://www.w3.org/1999/xhtml'><title/><a id='x'/>", "<a id='x'></a>"),
        ("<?xml version='1.0'?><html><script src='a'/><p>x", "<script src='a'></script>"),
        ("<?xml version='1.0'?><p><![CDATA[a < b]]>", "a &lt; b"),
        ("<?xml version='1.0'?><p>a<br/>b", "a<br/>b"),
        ("<p>a<div/>b", "a<div/>b"),
    ],
)
def test_short_forms_of_xhtml(xhtml: str, html: str) -> None:
    assert html in as_html(xhtml)
