"""Plots as SVG, for pages that fetch nothing and run nothing, and for pictures of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

from pincite.cli.standalone import escaped

COLOURS = ("#2f6fde", "#d9822b", "#1a9a6b", "#b3459c", "#7a6ff0", "#8a8f28", "#c8473c", "#3c8fa6")
DASHES = ("", "7 4", "2 3")
"""What tells curves apart where there are more than colours."""
BROAD, NARROW = 900, 360
"""Widths in pixels; names stand above their lines in plots that are narrower than ``NAMES_ABOVE``."""
NAMES_ABOVE = 600
NAMES, VALUES, MARGIN, TOP, BOTTOM = 310, 170, 12, 10, 30
LINE = 22
SERIFLESS = "text { font: 13px sans-serif; fill: #1c2330 } .soft { fill: #5b6575 } .axis { stroke: #d5dae2 }"
"""The style of a drawing that is no part of a page."""


@dataclass(frozen=True, slots=True)
class Point:
    """A value with its interval; ``colour`` where it is not that of its place in the list."""

    name: str
    value: float
    low: float
    high: float
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """``parts`` are elements of SVG in pixels; ``label`` is for those who cannot see them."""

    width: int
    height: float
    label: str
    parts: tuple[str, ...]

    @property
    def svg(self) -> str:
        return self.placed("")

    def placed(self, where: str) -> str:
        """As a part of another drawing, with the attributes that say where."""
        begin = f'<svg {where}viewBox="0 0 {self.width} {self.height:g}" role="img" aria-label="{escaped(self.label)}"'
        return "\n".join([f'{begin} xmlns="http://www.w3.org/2000/svg">', *self.parts, "</svg>"])


def forest(points: Sequence[Point], *, unit: str, width: int = BROAD) -> Drawing:
    """One line per value with its interval, on one scale; a line at 0 where it lies within."""
    low = min(min(point.low for point in points), min(point.value for point in points))
    high = max(max(point.high for point in points), max(point.value for point in points))
    spread = (high - low) or 1.0
    low, high = low - 0.05 * spread, high + 0.05 * spread
    above = width < NAMES_ABOVE
    left, right, row = (MARGIN, MARGIN, 2 * LINE) if above else (NAMES, VALUES, 30)
    bottom = TOP + row * len(points)

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * (width - left - right)

    parts = []
    for tick in _ticks(low, high, most=4 if above else 6):
        parts.append(_line(x(tick), TOP, x(tick), bottom + 4, "axis"))
        parts.append(_text(x(tick), bottom + 20, f"{tick:g}", "middle", "soft"))
    if low < 0 < high:
        parts.append(_line(x(0), TOP, x(0), bottom, "zero", 'stroke="#777"'))
    for number, point in enumerate(points):
        y = TOP + row * number + (LINE * 1.5 if above else row / 2)
        shown = f"{point.value:.3f} [{point.low:.3f}, {point.high:.3f}]"
        names_at = (MARGIN, y - 15, "start", 24) if above else (NAMES - 10, y + 4, "end", 40)
        parts.append(_text(*names_at[:2], _short(point.name, names_at[3]), names_at[2]))
        parts.append(_text(width - MARGIN, y - 15 if above else y + 4, shown, "end", "soft"))
        colour = point.colour or COLOURS[number % len(COLOURS)]
        parts.append(_line(x(point.low), y, x(point.high), y, "", f'stroke="{colour}" stroke-width="3"'))
        told = escaped(f"{point.name}: {shown}")
        parts.append(
            f'<circle cx="{x(point.value):.1f}" cy="{y:g}" r="5" fill="{colour}"><title>{told}</title></circle>'
        )
    return Drawing(width, bottom + BOTTOM, unit, tuple(parts))


def curves(
    series: Mapping[str, Sequence[tuple[float, float]]], *, x_unit: str, y_unit: str, width: int = BROAD
) -> Drawing:
    """One line per series through its ``(x, y)``; y in [0, 1]."""
    left, bottom = 48, 0.4 * width
    most = max(x for points in series.values() for x, _ in points) or 1.0

    def place(x: float, y: float) -> tuple[float, float]:
        return left + x / most * (width - left - MARGIN), TOP + (1 - y) * (bottom - TOP)

    parts = []
    for tick in (0, 0.25, 0.5, 0.75, 1):
        (start, y), (end, _) = place(0, tick), place(most, tick)
        parts += [_line(start, y, end, y, "axis"), _text(left - 8, y + 4, f"{tick:g}", "end", "soft")]
    for tick in _ticks(0, most, most=4 if width < NAMES_ABOVE else 6):
        x, y = place(tick, 0)
        parts.append(_text(min(x, width - MARGIN - 8), y + 18, f"{tick:g}", "middle", "soft"))
    parts.append(_text((left + width - MARGIN) / 2, bottom + 38, f"{y_unit} against {x_unit}", "middle", "soft"))
    for number, (name, points) in enumerate(series.items()):
        dashes = DASHES[number // len(COLOURS) % len(DASHES)]
        pen = f'stroke="{COLOURS[number % len(COLOURS)]}"' + (f' stroke-dasharray="{dashes}"' if dashes else "")
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
        parts.append(f'<polyline points="{line}" fill="none" {pen} stroke-width="2.5"/>')
        y = bottom + 40 + LINE * (number + 0.7)
        parts.append(_line(left, y, left + 28, y, "", f'{pen} stroke-width="3"'))
        parts.append(_text(left + 36, y + 4, _short(name, width // 9)))
    return Drawing(width, bottom + 46 + LINE * len(series), f"{y_unit} against {x_unit}", tuple(parts))


def figure(title: str, told: Sequence[str], drawings: Sequence[tuple[str, Drawing]], *, width: int = BROAD) -> str:
    """One drawing of its own of several, each under its heading, below a title and some sentences."""
    parts, y = [f"<style>{SERIFLESS} .title {{ font-size: 22px }} .head {{ font-size: 16px }}</style>"], 44.0
    parts.append(_text(MARGIN, y, title, kind="title"))
    for sentence in told:
        y += 8
        for line in wrap(sentence, width // 7):
            y += 20
            parts.append(_text(MARGIN, y, line))
    for head, drawing in drawings:
        y += 44
        parts.append(_text(MARGIN, y, head, kind="head"))
        y += 10
        parts.append(drawing.placed(f'x="0" y="{y:g}" width="{drawing.width}" height="{drawing.height:g}" '))
        y += drawing.height
    whole = Drawing(width, y + MARGIN, title, tuple(parts))
    return whole.placed(f'width="{width}" height="{whole.height:g}" ')


def _ticks(low: float, high: float, *, most: int) -> Iterator[float]:
    """Round numbers, at most about so many."""
    steps = (times * 10.0**power for power in range(-4, 9) for times in (1, 2, 5))
    step = next((step for step in steps if (high - low) / step <= most), high - low)
    tick = -(-low // step) * step
    while tick <= high:
        yield round(tick, 10) + 0.0  # never -0
        tick += step


def _line(x1: float, y1: float, x2: float, y2: float, kind: str, pen: str = "") -> str:
    of = f'class="{kind}"' if kind else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {" ".join(filter(None, (of, pen)))}/>'


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    of = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{of}>{escaped(text)}</text>'


def _short(text: str, most: int) -> str:
    """The middle is left out: options at the end tell configurations apart.

    >>> _short("tokens:max_tokens=200", 11)
    'token…s=200'
    """
    back = (most - 1) // 2
    return text if len(text) <= most else f"{text[: most - 1 - back]}…{text[-back:]}"
