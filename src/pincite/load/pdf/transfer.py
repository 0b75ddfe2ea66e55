"""A document on its way out of the process apart: as its JSON, but for the places, which are most of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pincite.model import Box, Document, Place, Placement, Span

_BOX = 5


def packed(document: Document) -> dict[str, Any]:
    """JSON. A place is a list: start, end, and of each box page, x0, top, x1 and bottom."""
    places: list[list[float]] = []
    for placement in document.places:
        row: list[float] = [placement.span.start, placement.span.end]
        for box in placement.place.boxes:
            row += (box.page, box.x0, box.y0, box.x1, box.y1)
        places.append(row)
    return {**replace(document, places=()).to_json(), "places": places}


def unpacked(data: Mapping[str, Any]) -> Document:
    places = []
    for start, end, *values in data["places"]:
        boxes = tuple([Box(*values[at : at + _BOX]) for at in range(0, len(values), _BOX)])
        places.append(Placement(Span(start, end), Place(page=boxes[0].page, boxes=boxes)))
    return replace(Document.from_json({**data, "places": ()}), places=tuple(places))
