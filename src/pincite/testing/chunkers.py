r"""What every strategy must keep.

``check_chunker`` runs all checks that apply to a strategy; each is also a function of its own. They raise
``AssertionError`` with a sentence that names the chunk. Every oracle here is simpler than what it judges:
clusters come from ``\X`` over the whole text, paths from a walk over all sections.

``traits`` are those of the catalogue: ``capped`` (no chunk over the limit), ``whole-blocks`` (and no block cut
that fits), ``headings-apart`` (heading lines may live in ``headings`` only).
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import groupby, pairwise
from typing import Any

import regex

from pincite import catalogue
from pincite.model import PATH_SEPARATOR, Chunk, Document, Section, Span, join_prefix
from pincite.ports import Chunker, Counter
from pincite.text import sentences

CLUSTER = regex.compile(r"\X")
MARKERS = regex.compile(r"(?:[\s>*+-]|\d+[.)])*")


def check_chunker(
    chunker: Chunker,
    document: Document,
    *,
    traits: frozenset[str] = frozenset(),
    limit: int | None = None,
    counter: Counter | None = None,
) -> list[Chunk]:
    """Cuts the document and checks every invariant that the traits promise; gives the chunks back.

    ``limit`` and ``counter`` are the chunker's own (``max_tokens`` with ``counter``, or ``max_characters``) unless
    they are given. Determinism in another process is a check of its own, ``check_other_process``: it is slow.
    """
    counter = counter or counter_of(chunker)
    chunks = list(chunker.chunk(document))
    check_slices(document, chunks)
    check_numbers(document, chunks)
    check_order(chunks)
    check_not_blank(chunks)
    check_clusters(document, chunks)
    check_coverage(document, chunks, headings_apart="headings-apart" in traits)
    check_paths(document, chunks)
    check_prefixes(document, chunks)
    check_tokens(chunks, counter)
    check_parents(document, chunks, limit=getattr(chunker, "parent_limit", None), counter=counter)
    if not overlap_of(chunker):
        check_disjoint(chunks)
    if "capped" in traits or "whole-blocks" in traits:
        limit = limit if limit is not None else limit_of(chunker)
        check_limit(chunks, limit=limit, counter=counter, raised=getattr(chunker, "limit", limit))
        if "whole-blocks" in traits:
            check_whole_blocks(document, chunks, limit=limit, counter=counter)
            check_table_headers(document, chunks, limit=limit, counter=counter)
            check_headings_have_text(document, chunks, limit=limit, counter=counter)
    assert list(chunker.chunk(document)) == chunks, "the same document was cut in two ways"
    return chunks


def limit_of(chunker: Chunker) -> int:
    for name in ("max_tokens", "max_characters"):
        limit = getattr(chunker, name, None)
        if isinstance(limit, int):
            return limit
    raise ValueError(f"{chunker!r} has neither max_tokens nor max_characters: give its limit")


def counter_of(chunker: Chunker) -> Counter:
    """The counter that the chunker names in its option ``counter``; without the option it counts characters."""
    counter: Counter = catalogue.create("counter", getattr(chunker, "counter", "characters"))
    return counter


def overlap_of(chunker: Chunker) -> int:
    return max(int(getattr(chunker, name, 0)) for name in ("overlap_tokens", "overlap_characters"))


def check_slices(document: Document, chunks: Sequence[Chunk]) -> None:
    for chunk in chunks:
        assert chunk.document_id == document.id, f"{chunk} names another document than {document.id!r}"
        assert chunk.span.end <= len(document.text), f"{chunk} reaches out of the text"
        assert chunk.text == chunk.span.of(document.text), f"the text of {chunk} is not its slice"


def check_numbers(document: Document, chunks: Sequence[Chunk]) -> None:
    numbers = [chunk.number for chunk in chunks]
    assert numbers == list(range(1, len(chunks) + 1)), f"numbers in {document.id!r} are not 1, 2, 3, …: {numbers}"
    assert len({chunk.id for chunk in chunks}) == len(chunks), f"two chunks of {document.id!r} have the same id"


def check_order(chunks: Sequence[Chunk]) -> None:
    for earlier, later in pairwise(chunks):
        assert earlier.span.start < later.span.start, f"{later} does not start after {earlier}"


def check_disjoint(chunks: Sequence[Chunk]) -> None:
    for earlier, later in pairwise(chunks):
        assert earlier.span.end <= later.span.start, f"{later} overlaps {earlier}"


def check_not_blank(chunks: Sequence[Chunk]) -> None:
    for chunk in chunks:
        assert chunk.text.strip(), f"{chunk} is blank"


def check_clusters(document: Document, chunks: Sequence[Chunk]) -> None:
    borders = _cluster_borders(document)
    for chunk in chunks:
        for border in (chunk.span.start, chunk.span.end):
            around = document.text[max(0, border - 4) : border + 4]
            assert border in borders, f"{chunk} has a border inside a grapheme cluster, at {border} in {around!r}"


def _cluster_borders(document: Document) -> set[int]:
    return {0, *(match.end() for match in CLUSTER.finditer(document.text))}


def check_coverage(document: Document, chunks: Sequence[Chunk], *, headings_apart: bool = False) -> None:
    """Every character of the body that is not blank lies in a chunk."""
    covered = bytearray(len(document.text))
    for chunk in chunks:
        covered[chunk.span.start : chunk.span.end] = b"\1" * len(chunk.span)
    if headings_apart:
        for section in document.sections:
            if section.heading:
                covered[section.heading.start : section.heading.end] = b"\1" * len(section.heading)
    for offset in range(document.body_start, len(document.text)):
        if not covered[offset] and not document.text[offset].isspace():
            lost = document.text[offset : offset + 40]
            raise AssertionError(f"no chunk of {document.id!r} has the text at {offset}: {lost!r}")


def check_paths(document: Document, chunks: Sequence[Chunk]) -> None:
    """``headings`` and ``level`` are what all sections under the chunk have in common.

    Sections of which the chunk has only the heading may count or not: a title in front of its first subsection does
    not make the chunk one of both.
    """
    for chunk in chunks:
        touched = [section for section in document.sections if section.span.overlaps(chunk.span)]
        with_text = [section for section in touched if _text_under(document, section, chunk.span)]
        allowed = [_in_common(touched), _in_common(with_text or touched[-1:])]
        assert (chunk.headings, chunk.level) in allowed, (
            f"{chunk} should have the headings {allowed[0][0]} and the level {allowed[0][1]}"
        )


def _in_common(sections: Sequence[Section]) -> tuple[tuple[str, ...], int]:
    path: list[str] = []
    for column in zip(*(section.path for section in sections), strict=False):
        if len(set(column)) > 1:
            break
        path.append(column[0])
    return tuple(path), sections[0].levels[len(path) - 1] if path else 0


def check_prefixes(document: Document, chunks: Sequence[Chunk]) -> None:
    """The prefix does not say a heading that the text begins with."""
    opening = {_start_of(document, section.span): section for section in document.sections}
    for chunk in chunks:
        section = opening.get(chunk.span.start)
        if not section or not chunk.prefix or not section.heading:
            continue
        first_line = chunk.prefix.splitlines()[0]
        parents = PATH_SEPARATOR.join(section.path[:-1])
        repeats = first_line == section.heading.of(document.text).strip() or (
            _ends_with_title(first_line, section.title) and not _ends_with_title(parents, section.title)
        )
        assert not repeats, f"the prefix of {chunk} repeats the heading that its text begins with"


def _ends_with_title(line: str, title: str) -> bool:
    return bool(title) and (line == title or line.endswith(PATH_SEPARATOR + title))


def check_tokens(chunks: Sequence[Chunk], counter: Counter) -> None:
    for chunk in chunks:
        tokens = counter.count(join_prefix(chunk.prefix, chunk.text))
        assert chunk.tokens == tokens, f"{chunk} has {tokens} {counter.name} in truth"


def check_limit(chunks: Sequence[Chunk], *, limit: int, counter: Counter, raised: int | None = None) -> None:
    """At most ``limit`` of the counter's units, prefix included, and a prefix of at most half of that.

    ``raised``: the size up to which a strategy was told to keep blocks whole, where that is more.
    """
    most = max(limit, raised or 0)
    for chunk in chunks:
        if counter.count(chunk.embedded) > most:
            one_cluster = CLUSTER.fullmatch(chunk.text) and not chunk.prefix
            assert one_cluster, f"{chunk} is over the limit of {most} {counter.name}"
        prefix = counter.count(chunk.prefix) if chunk.prefix else 0
        assert prefix * 2 <= limit, f"the prefix of {chunk} ({prefix}) is over half the limit of {limit} {counter.name}"


def check_whole_blocks(document: Document, chunks: Sequence[Chunk], *, limit: int, counter: Counter) -> None:
    """Code, table rows, list items and sentences are cut only where they are over the limit alone.

    A marker in front of one on its line (``-``, ``>``, an indentation) counts with it: it would not stand alone.
    """
    borders = sorted({border for chunk in chunks for border in (chunk.span.start, chunk.span.end)})
    for noun, unit in whole_units(document):
        inside = [border for border in borders if unit.start < border < unit.end]
        if inside:
            marked = counter.count(document.text[_marker_start(document, unit) : unit.end])
            size = max(marked, counter.count(unit.of(document.text)))  # " Yet" may be one token and "Yet" two
            cut = document.text[max(0, inside[0] - 20) : inside[0] + 20]
            assert size > limit, f"a {noun} of {size} at {unit} fits into {limit} {counter.name} but is cut: {cut!r}"


def whole_units(document: Document) -> Iterator[tuple[str, Span]]:
    """What a strategy that keeps blocks whole does not cut, each trimmed, with its name."""
    language = str(document.metadata.get("language", ""))
    for block in document.blocks:
        if block.kind in ("code", "item"):
            yield from _named("code block" if block.kind == "code" else "list item", document, [block.span])
        elif block.kind == "table":
            yield from _named("table row", document, [*([block.header] if block.header else []), *block.rows])
        elif block.kind == "paragraph":
            found = sentences.sentences(document.text, block.span.start, block.span.end, language)
            yield from _named("sentence", document, [Span(start, end) for start, end in found if start < end])


def _marker_start(document: Document, unit: Span) -> int:
    line = max(document.text.rfind("\n", 0, unit.start), document.text.rfind("\r", 0, unit.start)) + 1
    return line if MARKERS.fullmatch(document.text, line, unit.start) else unit.start


def _named(noun: str, document: Document, spans: Iterable[Span]) -> Iterator[tuple[str, Span]]:
    for span in spans:
        start, end = _trimmed(document, span)
        if start < end:
            yield noun, Span(start, end)


def check_table_headers(document: Document, chunks: Sequence[Chunk], *, limit: int, counter: Counter) -> None:
    """A chunk that begins with a further row of a table has the header in its prefix.

    Not where the header is over half the limit, or does not fit together with the row: a row is not cut for it.
    """
    begins = {chunk.span.start: chunk for chunk in chunks}
    for table in (block for block in document.blocks if block.kind == "table" and block.header):
        assert table.header
        header = table.header.of(document.text).strip()
        first_line = header.splitlines()[0].strip()
        for row in table.rows:
            chunk = begins.get(_start_of(document, row))
            if not chunk or counter.count(header) * 2 > limit:
                continue
            if counter.count(join_prefix(header, row.of(document.text).strip())) <= limit:
                assert first_line in chunk.prefix, f"{chunk} continues a table without its header {first_line!r}"


def check_headings_have_text(document: Document, chunks: Sequence[Chunk], *, limit: int, counter: Counter) -> None:
    """No chunk is only headings, but where no text follows the last one or the first piece of it does not fit."""
    sections = [section for section in document.sections if section.heading]
    starts = [section.span.start for section in sections]
    for chunk in chunks:
        first = bisect_right(starts, chunk.span.start) - 1
        last = bisect_left(starts, chunk.span.end) - 1
        if first < 0 or any(_text_under(document, section, chunk.span) for section in sections[first : last + 1]):
            continue
        piece = _first_piece(document, sections[last], limit=limit, counter=counter)
        if piece:
            both = join_prefix(chunk.prefix, document.text[chunk.span.start : piece.end])
            assert counter.count(both) > limit, f"{chunk} is only headings, but {piece.of(document.text)!r} would fit"


def _text_under(document: Document, section: Section, span: Span) -> bool:
    """Whether the span has text of the section that is not its heading."""
    body = section.body
    return bool(body and document.text[max(body.start, span.start) : min(body.end, span.end)].strip())


def _first_piece(document: Document, section: Section, *, limit: int, counter: Counter) -> Span | None:
    """What a heading should have with it at least: the first block of its text where that fits alone, else the first
    of the block's units that does. ``None`` without text, and where that unit has to be cut anyway."""
    body = section.body
    block = next((block for block in document.outline if body and body.contains(block.span)), None)
    if not block:
        return None
    units = [block.span]
    if block.kind == "table" and block.header and block.rows:
        units.append(Span(block.span.start, block.rows[0].end))
    start = _start_of(document, block.span)
    units += [unit for _, unit in whole_units(document) if block.span.contains(unit) and unit.start == start]
    fitting = [unit for unit in units if counter.count(unit.of(document.text).strip()) <= limit]
    return max(fitting, key=len, default=None)


def check_parents(document: Document, chunks: Sequence[Chunk], *, limit: int | None, counter: Counter) -> None:
    """Parents hold their chunks, are in their order, and begin and end with whole blocks.

    They have at most ``limit`` of the counter's units (``None``: no limit), but for a single grapheme cluster. A block
    is cut only where those that the chunk at the cut touches are over the limit together. A strategy that gives one
    chunk a parent gives one to each.
    """
    parents = [chunk.parent for chunk in chunks if chunk.parent]
    assert len(parents) in (0, len(chunks)), f"{len(chunks) - len(parents)} chunks of {document.id!r} have no parent"
    for earlier, later in pairwise(parents):
        assert earlier.start <= later.start, f"the parents {earlier} and {later} are not in order"
        assert earlier.end <= later.end, f"the parents {earlier} and {later} are not in order"
    clusters = _cluster_borders(document) if parents else set()
    for chunk, parent in zip(chunks, parents, strict=False):
        text = parent.of(document.text)
        assert parent.contains(chunk.span), f"the parent {parent} does not hold {chunk}"
        assert parent.end <= len(document.text), f"the parent {parent} reaches out of the text"
        assert clusters.issuperset((parent.start, parent.end)), f"the parent {parent} cuts a grapheme cluster"
        size = counter.count(text)
        within = limit is None or size <= limit or CLUSTER.fullmatch(text)
        assert within, f"the parent {parent} has {size} {counter.name}, over its limit of {limit}"
    blocks = [span for block in document.outline for _, span in _named("block", document, [block.span])]
    starts, ends = [span.start for span in blocks], [span.end for span in blocks]
    for parent, group in groupby(chunks, key=lambda chunk: chunk.parent):
        if parent:
            own = list(group)
            for border, chunk in ((parent.start, own[0]), (parent.end, own[-1])):
                touched = blocks[bisect_right(ends, chunk.span.start) : bisect_left(starts, chunk.span.end)]
                for cut in blocks[bisect_right(ends, border) : bisect_left(starts, border)]:
                    assert cut in touched, f"the parent {parent} cuts a block at {border}, which its chunk is not in"
                    assert limit is not None, f"the parent {parent} cuts a block at {border}"
                    whole = counter.count(document.text[touched[0].start : touched[-1].end])
                    assert whole > limit, f"the parent {parent} cuts a block at {border}, but {whole} would fit"


def check_local(chunks: Sequence[Chunk], longer: Sequence[Chunk], *, last_block: int) -> None:
    """Text added at the end of a document leaves all chunks alone that end before its last block, at ``last_block``
    (with the headings right before it, which go with it). Only their parents may change: what is around them did.
    Where the last block itself grows, such as a fence that nothing closes, its first piece may join the chunk before
    it: then ``last_block`` is that chunk's start.

    ``chunks`` are those of the document, ``longer`` those of the same document with more text at its end.
    """
    settled = [chunk for chunk in chunks if chunk.span.end <= last_block]
    for before, after in zip(settled, longer, strict=False):
        alike = before == dataclasses.replace(after, parent=before.parent)
        assert alike, f"text at the end of the document changed {before} into {after}"
    assert len(settled) <= len(longer), "text at the end of the document took chunks away before its last block"


def check_other_process(chunker: Chunker, document: Document, *, seeds: Sequence[int] = (1, 2)) -> None:
    """Other processes, with other hash seeds, cut the document into the same chunks.

    The chunker must be a dataclass of options that come back from JSON.
    """
    expected = [chunk.to_json() for chunk in chunker.chunk(document)]
    task = {"chunker": _described(chunker), "document": document.to_json()}
    for seed in seeds:
        environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(
            [sys.executable, "-m", "pincite.testing.chunkers"],
            input=json.dumps(task),
            capture_output=True,
            encoding="utf-8",
            env=environment,
            check=False,
        )
        assert done.returncode == 0, f"{chunker.name!r} failed in another process: {done.stderr}"
        assert json.loads(done.stdout) == expected, f"{chunker.name!r} cut {document.id!r} otherwise in another process"


def _described(chunker: Any) -> dict[str, Any]:
    options = {field.name: getattr(chunker, field.name) for field in dataclasses.fields(chunker) if field.init}
    return {"module": type(chunker).__module__, "class": type(chunker).__qualname__, "options": options}


def cut_as_told(task: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the other process does: the chunks, as JSON, of the task's document, cut by the task's chunker."""
    told = task["chunker"]
    chunker = getattr(import_module(told["module"]), told["class"])(**told["options"])
    return [chunk.to_json() for chunk in chunker.chunk(Document.from_json(task["document"]))]


def _start_of(document: Document, span: Span) -> int:
    """Where the span's first cluster that is not blank begins."""
    return _trimmed(document, span)[0]


def _trimmed(document: Document, span: Span) -> tuple[int, int]:
    """The span without the blank clusters at its ends; a blank that carries an accent is none. Of a blank span its
    start is left, twice."""
    text = span.of(document.text)
    last = len(text.rstrip()) - 1
    if last < 0:
        return span.start, span.start
    start = next(match.start() for match in CLUSTER.finditer(text) if not match[0].isspace())
    return span.start + start, span.start + CLUSTER.match(text, last).end()


if __name__ == "__main__":
    json.dump(cut_as_told(json.load(sys.stdin)), sys.stdout)
