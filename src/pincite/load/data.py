"""JSON, JSON Lines, YAML, TOML and INI as text: a block for each key, with its path; the text unchanged.

JSON is read for real, so a file that is not valid leaves a notice and loads as runs of lines. The others are read by
their lines and indentation alone: that never builds values (no aliases, tags or constructors of YAML), and works on
the templates that such files often are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from pincite.load.data_lines import DEEPEST, LARGE_CHARS, section_blocks, yaml_blocks
from pincite.load.decoding import decode
from pincite.load.limits import at_least_one
from pincite.load.notices import numbered
from pincite.load.text_blocks import groups, settled, short, text_document
from pincite.model import Block, Document, Notice, Source, Span
from pincite.text.offsets import line_at, line_starts

MEDIA_TYPES: dict[str, tuple[str, str]] = {
    ".json": ("json", "application/json"),
    ".geojson": ("json", "application/geo+json"),
    ".jsonl": ("jsonl", "application/jsonl"),
    ".ndjson": ("jsonl", "application/jsonl"),
    ".yaml": ("yaml", "application/yaml"),
    ".yml": ("yaml", "application/yaml"),
    ".toml": ("toml", "application/toml"),
    ".ini": ("ini", "text/plain"),
    ".cfg": ("ini", "text/plain"),
    ".conf": ("ini", "text/plain"),
    ".properties": ("ini", "text/plain"),
}
_BLANKS = re.compile(r"[ \t\r\n]*")
_LINE = re.compile(r"[^\r\n]+")
_PLAIN_VALUES = re.compile(r"(?:[-+.0-9eE]++|true|false|null|NaN|Infinity|,|[ \t\r\n]++)++")
_PLAIN_KEY = re.compile(r"[^\W\d][\w-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class DataLoader:
    """Loads data files of at most ``max_bytes`` bytes; the text is the decoded file, unchanged.

    The format is told by the suffix. A JSON or YAML document is one block of the kind ``code`` with a block inside for
    each key (``title`` is its path, such as ``servers[0].host``); keys inside large values have their own. Each record
    of JSON Lines, and each section of TOML and INI, is a block.
    """

    max_bytes: int = 64 * 1024 * 1024
    name: str = "data"

    def __post_init__(self) -> None:
        at_least_one(self, "max_bytes")

    def load(self, source: Source) -> Document:
        decoded = decode(source, max_bytes=self.max_bytes, loader=self.name)
        text = decoded.text
        language, media_type = MEDIA_TYPES.get(PurePosixPath(source.path).suffix.lower(), ("json", "application/json"))
        notices: list[Notice] = []
        found: Iterator[Block] | list[Block]
        if language == "json":
            found, problem = _json_blocks(text)
            if problem:
                notices.append(Notice(kind="invalid_json", message=problem, file=source.path))
        elif language == "jsonl":
            found, problem = _record_blocks(text)
            if problem:
                notices.append(Notice(kind="invalid_json", message=problem, file=source.path))
        else:
            found = yaml_blocks(text) if language == "yaml" else section_blocks(text, language)
        blocks = settled(text, found, gaps="code", language="json" if language == "jsonl" else language)
        return text_document(source, decoded, blocks, media_type=media_type, notices=notices)


# Numbers are checked, not computed: a number of a million digits takes no time.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str)


def _json_blocks(text: str) -> tuple[list[Block], str]:
    """The blocks, and what is wrong with the text, if anything."""
    start = _skip(text, 0)
    if start == len(text):
        return [], ""
    try:
        end = _end(text, start)
        if _skip(text, end) < len(text):
            raise json.JSONDecodeError("Extra data", text, _skip(text, end))
    except json.JSONDecodeError as error:
        problem = f"not valid JSON, read as lines: {error.msg} in line {error.lineno}, column {error.colno}"
        return [Block("code", span, language="json") for span in groups(text, 0, len(text))], problem
    except RecursionError:
        return [Block("code", Span(start, len(text)), language="json")], "nested too deep for its keys to be read"
    return [Block("code", Span(start, end), language="json"), *_members(text, start, "", 1)], ""


def _members(text: str, start: int, path: str, depth: int) -> Iterator[Block]:
    """A block for each member of the valid object or array at ``start``, with the comma after it; none for the numbers
    and the like in an array, which may be millions and say nothing alone."""
    if text[start] not in "{[":
        return
    keyed = text[start] == "{"
    position = _skip(text, start + 1)
    index = 0
    while text[position] not in "}]":
        if not keyed and (plain := _PLAIN_VALUES.match(text, position)):
            index += text.count(",", position, plain.end())
            position = plain.end()
            continue
        begin = position
        title = f"{path}[{index}]"
        if keyed:
            key, position = _DECODER.raw_decode(text, position)
            title = _joined(path, key)
            position = _skip(text, _skip(text, position) + 1)
        value = position
        position = _end(text, value)
        after = _skip(text, position)
        if text[after] == ",":
            position = after + 1
        yield Block("code", Span(begin, position), title=title, language="json")
        if depth < DEEPEST and position - value > LARGE_CHARS:
            yield from _members(text, value, title, depth + 1)
        position = _skip(text, position)
        index += 1


def _end(text: str, start: int) -> int:
    """Where the value at ``start`` ends. Raises ``JSONDecodeError``, or ``RecursionError`` for a very deep one."""
    return _DECODER.raw_decode(text, start)[1]


def _joined(path: str, key: str) -> str:
    r"""
    >>> _joined("a", "b"), _joined("", "a.b"), _joined("", "x")
    ('a.b', '["a.b"]', 'x')
    """
    key = short(key.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    if _PLAIN_KEY.fullmatch(key):
        return f"{path}.{key}" if path else key
    return f"{path}[{json.dumps(key, ensure_ascii=False)}]"


def _skip(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    assert match is not None  # noqa: S101 - the pattern matches anywhere
    return match.end()


def _record_blocks(text: str) -> tuple[list[Block], str]:
    """A block for each line that is not blank; what is wrong with those that are not valid."""
    blocks: list[Block] = []
    invalid: list[int] = []
    for match in _LINE.finditer(text):
        if match[0].isspace():
            continue
        blocks.append(Block("code", Span(*match.span()), language="json"))
        begin = _skip(text, match.start())
        try:
            valid = _skip(match[0], _end(match[0], begin - match.start())) == len(match[0])
        except (json.JSONDecodeError, RecursionError):
            valid = False
        if not valid:
            invalid.append(match.start())
    if not invalid:
        return blocks, ""
    starts = line_starts(text)
    return blocks, f"not valid JSON in {numbered('line', (line_at(starts, offset) for offset in invalid))}"
