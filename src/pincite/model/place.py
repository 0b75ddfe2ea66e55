"""A span said for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from pincite.model.span import Span


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, in points from the page's top left corner, ``x0 < x1`` and ``y0 < y1``."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float

    def __post_init__(self) -> None:
        if self.page < 1 or not (self.x0 < self.x1 and self.y0 < self.y1):
            raise ValueError(f"a box needs page >= 1, x0 < x1 and y0 < y1, got {self}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a span is found by a person. Numbers count from 1; what does not apply is ``None``."""

    page: int | None = None
    boxes: tuple[Box, ...] = ()
    line: int | None = None
    row: int | None = None
    slide: int | None = None
    paragraph: int | None = None
    element: str = ""
    """Of HTML: ``#id`` of the nearest element that has one and the path from there, or the path of elements."""

    def __post_init__(self) -> None:
        for name in ("page", "line", "row", "slide", "paragraph"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise ValueError(f"a place counts from 1, got {name}={number}")

    def __str__(self) -> str:
        """The place in words, empty when nothing is known.

        >>> str(Place(page=3, row=12))
        'page 3, row 12'
        """
        names = ("page", "slide", "row", "paragraph", "line")
        said = [f"{name} {getattr(self, name)}" for name in names if getattr(self, name) is not None]
        return ", ".join([*said, self.element] if self.element else said)

    def to_json(self) -> dict[str, Any]:
        """Only what applies."""
        result: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "boxes":
                if value:
                    result["boxes"] = [[box.page, box.x0, box.y0, box.x1, box.y1] for box in value]
            elif value not in (None, ""):
                result[field.name] = value
        return result

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Place:
        boxes = tuple(Box(*box) for box in data.get("boxes", ()))
        return cls(boxes=boxes, **{name: value for name, value in data.items() if name != "boxes"})


@dataclass(frozen=True, slots=True)
class Placement:
    """What a loader noted down: this span of the text came from this place of the source."""

    span: Span
    place: Place
