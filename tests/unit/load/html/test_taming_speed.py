"""Pages that made the taming itself slow."""

from __future__ import annotations

import time

import pytest

from pincite.errors import LoadError
from pincite.load.html.loader import HtmlLoader
from pincite.model import Source


@pytest.mark.parametrize(
    "unit",
    ["<!-- a -->\n", "<svg><title>", "<math><style>"],
    ids=["comments", "titles in drawings", "styles in formulas"],
)
def test_the_cost_grows_with_the_page(unit: str) -> None:
    def seconds(count: int) -> float:
        page = (unit * count + "<p>Words.</p>").encode()
        started = time.process_time()
        document = HtmlLoader().load(Source("a.html", page))
        assert "Words." in document.text or unit.startswith(("<svg", "<math"))
        return time.process_time() - started

    few, many = min(seconds(300) for _ in range(3)), seconds(3000)
    assert many < 40 * few + 0.5  # a hundred times the work where it is quadratic


def test_cells_that_span_without_end_are_refused_at_once() -> None:
    page = "<table>" + "<tr><td colspan=1000 rowspan=65534>x</td><td>y</td></tr>" * 300 + "</table>"
    started = time.process_time()
    with pytest.raises(LoadError) as caught:
        HtmlLoader().load(Source("a.html", page.encode()))
    assert caught.value.kind == "too_large"
    assert time.process_time() - started < 10  # it took minutes


def test_an_inner_subset_is_no_text() -> None:
    page = '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><html><p>XX&x;YY</p></html>'
    assert HtmlLoader().load(Source("a.xhtml", page.encode())).text == "XX&x;YY\n"


def test_a_page_that_declares_nothing_is_read_as_the_web_reads_it() -> None:
    document = HtmlLoader().load(Source("a.html", "<p>très, señora, Übung</p>".encode("cp1252")))
    assert document.text == "très, señora, Übung\n"
    assert [notice.kind for notice in document.warnings] == ["encoding"]
