"""Front matter: the YAML between two ``---`` lines, or the TOML between two ``+++`` lines, at the very start of a
Markdown file.

It decides who may see a document (``groups``), so whatever is doubtful is an error and never an empty answer.

Rules. The file's first line is ``---`` (``+++``), the line after it is not blank, and a later line is ``---`` or
``...`` (``+++``); all else is Markdown. Only, what looks like front matter with a ``groups`` line and breaks one of
these rules is refused. The content is one mapping without anchors, aliases, tags, merge keys or repeated keys, of at
most 64 KiB.

Values. The known keys (in any case; ``author`` is ``authors``, ``lang`` is ``language``) take their text as it is
written, so ``version: 3.10`` is ``"3.10"`` and ``language: no`` is ``"no"``. Everywhere else a scalar without
quotes is a number or true/false where YAML 1.2 says so, a list becomes a tuple of texts, a mapping is flattened
(``a: {b: 1}`` is ``a.b``) and a null is dropped. TOML has the same values: a date is its text in ISO 8601.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from pincite.errors import LoadError
from pincite.load.front_matter_syntax import List, Mapping, Node, Problem, Scalar, parse_toml, parse_yaml
from pincite.model import KNOWN_KEYS, MetadataValue, Notice

_MAX_CHARACTERS = 64 * 1024


class _Syntax(NamedTuple):
    opening: re.Pattern[str]
    closing: re.Pattern[str]
    parse: Callable[[str], Mapping]


_SYNTAXES = (
    _Syntax(
        re.compile(r"---[ \t]*(?:\r\n|\r|\n)"),
        re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|\Z)"),
        parse_yaml,
    ),
    _Syntax(
        re.compile(r"\+\+\+[ \t]*(?:\r\n|\r|\n)"),
        re.compile(r"(?<=[\r\n])\+\+\+[ \t]*(?:\r\n|\r|\n|\Z)"),
        parse_toml,
    ),
)
_FENCE_LIKE = re.compile(
    r"(?:[\s\ufeff]|<!--.{0,2000}?-->)*+(?P<fence>-{3,}|\+{3,}|;{3,})[^\r\n]*(?:\r\n|\r|\n)", re.DOTALL
)
_SEARCHED_CHARACTERS = 8 * 1024
_GROUPS_FIELD = re.compile(r":groups?:", re.IGNORECASE)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BLANK_LINE = re.compile(r"[ \t]*(?:\r\n|\r|\n)")
_GROUPS_LINE = re.compile(r"(?:\A|(?<=[\r\n]))[ \t]*[\"']?(?:[\w-]+\.)?groups?[\"']?[ \t]*[:=]", re.IGNORECASE)

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


def read_front_matter(text: str, file: str) -> FrontMatter | None:
    r"""The front matter of a Markdown text, ``None`` where there is none.

    Raises ``LoadError`` of the kind ``front_matter`` with the number of the line (from 1, of the file).

    >>> read_front_matter("---\nversion: 3.10\ntags: [a, b]\n---\nText\n", "guide.md").metadata
    {'version': '3.10', 'tags': ('a', 'b')}
    """
    try:
        return _read(text, file)
    except Problem as problem:
        raise LoadError(
            f"front matter, line {problem.line}: {problem.problem}", cure=problem.cure, kind="front_matter", file=file
        ) from problem


def _read(text: str, file: str) -> FrontMatter | None:
    fences = _fences(text)
    if fences is None:
        _refuse_hidden_groups(text)
        return None
    opening, closing, parse = fences
    inner = text[opening.end() : closing.start()]
    if _BLANK_LINE.match(inner) and not _GROUPS_LINE.search(inner):
        return None
    if len(inner) > _MAX_CHARACTERS:
        cure = "Shorten it; or, if the file begins with a rule, put a blank line after it."
        raise Problem(1, f"it has {len(inner):,} characters, at most {_MAX_CHARACTERS:,} are read", cure)
    notices: list[Notice] = []
    metadata: dict[str, MetadataValue] = {}
    for key, node in parse(inner).items.items():
        for name, value in _values(key, node, file, notices):
            if name in metadata:
                raise Problem(node.line, f"{name!r} is set twice", "Keep one of them.")
            metadata[name] = value
    end = closing.start() + 3
    return FrontMatter(end=end, body=closing.end(), metadata=metadata, notices=tuple(notices))


def _fences(text: str) -> tuple[re.Match[str], re.Match[str], Callable[[str], Mapping]] | None:
    for syntax in _SYNTAXES:
        opening = syntax.opening.match(text)
        closing = syntax.closing.search(text, opening.end()) if opening else None
        if opening and closing:
            return opening, closing, syntax.parse
    return None


def refuse_hidden_groups(text: str, file: str) -> None:
    """Raises ``LoadError`` for a text that has no front matter of ours and names groups where somebody may believe that
    they hold: after a first line that looks like the fence of some kind of front matter."""
    try:
        _refuse_hidden_groups(text)
    except Problem as problem:
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
            raise Problem(line, problem, cure)
        line += 1


# From the tree to metadata.


def _values(key: str, node: Node, file: str, notices: list[Notice]) -> Iterator[tuple[str, MetadataValue]]:
    if key == "groups":
        yield key, _groups(node)
    elif key not in KNOWN_KEYS:
        yield from _flat(key, node)
    elif key == "authors":
        yield key, tuple(_author(item) for item in (node.items if isinstance(node, List) else [node]))
    elif not isinstance(node, Scalar):
        raise Problem(node.line, f"{key!r} is a list or a mapping", "Give it one text.")
    elif not node.is_null() and (words := " ".join(node.text.split())):
        if key == "date" and not (iso := _iso_date(words)):
            message = f"the date {words!r} (line {node.line}) is not ISO 8601 and is kept as it is"
            notices.append(Notice(kind="front_matter", message=message, file=file))
        elif key == "date":
            words = iso
        yield key, words


def _groups(node: Node) -> tuple[str, ...]:
    items = node.items if isinstance(node, List) else [node]
    if not items:
        raise Problem(node.line, "'groups' is empty", "Name a group, or take the line out.")
    groups: list[str] = []
    for item in items:
        named = isinstance(item, Scalar) and not item.is_null() and item.text.strip() != ""
        doubtful = isinstance(item, Scalar) and item.plain and _is_no_group(item.text)
        if not isinstance(item, Scalar) or not named or doubtful:
            cure = "Write `groups: [name, …]`, with a name in quotes if it looks like a number or yes/no."
            raise Problem(item.line, "'groups' must be text or a list of text", cure)
        groups.append(item.text.strip())
    return tuple(groups)


def _is_no_group(text: str) -> bool:
    return any(pattern.fullmatch(text) for pattern in (_NO_GROUP, _BOOLEAN, _INTEGER, _FLOAT))


def _author(node: Node) -> str:
    if isinstance(node, Mapping):
        node = node.items.get("name", node)
    if not isinstance(node, Scalar) or node.is_null() or not node.text.strip():
        raise Problem(node.line, "an author has no name", "Write `authors: [name, …]`.")
    return " ".join(node.text.split())


def _flat(name: str, node: Node) -> Iterator[tuple[str, MetadataValue]]:
    if isinstance(node, Mapping):
        for key, inner in node.items.items():
            yield from _flat(f"{name}.{key}", inner)
    elif isinstance(node, List):
        present = (item for item in node.items if not (isinstance(item, Scalar) and item.is_null()))
        yield name, tuple(item.text if isinstance(item, Scalar) else _as_json(item) for item in present)
    elif not node.is_null():
        yield name, _scalar_value(node)


def _scalar_value(scalar: Scalar) -> str | int | float | bool:
    text = scalar.text
    if not scalar.plain:
        return text
    if _BOOLEAN.fullmatch(text):
        return text.lower() == "true"
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _as_json(node: Node) -> str:
    def plain(node: Node) -> Any:
        if isinstance(node, Mapping):
            return {key: plain(value) for key, value in node.items.items()}
        if isinstance(node, List):
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
