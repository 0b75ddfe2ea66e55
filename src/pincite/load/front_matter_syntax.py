"""The syntax of front matter: YAML or TOML to one small tree whose nodes know their lines."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from pincite.model import known_key

_YamlLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_MAX_DEPTH = 20
# The time for one dotted key is quadratic in its parts.
_LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:"[^"\n]*+"|'[^'\n]*+'|[\w-]++)[ \t]*+\.[ \t]*+){100}""")
_TOML_KEY = re.compile(r"""[ \t]*(?:\[\[?[ \t]*)?(?:"([^"\n]*)"|'([^'\n]*)'|([\w-]+))[ \t]*[.=\]]""")
_NULL = re.compile(r"|~|null|Null|NULL")
_TOML_LINE = re.compile(r"\(at line ([0-9]+), ")


class Scalar(NamedTuple):
    text: str
    plain: bool
    line: int

    def is_null(self) -> bool:
        return self.plain and _NULL.fullmatch(self.text) is not None


class List(NamedTuple):
    items: list[Node]
    line: int


class Mapping(NamedTuple):
    items: dict[str, Node]
    line: int


Node = Scalar | List | Mapping


class Problem(Exception):  # noqa: N818 - becomes a LoadError, which knows the file
    def __init__(self, line: int, problem: str, cure: str) -> None:
        super().__init__(problem)
        self.line, self.problem, self.cure = line, problem, cure


def parse_yaml(inner: str) -> Mapping:
    try:
        events = iter(yaml.parse(inner, Loader=_YamlLoader))
        next(events)  # the start of the stream
        if isinstance(next(events), yaml.StreamEndEvent):
            return Mapping({}, 1)
        node = _node(events, next(events), depth=0)
        next(events)  # the end of the document
        extra = next(events)
    except yaml.YAMLError as error:
        raise _bad_yaml(error, inner) from error
    if not isinstance(extra, yaml.StreamEndEvent):
        raise Problem(_line(extra), "it holds a second YAML document", "Keep one.")
    if isinstance(node, Mapping):
        return node
    cure = "Write lines of the form `key: value`; or, if the file begins with a rule, put a blank line after it."
    raise Problem(node.line, "it is no YAML mapping", cure)


def _node(events: Iterator[Any], event: Any, *, depth: int) -> Node:
    line = _line(event)
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        raise Problem(line, "it uses a YAML anchor or alias", "Write the value out.")
    if event.tag not in (None, "!"):
        raise Problem(line, f"it uses the YAML tag {event.tag!r}", "Write the value without a tag.")
    if isinstance(event, yaml.ScalarEvent):
        return Scalar(event.value, plain=event.style in (None, ""), line=line)
    if depth == _MAX_DEPTH:
        raise _too_deep(line)
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Node] = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(_node(events, event, depth=depth + 1))
        return List(items, line)
    pairs: dict[str, Node] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        key = _key(_node(events, event, depth=depth + 1), top=depth == 0)
        if key in pairs:
            raise Problem(_line(event), f"{key!r} is set twice", "Keep one of them.")
        pairs[key] = _node(events, next(events), depth=depth + 1)
    return Mapping(pairs, line)


def _key(node: Node, *, top: bool) -> str:
    """The name of a key; at the top level known ones in any case."""
    if not isinstance(node, Scalar):
        raise Problem(node.line, "a key is a list or a mapping", "Use text as a key.")
    if node.plain and node.text == "<<":
        raise Problem(node.line, "it uses a YAML merge key", "Write the values out.")
    key = node.text.strip()
    return known_key(key) if top else key


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 2  # marks count from 0, and the opening fence is line 1


def _bad_yaml(error: yaml.YAMLError, inner: str) -> Problem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    before = inner[: int(getattr(error, "position", 0) or 0)]
    line = int(mark.line) + 2 if mark else before.count("\n") + 2
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "syntax"
    return Problem(line, f"it is not valid YAML ({problem})", "Mend it; text with `: ` or `#` in it needs quotes.")


def parse_toml(inner: str) -> Mapping:
    """The tree of a TOML document. Numbers are as they are written, except whole ones, which are in base 10."""
    text = re.sub(r"\r\n?", "\n", inner)
    if _LONG_KEY.search(text):
        raise _too_deep(1)
    lines = _toml_lines(text)
    try:
        table = tomllib.loads(text, parse_float=_Number)
    except RecursionError as error:
        raise _too_deep(1) from error
    except tomllib.TOMLDecodeError as error:
        problem, at = str(error).partition(" (at ")[0], _TOML_LINE.search(str(error))
        line = int(at[1]) + 1 if at else text.count("\n") + 1
        raise Problem(line, f"it is not valid TOML ({problem})", "Mend it; texts need quotes.") from error
    except ValueError as error:
        raise Problem(1, "it holds a number with too many digits", "Put it in quotes.") from error
    pairs: dict[str, Node] = {}
    for key, value in table.items():
        _put(pairs, key, _toml_node(value, lines.get(key, 1), depth=1), top=True)
    return Mapping(pairs, 1)


class _Number(str):
    """A number of TOML as it is written."""


def _toml_lines(text: str) -> dict[str, int]:
    """The line of the file on which each key of the top level is first named."""
    lines: dict[str, int] = {}
    for number, content in enumerate(text.split("\n"), start=2):
        if match := _TOML_KEY.match(content):
            lines.setdefault(next(filter(None, match.groups()), ""), number)
    return lines


def _toml_node(value: Any, line: int, *, depth: int) -> Node:
    if isinstance(value, (dict, list)) and depth == _MAX_DEPTH:
        raise _too_deep(line)
    if isinstance(value, dict):
        pairs: dict[str, Node] = {}
        for key, inner in value.items():
            _put(pairs, key, _toml_node(inner, line, depth=depth + 1), top=False)
        return Mapping(pairs, line)
    if isinstance(value, list):
        return List([_toml_node(item, line, depth=depth + 1) for item in value], line)
    if isinstance(value, str):
        return Scalar(str(value), plain=isinstance(value, _Number), line=line)
    text = str(value).lower() if isinstance(value, (bool, int)) else value.isoformat()
    return Scalar(text, plain=True, line=line)


def _put(pairs: dict[str, Node], key: str, node: Node, *, top: bool) -> None:
    name = _key(Scalar(key, plain=False, line=node.line), top=top)
    if name in pairs:
        raise Problem(node.line, f"{name!r} is set twice", "Keep one of them.")
    pairs[name] = node


def _too_deep(line: int) -> Problem:
    return Problem(line, f"it is nested deeper than {_MAX_DEPTH} levels", "Make it flatter.")
