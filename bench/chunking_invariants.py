"""Counts what is wrong with the chunks of one document, for any chunker, against an independent reading of the text.

Where a chunker's offsets are right, units are found by them; elsewhere by their text without white space. What a
chunker promises (2,000 characters, 512 tokens, or any size) decides what "fits" and "over" mean for it.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

import grapheme  # type: ignore[import-untyped] # this package ships no types
from bench.chunking_places import Spans, Squashed, is_border
from bench.chunking_rows import Cut, Row
from bench.chunking_truth import MAYBE_AN_END, Heading, Table, Truth, letters, sentence_ends, squashed

from pincite import catalogue
from pincite.text.counters import ENCODINGS, PIECE_CHARACTERS
from pincite.text.tokenizers import loaded_encoding

COLUMNS = {
    "lost": "lines lost",
    "offsets": "offsets wrong",
    "order": "order, blank",
    "tokens": "tokens wrong",
    "over": "over the cap",
    "fence": "fences broken / fit",
    "block": "rows, items, indented code cut / fit",
    "sentence": "sentences cut",
    "table": "tables without header / split",
    "only": "heading-only",
    "damaged": "U+FFFD",
    "grapheme": "border in a grapheme",
    "path": "path absent / sections",
    "false": "false headings",
}
EVERYWHERE = ("lost", "offsets", "order", "tokens", "damaged", "grapheme", "path", "false")
WHOLE_BLOCKS = ("fence", "block", "sentence", "table", "only")


def applicable(row: Row) -> frozenset[str]:
    """The columns of what one of pincite's strategies promises; everything for a peer."""
    if not row.own:
        return frozenset(COLUMNS) - {"tokens", *(() if row.limit else ("over",))}
    keys = set(EVERYWHERE)
    if row.limit:
        keys.add("over")
    if "whole-blocks" in row.traits:
        keys.update(WHOLE_BLOCKS)
    if row.family == "sentences":
        keys.add("sentence")
    return frozenset(keys)


@dataclass(frozen=True, slots=True)
class Finding:
    column: str
    chunk: int
    """The chunk's index, -1 where none is meant."""
    why: str


@dataclass(slots=True)
class Result:
    chunks: int = 0
    findings: list[Finding] = field(default_factory=list)
    totals: Counter[str] = field(default_factory=Counter)
    """How many there were of what could be wrong."""


def check(truth: Truth, cuts: Sequence[Cut], row: Row) -> Result:
    return _Checker(truth, cuts, row).result()


@cache
def measure(counter: str) -> Callable[[str], int]:
    if counter in ENCODINGS:
        encode = loaded_encoding(counter).encode_ordinary
        pieces: Callable[[str], int] = catalogue.create("counter", counter).count
        return lambda text: len(encode(text)) if len(text) <= PIECE_CHARACTERS else pieces(text)
    count: Callable[[str], int] = catalogue.create("counter", counter).count
    return count


class _Checker:
    def __init__(self, truth: Truth, cuts: Sequence[Cut], row: Row) -> None:
        self.truth, self.text, self.row = truth, truth.text, row
        self.cuts = cuts
        self.limit = row.limit
        self.size = measure(row.counter)
        self.keys = applicable(row)
        self.shown: dict[int, str] = {}
        self.totals: Counter[str] = Counter()
        wrong = [index for index, cut in enumerate(cuts) if not _is_slice(self.text, cut)]
        self.wrong = wrong
        self.place: Spans | Squashed = Squashed(self.text, cuts) if wrong else Spans(cuts)

    def result(self) -> Result:
        result = Result(len(self.cuts), totals=self.totals)
        checks: dict[str, Callable[[], Iterator[Finding]]] = {
            "lost": self.lost,
            "offsets": self.offsets,
            "order": self.order,
            "tokens": self.tokens,
            "over": self.over,
            "fence": lambda: self.units("fence", ("fence",)),
            "block": lambda: self.units("block", ("row", "item", "indented code")),
            "sentence": self.sentences,
            "table": self.tables,
            "only": self.headings_only,
            "damaged": self.damaged,
            "grapheme": self.graphemes,
            "path": self.paths,
            "false": self.false_headings,
        }
        for key, run in checks.items():
            if key in self.keys:
                result.findings.extend(run())
        return result

    def lost(self) -> Iterator[Finding]:
        """Lines of the body of which something is in no chunk. Front matter is metadata; a heading may be in the
        chunks' paths only, where a strategy keeps it there."""
        apart = self.truth.headings if "headings-apart" in self.row.traits else []
        yield from (Finding("lost", -1, f"no chunk has {line!r}") for line in self.place.lost_lines(self.truth, apart))

    def offsets(self) -> Iterator[Finding]:
        for index in self.wrong:
            if self.cuts[index].start is None:
                self.totals["no offset"] += 1
            else:
                yield Finding("offsets", index, "its text is not the slice at its offsets")

    def order(self) -> Iterator[Finding]:
        for index, cut in enumerate(self.cuts):
            if not cut.text.strip():
                yield Finding("order", index, "it is blank")
        for index, (cut, other) in enumerate(pairwise(self.cuts)):
            if cut.start is not None and other.start is not None and cut.end is not None:
                if other.start <= cut.start:
                    yield Finding("order", index + 1, "it does not begin after the one before it")
                elif other.start < cut.end:
                    yield Finding("order", index + 1, "it overlaps the one before it")

    def tokens(self) -> Iterator[Finding]:
        for index, cut in enumerate(self.cuts):
            size = self.size(_embedded(cut))
            if cut.tokens != size:
                yield Finding("tokens", index, f"it says {cut.tokens}, but has {size}")

    def over(self) -> Iterator[Finding]:
        assert self.limit
        for index, cut in enumerate(self.cuts):
            size = self.size(_embedded(cut))
            if size > self.limit and (cut.prefix or sum(1 for _ in grapheme.graphemes(cut.text)) > 1):
                yield Finding("over", index, f"{size} where {self.limit} are allowed")
            elif cut.prefix and self.size(cut.prefix) * 2 > self.limit:
                yield Finding("over", index, f"its prefix has {self.size(cut.prefix)}, over half of {self.limit}")

    def units(self, column: str, kinds: tuple[str, ...]) -> Iterator[Finding]:
        sizes = self.unit_sizes()
        for unit, size in zip(self.truth.units, sizes, strict=True):
            if unit.kind in kinds and (self.limit is None or size <= self.limit):
                self.totals[column] += 1
                if self.place.holder(unit.start, unit.end) is None:
                    index = self.place.first(unit.start) if isinstance(self.place, Spans) else -1
                    yield Finding(column, index, f"{unit.kind} of {size} cut: {self.text[unit.start : unit.end]!r}")

    def unit_sizes(self) -> list[int]:
        name = self.row.counter
        if name not in self.truth.sizes:
            self.truth.sizes[name] = [self.size(self.text[unit.outer : unit.end]) for unit in self.truth.units]
        return self.truth.sizes[name]

    def sentences(self) -> Iterator[Finding]:
        """Between marks that end a sentence beyond doubt a text is cut where one may end, or is over the limit."""
        if self.limit is None or isinstance(self.place, Squashed):
            return
        for paragraph in self.truth.paragraphs:
            start, end = paragraph.start, paragraph.end
            first, last = bisect_right(self.place.starts, start), bisect_left(self.place.starts, end)
            if first == last:
                continue
            ends = [paragraph.outer, *sentence_ends(self.text, start, end), end]
            for index, border in enumerate(self.place.starts[first:last], start=first):
                place = bisect_right(ends, border)
                left, right = ends[place - 1], ends[min(place, len(ends) - 1)]
                before = self.text[left:border]
                maybe = [match.end() for match in MAYBE_AN_END.finditer(before + " ")]
                between = before.strip() and self.text[border:right].strip()
                if between and before[max(maybe, default=0) :].strip() and self.fits(left, right):
                    yield Finding("sentence", index, f"cut at {border}: {self.text[left:right]!r}")

    def fits(self, start: int, end: int) -> bool:
        return self.limit is None or self.size(self.text[start:end].strip()) <= self.limit

    def tables(self) -> Iterator[Finding]:
        for table in self.truth.tables:
            holders = [self.place.holder(start, end) for start, end in table.rows]
            self.totals["table"] += len(set(holders)) > 1
            header = squashed(self.text[slice(*table.header)])
            seen: set[int] = set()
            for row, holder in zip(table.rows, holders, strict=True):
                if holder is None or holder in seen:
                    continue
                seen.add(holder)
                cut = self.cuts[holder]
                if header not in squashed(cut.prefix + cut.text) and self.header_fits(table, row):
                    yield Finding("table", holder, f"the header is missing: {self.text[slice(*table.header)]!r}")
                    break

    def header_fits(self, table: Table, row: tuple[int, int]) -> bool:
        if self.limit is None:
            return True
        header = self.text[table.header[0] : table.rows[0][0]].strip()
        both = self.size(f"{header}\n\n{self.text[slice(*row)]}")
        return self.size(header) * 2 <= self.limit and both <= self.limit

    def headings_only(self) -> Iterator[Finding]:
        for index, cut in enumerate(self.cuts):
            last = self.place.last_heading_of(self.truth, index, cut)
            if last and self.truth.has_text(last) and not self.text_is_too_long(cut, last):
                yield Finding("only", index, f"nothing but headings: {cut.text!r}")

    def text_is_too_long(self, cut: Cut, heading: Heading) -> bool:
        """Whether the heading itself, or the first piece of its text behind it, does not fit."""
        if self.limit is None or cut.start is None or heading.first is None:
            return False
        if not self.fits(heading.start, heading.end):
            return True
        start, end = heading.first
        if not self.fits(start, end):  # cut anyway: its first unit, else its first sentence
            inner = [unit.end for unit in self.truth.units if unit.outer == start]
            ends = [*inner, next(sentence_ends(self.text, start, end), end)]
            end = max((stop for stop in ends if self.fits(start, stop)), default=len(self.text))
        return not self.fits(cut.start, end)

    def damaged(self) -> Iterator[Finding]:
        if "\ufffd" not in self.text:
            for index, cut in enumerate(self.cuts):
                if "\ufffd" in cut.text:
                    yield Finding("damaged", index, "it has U+FFFD, the text has not")

    def graphemes(self) -> Iterator[Finding]:
        for index, cut in enumerate(self.cuts):
            if cut.start is None or cut.end is None or isinstance(self.place, Squashed):
                if cut.text and (unicodedata.combining(cut.text[0]) or cut.text[0] in "\u200d\ufe0f"):
                    yield Finding("grapheme", index, f"it begins inside a grapheme: {cut.text[:4]!r}")
            elif not is_border(self.text, cut.start) or not is_border(self.text, cut.end):
                yield Finding("grapheme", index, f"{self.text[max(0, cut.start - 4) : cut.start + 4]!r}")

    def paths(self) -> Iterator[Finding]:
        """The path of the section in which a chunk lies, and for strategies with paths that of each section."""
        if self.row.own:
            yield from self.own_paths()
        if not self.row.own or self.row.traits & {"whole-blocks", "headings-apart"}:
            for heading in self.truth.headings:
                for index in self.place.holders_of(self.truth, heading):
                    self.totals["path"] += 1
                    shown = self.shown_letters(index)
                    there = all(any(title in shown for title in titles) for titles in heading.path)
                    if not there and not self.path_is_too_long(heading, self.cuts[index]):
                        yield Finding("path", index, f"it lacks a part of {heading.names}")

    def path_is_too_long(self, heading: Heading, cut: Cut) -> bool:
        """Whether the path, with a table's header behind it, is over the half of the limit that a prefix may have."""
        if not self.row.own or self.limit is None:
            return False
        _, blank, header = cut.prefix.partition("\n\n")
        return self.size(" > ".join(heading.names) + blank + header) * 2 > self.limit

    def own_paths(self) -> Iterator[Finding]:
        """A chunk in one section has its path, one over several has what the paths of those with text begin with."""
        for index, cut in enumerate(self.cuts):
            if cut.start is None or cut.end is None or cut.headings is None:
                continue
            sections = self.truth.sections_over(cut.start, cut.end)
            whole = len(sections) == 1
            for section in sections:
                begin, end = self.truth.own_text(section)
                if not whole and not self.text[max(begin, cut.start) : min(end, cut.end)].strip():
                    continue
                path = section.path if section else ()
                matching = all(letters(title) in titles for title, titles in zip(cut.headings, path, strict=False))
                if not matching or len(cut.headings) > len(path) or (whole and len(cut.headings) < len(path)):
                    yield Finding("path", index, f"{cut.headings} for text under {section.names if section else ()}")
                    break

    def shown_letters(self, index: int) -> str:
        if index not in self.shown:
            cut = self.cuts[index]
            self.shown[index] = letters(" ".join((*(cut.headings or ()), cut.prefix, cut.text)))
        return self.shown[index]

    def false_headings(self) -> Iterator[Finding]:
        known = {title for heading in self.truth.headings for title in heading.titles}
        for index, cut in enumerate(self.cuts):
            for title in cut.headings or ():
                if letters(title) and letters(title) not in known:
                    yield Finding("false", index, f"no heading is called {title!r}")
                    break


def _is_slice(text: str, cut: Cut) -> bool:
    return cut.start is not None and cut.end is not None and text[cut.start : cut.end] == cut.text


def _embedded(cut: Cut) -> str:
    return f"{cut.prefix}\n\n{cut.text}" if cut.prefix else cut.text
