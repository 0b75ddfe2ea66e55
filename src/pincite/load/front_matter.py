"""Front matter: the YAML between two ``---`` lines at the very start of a Markdown file.

It decides who may see a document (``groups``), so whatever is doubtful is an error and never an empty answer.

Rules. The file's first line is ``---``, the line after it is not blank, and a later line is ``---`` or ``...``; all
else is Markdown. Only, what looks like front matter with a ``groups`` line and breaks one of these rules is refused.
The content is one mapping without anchors, aliases, tags, merge keys or repeated keys, of at most 64 KiB.

Values. The known keys (in any case; ``author`` is ``authors``, ``lang`` is ``language``) take their text as it is
written, so ``version: 3.10`` is ``"3.10"`` and ``language: no`` is ``"no"``. Everywhere else a scalar without
quotes is a number or true/false where YAML 1.2 says so, a list becomes a tuple of texts, a mapping is flattened
(``a: {b: 1}`` is ``a.b``) and a null is dropped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

import yaml

from pincite.errors import LoadError
from pincite.model import KNOWN_KEYS, MetadataValue, Notice, known_key

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_MAX_CHARACTERS = 64 * 1024
_MAX_DEPTH = 20

_OPENING = re.compile(r"---[ \t]*(?:\r\n|\r|\n)")
_FENCE_LIKE = re.compile(
    r"(?:[\s\ufeff]|<!--.{0,2000}?-->)*+(?P<fence>-{3,}|\+{3,}|;{3,})[^\r\n]*(?:\r\n|\r|\n)", re.DOTALL
)
_SEARCHED_CHARACTERS = 8 * 1024
_GROUPS_FIELD = re.compile(r":groups?:", re.IGNORECASE)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_CLOSING = re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|\Z)")
_BLANK_LINE = re.compile(r"[ \t]*(?:\r\n|\r|\n)")
_GROUPS_LINE = re.compile(r"(?:\A|(?<=[\r\n]))[ \t]*[\"']?(?:[\w-]+\.)?groups?[\"']?[ \t]*[:=]", re.IGNORECASE)

_NULL = re.compile(r"|~|null|Null|NULL")
_BOOLEAN = re.compile(r"true|True|TRUE|false|False|FALSE")
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"[-+]?[0-9]+(?:\.[0-9]+(?:[eE][-+]?[0-9]{1,2})?|[eE][-+]?[0-9]{1,2})")
# A group must not be one of those by accident: `groups: no` means "none" to whoever writes it.
_NO_GROUP = re.compile(r"yes|no|on|off|y|n|none|\.inf|\.nan|[-+]?[0-9._]+|\W*", re.IGNORECASE)
_SHORT_DATE = re.compile(r"[0-9]{4}(?:-(?:0[1-9]|1[0-2]))?")
_LOOSE_TIME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[Tt]|[ \t]+)([0-9]{1,2}):(.*)")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """``end`` is the code point after the closing fence, ``body`` that where the Markdown begins."""

    end: int
    body: int
    metadata: dict[str, MetadataValue]
    notices: tuple[Notice, ...] = ()


class _Scalar(NamedTuple):
    text: str
    plain: bool
    line: int

    def is_null(self) -> bool:
        return self.plain and _NULL.fullmatch(self.text) is not None


class _List(NamedTuple):
    items: list[_Node]
    line: int


class _Mapping(NamedTuple):
    items: dict[str, _Node]
    line: int


_Node = _Scalar | _List | _Mapping


class _Problem(Exception):  # noqa: N818 - becomes a LoadError, which knows the file
    def __init__(self, line: int, problem: str, cure: str) -> None:
        super().__init__(problem)
        self.line, self.problem, self.cure = line, problem, cure


def read_front_matter(text: str, file: str) -> FrontMatter | None:
    r"""The front matter of a Markdown text, ``None`` where there is none.

    Raises ``LoadError`` of the kind ``front_matter`` with the number of the line (from 1, of the file).

    >>> read_front_matter("---\nversion: 3.10\ntags: [a, b]\n---\nText\n", "guide.md").metadata
    {'version': '3.10', 'tags': ('a', 'b')}
    """
    try:
        return _read(text, file)
    except _Problem as problem:
        raise LoadError(
            f"front matter, line {problem.line}: {problem.problem}", cure=problem.cure, kind="front_matter", file=file
        ) from problem


def _read(text: str, file: str) -> FrontMatter | None:
    opening = _OPENING.match(text)
    if opening is None:
        _refuse_hidden_groups(text)
        return None
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        _refuse_hidden_groups(text)
        return None
    inner = text[opening.end() : closing.start()]
    if _BLANK_LINE.match(inner) and not _GROUPS_LINE.search(inner):
        return None
    if len(inner) > _MAX_CHARACTERS:
        cure = "Shorten it; or, if the file begins with a rule, put a blank line after it."
        raise _Problem(1, f"it has {len(inner):,} characters, at most {_MAX_CHARACTERS:,} are read", cure)
    notices: list[Notice] = []
    metadata: dict[str, MetadataValue] = {}
    for key, node in _parse(inner).items.items():
        for name, value in _values(key, node, file, notices):
            if name in metadata:
                raise _Problem(node.line, f"{name!r} is set twice", "Keep one of them.")
            metadata[name] = value
    end = closing.start() + 3
    return FrontMatter(end=end, body=closing.end(), metadata=metadata, notices=tuple(notices))


def refuse_hidden_groups(text: str, file: str) -> None:
    """Raises ``LoadError`` for a text that has no front matter of ours and names groups where somebody may believe that
    they hold: after a first line that looks like the fence of some kind of front matter."""
    try:
        _refuse_hidden_groups(text)
    except _Problem as problem:
        raise LoadError(
            f"front matter, line {problem.line}: {problem.problem}", cure=problem.cure, kind="front_matter", file=file
        ) from problem


def refuse_group_fields(text: str, file: str) -> None:
    """Raises ``LoadError`` for a text whose header has a field ``:groups:``, as reStructuredText and AsciiDoc write
    them: nothing reads it, so the groups would not hold."""
    refuse_hidden_groups(text, file)
    for number, line in enumerate(_LINE.findall(text, 0, _SEARCHED_CHARACTERS), start=1):
        if _GROUPS_FIELD.match(line):
            raise LoadError(
                f"line {number}: groups are named in a field, but fields do not decide who may see a document",
                cure="Name them in a [[metadata]] rule of pincite.toml, and take the field out.",
                kind="front_matter",
                file=file,
            )


def _refuse_hidden_groups(text: str) -> None:
    opening = _FENCE_LIKE.match(text)
    if opening is None:
        return
    fence = opening["fence"][:3]
    region = _LINE.findall(text, opening.end(), opening.end() + _SEARCHED_CHARACTERS)
    line = len(re.findall(r"\r\n|\r|\n", opening.group())) + 1
    for content in region:
        if content.startswith((fence, "```", "~~~")):
            return
        if _GROUPS_LINE.match(content):
            problem = "groups are named, but this is no front matter, so they would not hold"
            cure = "Begin a Markdown file with `---` on line 1 and close that part with a second `---` line."
            raise _Problem(line, problem, cure)
        line += 1


# From YAML to a small tree.


def _parse(inner: str) -> _Mapping:
    try:
        events = iter(yaml.parse(inner, Loader=_Loader))
        next(events)  # the start of the stream
        if isinstance(next(events), yaml.StreamEndEvent):
            return _Mapping({}, 1)
        node = _node(events, next(events), depth=0)
        next(events)  # the end of the document
        extra = next(events)
    except yaml.YAMLError as error:
        raise _bad_yaml(error, inner) from error
    if not isinstance(extra, yaml.StreamEndEvent):
        raise _Problem(_line(extra), "it holds a second YAML document", "Keep one.")
    if isinstance(node, _Mapping):
        return node
    cure = "Write lines of the form `key: value`; or, if the file begins with a rule, put a blank line after it."
    raise _Problem(node.line, "it is no YAML mapping", cure)


def _node(events: Iterator[Any], event: Any, *, depth: int) -> _Node:
    line = _line(event)
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        raise _Problem(line, "it uses a YAML anchor or alias", "Write the value out.")
    if event.tag not in (None, "!"):
        raise _Problem(line, f"it uses the YAML tag {event.tag!r}", "Write the value without a tag.")
    if isinstance(event, yaml.ScalarEvent):
        return _Scalar(event.value, plain=event.style in (None, ""), line=line)
    if depth == _MAX_DEPTH:
        raise _Problem(line, f"it is nested deeper than {_MAX_DEPTH} levels", "Make it flatter.")
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[_Node] = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(_node(events, event, depth=depth + 1))
        return _List(items, line)
    pairs: dict[str, _Node] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        key = _key(_node(events, event, depth=depth + 1), top=depth == 0)
        if key in pairs:
            raise _Problem(_line(event), f"{key!r} is set twice", "Keep one of them.")
        pairs[key] = _node(events, next(events), depth=depth + 1)
    return _Mapping(pairs, line)


def _key(node: _Node, *, top: bool) -> str:
    """The name of a key; at the top level known ones in any case."""
    if not isinstance(node, _Scalar):
        raise _Problem(node.line, "a key is a list or a mapping", "Use text as a key.")
    if node.plain and node.text == "<<":
        raise _Problem(node.line, "it uses a YAML merge key", "Write the values out.")
    key = node.text.strip()
    return known_key(key) if top else key


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 2  # marks count from 0, and the opening fence is line 1


def _bad_yaml(error: yaml.YAMLError, inner: str) -> _Problem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    before = inner[: int(getattr(error, "position", 0) or 0)]
    line = int(mark.line) + 2 if mark else before.count("\n") + 2
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "syntax"
    return _Problem(line, f"it is not valid YAML ({problem})", "Mend it; text with `: ` or `#` in it needs quotes.")


# From the tree to metadata.


def _values(key: str, node: _Node, file: str, notices: list[Notice]) -> Iterator[tuple[str, MetadataValue]]:
    if key == "groups":
        yield key, _groups(node)
    elif key not in KNOWN_KEYS:
        yield from _flat(key, node)
    elif key == "authors":
        yield key, tuple(_author(item) for item in (node.items if isinstance(node, _List) else [node]))
    elif not isinstance(node, _Scalar):
        raise _Problem(node.line, f"{key!r} is a list or a mapping", "Give it one text.")
    elif not node.is_null() and (words := " ".join(node.text.split())):
        if key == "date" and not (iso := _iso_date(words)):
            message = f"the date {words!r} (line {node.line}) is not ISO 8601 and is kept as it is"
            notices.append(Notice(kind="front_matter", message=message, file=file))
        elif key == "date":
            words = iso
        yield key, words


def _groups(node: _Node) -> tuple[str, ...]:
    items = node.items if isinstance(node, _List) else [node]
    if not items:
        raise _Problem(node.line, "'groups' is empty", "Name a group, or take the line out.")
    groups: list[str] = []
    for item in items:
        named = isinstance(item, _Scalar) and not item.is_null() and item.text.strip() != ""
        doubtful = isinstance(item, _Scalar) and item.plain and _is_no_group(item.text)
        if not isinstance(item, _Scalar) or not named or doubtful:
            cure = "Write `groups: [name, …]`, with a name in quotes if it looks like a number or yes/no."
            raise _Problem(item.line, "'groups' must be text or a list of text", cure)
        groups.append(item.text.strip())
    return tuple(groups)


def _is_no_group(text: str) -> bool:
    return any(pattern.fullmatch(text) for pattern in (_NO_GROUP, _BOOLEAN, _INTEGER, _FLOAT))


def _author(node: _Node) -> str:
    if isinstance(node, _Mapping):
        node = node.items.get("name", node)
    if not isinstance(node, _Scalar) or node.is_null() or not node.text.strip():
        raise _Problem(node.line, "an author has no name", "Write `authors: [name, …]`.")
    return " ".join(node.text.split())


def _flat(name: str, node: _Node) -> Iterator[tuple[str, MetadataValue]]:
    if isinstance(node, _Mapping):
        for key, inner in node.items.items():
            yield from _flat(f"{name}.{key}", inner)
    elif isinstance(node, _List):
        present = (item for item in node.items if not (isinstance(item, _Scalar) and item.is_null()))
        yield name, tuple(item.text if isinstance(item, _Scalar) else _as_json(item) for item in present)
    elif not node.is_null():
        yield name, _scalar_value(node)


def _scalar_value(scalar: _Scalar) -> str | int | float | bool:
    text = scalar.text
    if not scalar.plain:
        return text
    if _BOOLEAN.fullmatch(text):
        return text.lower() == "true"
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _as_json(node: _Node) -> str:
    def plain(node: _Node) -> Any:
        if isinstance(node, _Mapping):
            return {key: plain(value) for key, value in node.items.items()}
        if isinstance(node, _List):
            return [plain(item) for item in node.items]
        return None if node.is_null() else _scalar_value(node)

    return json.dumps(plain(node), ensure_ascii=False, sort_keys=True)


def _iso_date(text: str) -> str:
    """The date or time in ISO 8601, empty where it is none. A year or a year and month stand as they are."""
    if _SHORT_DATE.fullmatch(text):
        return text
    if loose := _LOOSE_TIME.fullmatch(text):  # YAML's own form: a blank, one digit for the hour, a blank before Z
        text = f"{loose[1]}T{loose[2]:0>2}:{loose[3].replace(' ', '')}"
        try:
            return datetime.fromisoformat(text).isoformat()
        except ValueError:
            return ""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return ""
