"""Pictures for notebooks: a document with its chunks as coloured bands, and a comparison as a drawing.

A picture shows itself as the last value of a cell; all text from documents is escaped, and nothing is fetched.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.cli.standalone import escaped
from pincite.engine.borders import Band, bands
from pincite.model import PATH_SEPARATOR, Chunk, Document

if TYPE_CHECKING:
    from pincite.engine.evaluation.comparing import Comparison

TINTS = ("#cfe3ff", "#ffe3c2", "#cdeedd", "#f3d3ec", "#ddd9ff", "#e8ebba")
SHARED = "repeating-linear-gradient(-45deg, {0} 0 6px, {1} 6px 12px)"
FRAME = (
    "white-space: pre-wrap; font: 12px/1.5 monospace; color: #1c2330; background: #fff; padding: 8px; "
    "border: 1px solid #d5dae2; max-height: 30em; overflow: auto"
)


@dataclass(frozen=True, slots=True)
class Picture:
    """HTML that a notebook shows in place of the value."""

    html: str = field(repr=False)

    def _repr_html_(self) -> str:
        return self.html


def draw_chunks(document: Document, chunks: Sequence[Chunk], *, most: int | None = None) -> Picture:
    """The document's text with every chunk as a band of its own colour; what two chunks share is striped. ``most`` is
    how many chunks are drawn. Chunks are those of ``chunk_document``, in their order."""
    drawn = list(chunks[:most])
    end = drawn[-1].span.end if drawn else len(document.text)
    parts = [_band(band, document) for band in bands(document, drawn) if most is None or band.span.start < end]
    return Picture(f'<div style="{FRAME}">{"".join(parts)}</div>')


def _band(band: Band, document: Document) -> str:
    text = escaped(band.span.of(document.text))
    if not band.chunks:
        return f'<span style="color: #8b95a5">{text}</span>'
    tints = [TINTS[chunk.number % len(TINTS)] for chunk in band.chunks[-2:]]
    colour = tints[0] if len(tints) == 1 else SHARED.format(*tints)
    newest = band.chunks[-1]
    told = [f"chunk {newest.number}, length {newest.tokens}", PATH_SEPARATOR.join(newest.headings)]
    number = f"<b>[{newest.number}]</b> " if newest.span.start == band.span.start else ""
    title = escaped(", ".join(filter(None, told)))
    return f'<span style="background: {colour}" title="{title}">{number}{text}</span>'


def draw_comparison(comparison: Comparison) -> Picture:
    """Verdict, values with their intervals, differences, and recall against the tokens read."""
    from pincite.cli.report import picture

    drawing = b64encode(picture(comparison).encode()).decode()
    told = escaped(f"{comparison.verdict}.")
    return Picture(f'<img alt="{told}" src="data:image/svg+xml;base64,{drawing}">')
