"""Plots as SVG, for pages that fetch nothing and run nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pincite.cli.standalone import escaped

COLOURS = ("#2f6fde", "#d9822b", "#1a9a6b", "#b3459c", "#7a6ff0", "#8a8f28", "#c8473c", "#3c8fa6")
ROW = 30
LEFT, RIGHT, TOP, BOTTOM = 290, 40, 10, 36


@dataclass(frozen=True, slots=True)
class Point:
    """A value with its interval."""

    name: str
    value: float
    low: float
    high: float


def forest(points: Sequence[Point], *, unit: str, width: int = 900) -> str:
    """One line per value with its interval, on one scale; a line at 0 where it lies within."""
    low = min(min(point.low for point in points), min(point.value for point in points))
    high = max(max(point.high for point in points), max(point.value for point in points))
    spread = (high - low) or 1.0
    low, high = low - 0.05 * spread, high + 0.05 * spread
    height = TOP + ROW * len(points) + BOTTOM

    def x(value: float) -> float:
        return LEFT + (value - low) / (high - low) * (width - LEFT - RIGHT)

    parts = [_open(width, height, unit)]
    for tick in _ticks(low, high):
        parts.append(_line(x(tick), TOP, x(tick), height - BOTTOM + 4, "axis"))
        parts.append(_text(x(tick), height - BOTTOM + 20, f"{tick:g}", "middle", "soft"))
    if low < 0 < high:
        parts.append(f'<line x1="{x(0):.1f}" y1="{TOP}" x2="{x(0):.1f}" y2="{height - BOTTOM}" stroke="currentColor"/>')
    for number, point in enumerate(points):
        y = TOP + ROW * (number + 0.5)
        colour = COLOURS[number % len(COLOURS)]
        parts.append(_text(LEFT - 10, y + 4, _short(point.name, 38), "end"))
        ends = f'x1="{x(point.low):.1f}" y1="{y}" x2="{x(point.high):.1f}" y2="{y}"'
        parts.append(f'<line {ends} stroke="{colour}" stroke-width="3"/>')
        parts.append(
            f'<circle cx="{x(point.value):.1f}" cy="{y}" r="5" fill="{colour}"><title>{escaped(point.name)}: '
            f"{point.value:.3f} [{point.low:.3f}, {point.high:.3f}]</title></circle>"
        )
    return "\n".join([*parts, "</svg>"])


def curves(series: Mapping[str, Sequence[tuple[float, float]]], *, x_unit: str, y_unit: str, width: int = 900) -> str:
    """One line per series through its ``(x, y)``; y in [0, 1]."""
    height = 380
    left, most = 56, max(x for points in series.values() for x, _ in points)

    def place(x: float, y: float) -> tuple[float, float]:
        return left + x / most * (width - left - RIGHT), TOP + (1 - y) * (height - TOP - BOTTOM - 16)

    parts = [_open(width, height + 22 * len(series), f"{y_unit} against {x_unit}")]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        (start, y), (end, _) = place(0, tick), place(most, tick)
        parts += [_line(start, y, end, y, "axis"), _text(left - 8, y + 4, f"{tick:g}", "end", "soft")]
    for tick in _ticks(0, most):
        x, y = place(tick, 0)
        parts.append(_text(x, y + 18, f"{tick:g}", "middle", "soft"))
    parts.append(_text((left + width - RIGHT) / 2, height - BOTTOM + 16, x_unit, "middle", "soft"))
    for number, (name, points) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        y = height + 22 * number
        parts.append(f'<line x1="{left}" y1="{y}" x2="{left + 24}" y2="{y}" stroke="{colour}" stroke-width="4"/>')
        parts.append(_text(left + 32, y + 4, _short(name, 90)))
    return "\n".join([*parts, "</svg>"])


def _ticks(low: float, high: float) -> Iterator[float]:
    """Round numbers, at most about six."""
    steps = (times * 10.0**power for power in range(-4, 9) for times in (1, 2, 5))
    step = next((step for step in steps if (high - low) / step <= 6), high - low)
    tick = -(-low // step) * step
    while tick <= high:
        yield round(tick, 10) + 0.0  # never -0
        tick += step


def _open(width: int, height: int, label: str) -> str:
    return f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escaped(label)}" xmlns="http://www.w3.org/2000/svg">'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escaped(text)}</text>'


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
