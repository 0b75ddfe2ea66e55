"""Pages that made the taming itself slow."""

from __future__ import annotations

import time

import pytest

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
