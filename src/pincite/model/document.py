"""One text, its blocks, and the way back to the source."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise, starmap
from typing import Any, Literal, get_args

from pincite.model.metadata import Metadata, metadata_from_json, metadata_to_json
from pincite.model.place import Place, Placement
from pincite.model.span import Span

BlockKind = Literal[
    "heading", "paragraph", "list", "item", "table", "code", "quote", "caption", "note", "other", "metadata"
]
"""``other`` is text that nobody reads as prose (raw HTML, a rule, link definitions); ``metadata`` is
front matter: part of the text, so that offsets hold, but not of the body."""

BLOCK_KINDS: tuple[BlockKind, ...] = get_args(BlockKind)


@dataclass(frozen=True, slots=True)
class Source:
    """Bytes and where they are from. ``path`` is for messages and is never opened by a loader."""

    path: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A warning about one file (Python's own ``Warning`` means something else): nothing is lost without one."""

    kind: str
    message: str
    file: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "message": self.message, "file": self.file}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Notice:
        return cls(kind=data["kind"], message=data["message"], file=data["file"])


@dataclass(frozen=True, slots=True)
class Block:
    """One structural piece of a document; its span covers its markup (fence lines, ``#``, ``-``).

    ``level``: of a heading 1 and up, of a list item its depth from 1, otherwise 0.
    ``title``: a heading's plain text, without markup; of code the qualified name, of data the key path.
    ``language``: of code. ``marker``: of a list item.
    ``header``: of a table, the span of its header rows with the line that closes them.
    ``rows``: of a table, the spans of its body rows. ``columns``: of a table, the names of its columns.
    """

    kind: BlockKind
    span: Span
    level: int = 0
    title: str = ""
    language: str = ""
    marker: str = ""
    header: Span | None = None
    rows: tuple[Span, ...] = ()
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in BLOCK_KINDS:
            raise ValueError(f"no block kind {self.kind!r}; there are: {', '.join(BLOCK_KINDS)}")
        if self.kind in ("heading", "item") and self.level < 1:
            raise ValueError(f"a {self.kind} needs a level from 1, got {self.level}")
        if not self.header and not self.rows:
            return
        inner = ([self.header] if self.header else []) + list(self.rows)
        if any(not self.span.contains(span) for span in inner):
            raise ValueError("header and rows of a table lie inside it")
        if any(later.start < earlier.end for earlier, later in pairwise(inner)):
            raise ValueError("header and rows of a table are in order and disjoint")

    def to_json(self) -> dict[str, Any]:
        result: dict[str, Any] = {"kind": self.kind, "start": self.span.start, "end": self.span.end}
        for name in ("level", "title", "language", "marker"):
            if getattr(self, name):
                result[name] = getattr(self, name)
        if self.header:
            result["header"] = [self.header.start, self.header.end]
        if self.rows:
            result["rows"] = [[row.start, row.end] for row in self.rows]
        if self.columns:
            result["columns"] = list(self.columns)
        return result

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Block:
        return cls(
            kind=data["kind"],
            span=Span(data["start"], data["end"]),
            level=data.get("level", 0),
            title=data.get("title", ""),
            language=data.get("language", ""),
            marker=data.get("marker", ""),
            header=Span(*data["header"]) if "header" in data else None,
            rows=tuple(Span(*row) for row in data.get("rows", ())),
            columns=tuple(data.get("columns", ())),
        )


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, its path, and the span from it up to the next heading.

    ``path`` holds the plain texts of the headings above and of this one, outermost first, ``levels`` the level of
    each. The text before the first heading is a section with an empty path and no ``heading``.
    """

    path: tuple[str, ...]
    levels: tuple[int, ...]
    span: Span
    heading: Span | None

    @property
    def level(self) -> int:
        """Of the heading, from 1; 0 without one."""
        return self.levels[-1] if self.levels else 0

    @property
    def title(self) -> str:
        return self.path[-1] if self.path else ""

    @property
    def body(self) -> Span | None:
        """What follows the heading, ``None`` when there is nothing (it may still be blank)."""
        start = self.heading.end if self.heading else self.span.start
        return Span(start, self.span.end) if start < self.span.end else None


@dataclass(frozen=True)
class Document:
    """One text with its blocks in reading order and a map back to the source.

    ``id`` is the path relative to the collection's root, ``/``-separated. Blocks are ordered by start, an outer
    block before the ones inside it, and nest properly. ``places`` are ordered by span; a text format needs
    none, since its lines can be counted.
    """

    id: str
    source: str
    media_type: str
    text: str = field(repr=False)
    blocks: tuple[Block, ...] = field(default=(), repr=False)
    places: tuple[Placement, ...] = field(default=(), repr=False)
    metadata: Metadata = field(default_factory=dict)
    warnings: tuple[Notice, ...] = ()

    def __post_init__(self) -> None:
        if not self.id:
            raise ValueError("a document needs an id")
        open_ends: list[int] = []
        start = 0
        for block in self.blocks:
            if block.span.start < start:
                raise ValueError(f"blocks are not in order at {block.span}")
            start = block.span.start
            while open_ends and open_ends[-1] <= start:
                open_ends.pop()
            if block.span.end > (open_ends[-1] if open_ends else len(self.text)):
                raise ValueError(f"block {block.span} reaches out of the block around it or of the text")
            open_ends.append(block.span.end)
        for earlier, later in pairwise(self.places):
            if later.span.start < earlier.span.end:
                raise ValueError(f"placements overlap at {later.span}")
        if self.places and self.places[-1].span.end > len(self.text):
            raise ValueError("a placement reaches out of the text")

    @cached_property
    def outline(self) -> tuple[Block, ...]:
        """The outermost blocks, in order: disjoint, and together all of the non-blank text."""
        result: list[Block] = []
        end = 0
        for block in self.blocks:
            span = block.span
            if span.start >= end:
                result.append(block)
                end = span.end
        return tuple(result)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """In order and disjoint; only headings that stand outermost open one (not those inside a quote or item)."""
        starts, paths, levels, headings = self._paths
        spans = starmap(Span, pairwise([*starts, len(self.text)]))
        return tuple(map(Section, paths, levels, spans, headings))

    @cached_property
    def _paths(self) -> tuple[list[int], list[tuple[str, ...]], list[tuple[int, ...]], list[Span | None]]:
        """Of each section: where it begins, its path, the levels of that, its heading. They tile the text from the
        first one on."""
        headings = [block for block in self.outline if block.kind == "heading"]
        first = headings[0].span.start if headings else len(self.text)
        starts: list[int] = []
        paths: list[tuple[str, ...]] = []
        levels: list[tuple[int, ...]] = []
        if self.text[self.body_start : first].strip():
            starts, paths, levels = [self.body_start], [()], [()]
        above: list[tuple[tuple[str, ...], tuple[int, ...]]] = [((), ())]
        for heading in headings:
            level = heading.level
            while len(above) > 1 and above[-1][1][-1] >= level:
                above.pop()
            path = (*above[-1][0], heading.title), (*above[-1][1], level)
            above.append(path)
            starts.append(heading.span.start)
            paths.append(path[0])
            levels.append(path[1])
        return starts, paths, levels, [None] * (len(starts) - len(headings)) + [heading.span for heading in headings]

    @cached_property
    def body_start(self) -> int:
        """Where the body begins: after the front matter, if there is any."""
        return self.blocks[0].span.end if self.blocks and self.blocks[0].kind == "metadata" else 0

    @cached_property
    def line_starts(self) -> list[int]:
        """Where each line of the text begins; lines end with ``\\n``, ``\\r\\n`` or ``\\r``, as in an editor."""
        return [0, *(match.end() for match in re.finditer(r"\r\n|\n|\r", self.text))]

    @cached_property
    def _place_ends(self) -> list[int]:
        return [placement.span.end for placement in self.places]

    def place(self, span: Span) -> Place:
        """Where the span begins for a person: noted places where there are any, else the line.

        The boxes of every placement that the span touches are joined; the numbers are those of the first.
        """
        if not self.places:
            return Place(line=bisect_right(self.line_starts, span.start))
        touched = list(self._touched(span))
        if not touched:
            return Place()
        first = touched[0].place
        return Place(
            page=first.page,
            boxes=tuple(box for placement in touched for box in placement.place.boxes),
            line=first.line,
            row=first.row,
            slide=first.slide,
            paragraph=first.paragraph,
            element=first.element,
        )

    def _touched(self, span: Span) -> Iterator[Placement]:
        index = bisect_right(self._place_ends, span.start)
        while index < len(self.places) and self.places[index].span.start < span.end:
            yield self.places[index]
            index += 1

    def located_warnings(self) -> tuple[Notice, ...]:
        """The warnings with this document's id as their file."""
        return tuple(replace(warning, file=self.id) for warning in self.warnings)

    def sections_over(self, span: Span) -> tuple[Section, ...]:
        """The sections that the span touches, in order."""
        first, last = self._touched_sections(span)
        return self.sections[first:last]

    def path_over(self, span: Span) -> tuple[tuple[str, ...], int]:
        """The titles that the paths of all sections under the span begin with, and the level of the last of them; an
        empty path and level 0 where they have none in common."""
        first, last = self._touched_sections(span)
        if first >= last:
            return (), 0
        _, paths, levels, _ = self._paths
        path = paths[first]
        shared = len(path)
        for other in paths[first + 1 : last]:
            while path[:shared] != other[:shared]:
                shared -= 1
        return path[:shared], levels[first][shared - 1] if shared else 0

    def _touched_sections(self, span: Span) -> tuple[int, int]:
        """The half-open range of their indexes."""
        starts = self._paths[0]
        return max(0, bisect_right(starts, span.start) - 1), bisect_left(starts, span.end)

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "source": self.source,
            "media_type": self.media_type,
            "text": self.text,
            "blocks": [block.to_json() for block in self.blocks],
            "places": [{"start": p.span.start, "end": p.span.end, "place": p.place.to_json()} for p in self.places],
            "metadata": metadata_to_json(self.metadata),
            "warnings": [warning.to_json() for warning in self.warnings],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Document:
        return cls(
            id=data["id"],
            source=data["source"],
            media_type=data["media_type"],
            text=data["text"],
            blocks=tuple(Block.from_json(block) for block in data["blocks"]),
            places=tuple(Placement(Span(p["start"], p["end"]), Place.from_json(p["place"])) for p in data["places"]),
            metadata=metadata_from_json(data["metadata"]),
            warnings=tuple(Notice.from_json(warning) for warning in data["warnings"]),
        )
