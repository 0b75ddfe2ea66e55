"""From AsciiDoc to blocks, line by line. Spans are settled by the caller."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pincite.load.asciidoc_tables import table_block
from pincite.load.lines import MAX_DEPTH, MAX_TITLE_CHARS, Lines, Reading
from pincite.model import Block, BlockKind

_SECTION = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?\Z")
_UNDERLINES = "=-~^+"
_ATTRIBUTE = re.compile(r":(!?[A-Za-z0-9_][\w-]*!?):(?:[ \t]+(.*))?\Z")
_ATTACHED = re.compile(r"\[(?:\[[^\[\]]*\]|[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]\Z")
_COMMENT = re.compile(r"//(?!//)")
_TITLE = re.compile(r"\.[^\s.]")
_MACRO = re.compile(
    r"(?:image|video|audio|include|toc|ifdef|ifndef|ifeval|endif|plantuml|diagram)::[^\s\[]*+\[.*\]\Z|include::\S+"
)
_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|```[\w+#.-]*|[|,:!]={3,})\Z")
_MARK_SIGNS = frozenset("-.=*_+/`|,:!")
_RULE = re.compile(r"(?:'{3,}|<{3,}|-{3}|\*{3}|- - -|\* \* \*)\Z")
_MARKER = re.compile(r"(?:\*{1,6}|-|\.{1,6}|\d{1,9}\.|[a-zA-Z]\.|[ivxlIVXL]{1,9}\)|<(?:\d{1,4}|\.)>)(?=[ \t]+\S)")
_TERM = re.compile(r"(\S.{0,200}?)(?::{2,4}|;;)(?=[ \t]|\Z)")
_SOURCE = re.compile(r"\[(?:source|listing)?%?[\w%]*,[ \t]*(?:language=)?\"?([\w+#.-]+)", re.IGNORECASE)
_FORMAT_MARKS = re.compile(r"`{1,2}|\*{1,2}(?=\S)|(?<=\S)\*{1,2}|\b_{1,2}(?=\w)|(?<=\w)_{1,2}\b|\[\[[^\[\]]*\]\]")
_AUTHOR = re.compile(r"[A-Za-zÀ-ɏ][\w.' -]*(?:<[^<>]+>)?(?:;.*)?\Z")
_REVISION = re.compile(r"v?(\d[\w.-]*)(?:,[ \t]*([\w-]+))?(?::.*)?\Z")
_KINDS: dict[str, BlockKind] = {
    "-": "code",
    ".": "code",
    "`": "code",
    "=": "quote",
    "*": "quote",
    "_": "quote",
    "+": "other",
    "/": "other",
}


@dataclass(slots=True)
class AsciidocReader:
    """Reads one text. ``attributes`` are those of the header, known once the blocks are read."""

    text: str
    attributes: dict[str, str] = field(default_factory=dict)
    lines: Lines = field(init=False)
    _marks: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lines = Lines(self.text)
        for number in range(len(self.lines)):
            words = self.lines.words(number)
            if words and words[0] in _MARK_SIGNS and _DELIMITER.match(words):
                self._marks.setdefault(words, []).append(number)

    def blocks(self) -> Iterator[Block]:
        """In pre-order."""
        first = 0  # comments may stand above the title
        while first < len(self.lines) and (self.lines.blank(first) or _COMMENT.match(self.lines.words(first))):
            first += 1
        body = yield from self.header(first)
        yield from self.region(body, len(self.lines), 0)

    def header(self, index: int) -> Reading:
        """The document's title with the lines of author, revision and attributes right below it."""
        match = self.section(index) if index < len(self.lines) else None
        if match is None or len(match[1]) > 1:
            return 0
        yield from self.gap(0, index)
        yield self.lines.block("heading", index, index + 1, level=1, title=plain_title(match[2]))
        end = index + 1
        while end < len(self.lines) and not self.lines.blank(end):
            words = self.lines.words(end)
            if attribute := _ATTRIBUTE.match(words):
                self.attributes.setdefault(attribute[1], attribute[2] or "")
            elif end == index + 1 and _AUTHOR.match(words):
                names = (name.partition("<")[0].strip() for name in words.split(";"))
                self.attributes["author"] = ";".join(name for name in names if name)
            elif end == index + 2 and (revision := _REVISION.match(words)):
                self.attributes["revnumber"], self.attributes["revdate"] = revision[1], revision[2] or ""
            elif not words.startswith("//"):
                break
            end += 1
        yield from self.gap(index + 1, end)
        return end

    def gap(self, first: int, end: int) -> Iterator[Block]:
        if any(not self.lines.blank(number) for number in range(first, end)):
            yield self.lines.block("other", first, end)

    def region(self, first: int, last: int, depth: int, *, items: int = 0) -> Iterator[Block]:
        """The blocks of a range of lines; ``items`` is the number of list items around it."""
        index = first
        while depth <= MAX_DEPTH and index < last:
            if self.lines.blank(index):
                index += 1
                continue
            following = yield from self.body(index, last, depth, items)
            index = max(following, index + 1)

    def body(self, index: int, last: int, depth: int, items: int) -> Reading:
        """The block at that line, and where the next one may begin."""
        attached = self.attached_end(index, last)
        if attached == last or self.lines.blank(attached):
            yield self.lines.block("other", index, attached)
            return attached
        words = self.lines.words(attached)
        settings = [self.lines.words(number) for number in range(index, attached)]
        section = self.section(attached) if depth == 0 else None
        if section:
            yield self.lines.block("heading", index, attached + 1, level=len(section[1]), title=plain_title(section[2]))
            return attached + 1
        if depth == 0 and (level := self.underlined(attached, last)):
            yield self.lines.block("heading", index, attached + 2, level=level, title=plain_title(words))
            return attached + 2
        if _DELIMITER.match(words):
            return (yield from self.delimited(index, attached, last, depth, items, settings))
        if words.startswith("//") or _ATTRIBUTE.match(words) or _MACRO.match(words) or _RULE.match(words):
            yield self.lines.block("other", index, attached + 1)
            return attached + 1
        if _MARKER.match(words) or _TERM.match(words):
            return (yield from self.list(index, attached, last, depth, items))
        end = self.paragraph_end(attached, last)
        language = _language(settings)
        is_code = self.lines[attached].indent > 0 or any(line.startswith(("[source", "[listing")) for line in settings)
        is_quote = any(line.startswith(("[quote", "[verse")) for line in settings)
        kind: BlockKind = "code" if is_code else "quote" if is_quote else "paragraph"
        yield self.lines.block(kind, index, end, language=language if is_code else "")
        return end

    def section(self, index: int) -> re.Match[str] | None:
        words = self.lines.words(index)
        return _SECTION.match(words) if len(words) <= MAX_TITLE_CHARS else None

    def attached_end(self, index: int, last: int) -> int:
        """After the lines in brackets and the title that belong to the block below them."""
        while index < last and not self.lines.blank(index):
            words = self.lines.words(index)
            if not (_ATTACHED.match(words) or (_TITLE.match(words) and not _MARKER.match(words))):
                break
            index += 1
        return index

    def underlined(self, index: int, last: int) -> int:
        """The level of a title with a line of signs below it, of about its length; 0 where there is none."""
        if index + 1 >= last or self.lines.blank(index + 1):
            return 0
        title, below = self.lines.words(index), self.lines.words(index + 1)
        if len(below) < 3 or below[0] not in _UNDERLINES or below.strip(below[0]) or not re.search(r"\w", title):
            return 0
        return _UNDERLINES.index(below[0]) + 1 if abs(len(title) - len(below)) <= 1 else 0

    # Delimited blocks.

    def delimited(self, first: int, index: int, last: int, depth: int, items: int, settings: Sequence[str]) -> Reading:
        mark = self.lines.words(index)
        closing = self.closing(index, last, "```" if mark.startswith("```") else mark)
        end = last if closing is None else closing + 1
        inner = end if closing is None else closing
        if len(mark) >= 4 and mark[1:4] == "===" and mark[0] in "|,:!":
            yield table_block(self.lines, (first, index, inner, end), settings)
            return end
        kind = _KINDS.get(mark[0], "quote") if mark != "--" else "quote"
        language = mark[3:] if mark.startswith("```") else _language(settings)
        if mark == "--" and any(line.startswith(("[source", "[listing")) for line in settings):
            kind = "code"
        if kind == "quote" and any(line.startswith(("[verse", "[stem", "[latexmath", "[literal")) for line in settings):
            yield self.lines.block("code" if "[verse" not in settings[0] else "quote", first, end)
            return end
        yield self.lines.block(kind, first, end, language=language if kind == "code" else "")
        if kind == "quote":
            yield from self.region(index + 1, inner, depth + 1, items=items)
        return end

    def closing(self, index: int, last: int, mark: str) -> int | None:
        """The line that closes the block opened at ``index``."""
        numbers = self._marks.get(mark, [])
        following = bisect_right(numbers, index)
        return numbers[following] if following < len(numbers) and numbers[following] < last else None

    # Lists.

    def list(self, first: int, index: int, last: int, depth: int, items: int) -> Reading:
        """Items follow each other, blank lines between them or not; depth is told by the markers, by the order in
        which they first occur."""
        starts: list[tuple[int, int, str]] = []
        kinds: list[str] = []
        at = end = index
        while at < last:
            marker = self.marker(at)
            if marker:
                kind = _kind(marker)
                if kind in kinds:
                    del kinds[kinds.index(kind) + 1 :]
                elif len(kinds) < MAX_DEPTH:
                    kinds.append(kind)
                starts.append((at, len(kinds), marker))
                at = end = self.item_end(at, last)
            else:
                break
            while at < last and self.lines.blank(at):
                at += 1
            if at < last and not self.marker(at):
                break
        yield self.lines.block("list", first, end)
        yield from self.items(starts, end, depth, items)
        return end

    def items(self, starts: Sequence[tuple[int, int, str]], end: int, depth: int, items: int) -> Iterator[Block]:
        """The items as blocks; deeper ones lie in a list inside the item above them."""
        stops = _stops(starts, end)
        for number, (at, level, marker) in enumerate(starts):
            yield self.lines.block("item", at, stops[number], level=items + level, marker=marker)
            following, deeper, _ = starts[number + 1] if number + 1 < len(starts) else (end, 0, "")
            yield from self.region(self.words_end(at, following), following, depth + 1, items=items + level)
            if deeper > level:
                yield self.lines.block("list", following, stops[number])

    def marker(self, index: int) -> str:
        words = self.lines.words(index)
        if match := _MARKER.match(words):
            return match[0]
        term = _TERM.match(words) if not _DELIMITER.match(words) and not _MACRO.match(words) else None
        return term[0] if term else ""

    def words_end(self, index: int, last: int) -> int:
        """After the first paragraph of an item."""
        index += 1
        while index < last and not self.lines.blank(index) and self.lines.words(index) != "+":
            index += 1
        return index + 1 if index < last and self.lines.words(index) == "+" else index

    def item_end(self, index: int, last: int) -> int:
        """After the item's words and the blocks that a line with ``+`` attaches to it."""
        at = index + 1
        while at < last and not self.lines.blank(at):
            words = self.lines.words(at)
            if words == "+":
                at += 1
                at = self.attached_end(at, last)
                if at < last and _DELIMITER.match(self.lines.words(at)):
                    closing = self.closing(at, last, self.lines.words(at))
                    at = last if closing is None else closing + 1
                continue
            if self.marker(at) or _DELIMITER.match(words):
                break
            at += 1
        return at

    # Lines.

    def paragraph_end(self, index: int, last: int) -> int:
        index += 1
        while index < last and not self.lines.blank(index) and not _DELIMITER.match(self.lines.words(index)):
            index += 1
        return index


def _stops(starts: Sequence[tuple[int, int, str]], end: int) -> list[int]:
    """For each item the line where the next one of the same or a lower depth begins."""
    stops = [end] * len(starts)
    waiting: list[int] = []
    for number, (at, level, _) in enumerate(starts):
        while waiting and starts[waiting[-1]][1] >= level:
            stops[waiting.pop()] = at
        waiting.append(number)
    return stops


def _kind(marker: str) -> str:
    """Markers of one kind are at one depth: their signs where those are counted, else their sort."""
    if marker[0] in "*.-":
        return marker
    if marker[0] == "<":
        return "<"
    if marker.endswith((":", ";")):
        return marker[len(marker.rstrip(":;")) :]
    return "1." if marker[0].isdigit() else "i)" if marker.endswith(")") else "a." if marker[0].islower() else "A."


def _language(settings: Sequence[str]) -> str:
    return next((match[1] for line in settings if (match := _SOURCE.match(line))), "")


def plain_title(text: str) -> str:
    """
    >>> plain_title("The `x_y` *now*[[here]]")
    'The x_y now'
    """
    return " ".join(_FORMAT_MARKS.sub("", text).split()) or text.strip()
