"""Plots are sound SVG in both widths; pictures of them are PNG that says who made it."""

from __future__ import annotations

import re
import sys
import zlib
from functools import partial
from xml.etree import ElementTree

import pytest
import resvg_py

from pincite.cli.picture import MARK, drawing, marked
from pincite.cli.plots import BROAD, NARROW, Point, curves, figure, forest
from pincite.errors import MissingExtraError, UsageError

SVG = "{http://www.w3.org/2000/svg}"
POINTS = [Point("tokens:max_tokens=200", 0.8, 0.7, 0.9), Point("<structure>", -0.1, -0.3, 0.2, colour="#123456")]
SERIES = {f"series {number}": [(0.0, 0.0), (1000.0, number / 20)] for number in range(18)}


def elements(svg: str, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(f"{SVG}{name}"))


@pytest.mark.parametrize("width", [BROAD, NARROW])
def test_values_with_their_intervals(width: int) -> None:
    svg = forest(POINTS, unit="recall", width=width).svg
    texts = [each.text for each in elements(svg, "text")]
    assert {"<structure>", "0.800 [0.700, 0.900]", "-0.100 [-0.300, 0.200]"} <= set(texts)
    first, second = elements(svg, "circle")
    assert second.get("fill") == "#123456"
    assert float(str(first.get("cx"))) > float(str(second.get("cx")))
    zero = next(each for each in elements(svg, "line") if each.get("class") == "zero")
    assert float(str(second.get("cx"))) < float(str(zero.get("x1"))) < float(str(first.get("cx")))
    places = [float(str(each.get(name))) for each in elements(svg, "line") for name in ("x1", "x2")]
    assert all(0 <= place <= width for place in places)


def test_one_value_without_any_spread() -> None:
    (point,) = elements(forest([Point("a", 0.5, 0.5, 0.5)], unit="recall").svg, "circle")
    assert 0 < float(str(point.get("cx"))) < BROAD


def test_a_long_name_keeps_its_end() -> None:
    long = Point("structure:max_tokens=400,heading_prefix=off,overlap_tokens=50", 0.5, 0.4, 0.6)
    name = elements(forest([long], unit="recall", width=NARROW).svg, "text")[-2].text or ""
    assert re.fullmatch(r"structure.*….*tokens=50", name)
    assert len(name) <= 24


def test_curves_can_be_told_apart() -> None:
    lines = elements(curves(SERIES, x_unit="tokens", y_unit="recall").svg, "polyline")
    assert len({(line.get("stroke"), line.get("stroke-dasharray")) for line in lines}) == len(SERIES)


def test_a_curve_of_nothing() -> None:
    assert elements(curves({"a": [(0.0, 0.0)]}, x_unit="tokens", y_unit="recall", width=NARROW).svg, "polyline")


def test_a_picture() -> None:
    drawings = [("Values", forest(POINTS, unit="recall")), ("Curves", curves(SERIES, x_unit="x", y_unit="y"))]
    svg = figure("Title", ["One sentence. " * 30], drawings)
    png = drawing()(svg)
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert MARK.encode() in png[:100]
    assert resvg_py.svg_to_bytes(svg_string=svg) != resvg_py.svg_to_bytes(svg_string=figure("Title", [], drawings))


def test_the_mark_is_a_sound_chunk_behind_the_header() -> None:
    png = resvg_py.svg_to_bytes(svg_string='<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    place, names = 8, []
    written = marked(png)
    while place < len(written):
        size = int.from_bytes(written[place : place + 4], "big")
        body = written[place + 4 : place + 8 + size]
        assert zlib.crc32(body) == int.from_bytes(written[place + 8 + size : place + 12 + size], "big")
        names.append(body[:4])
        place += size + 12
    assert (names[:2], names[-1]) == ([b"IHDR", b"tEXt"], b"IEND")


def test_without_the_package_the_cure_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtraError, match=r"pincite\[png\]"):
        drawing()


def test_without_a_font_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resvg_py, "svg_to_bytes", partial(resvg_py.svg_to_bytes, skip_system_fonts=True))
    with pytest.raises(UsageError, match="no font"):
        drawing()
