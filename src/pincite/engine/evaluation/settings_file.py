"""Changes keys of one section of a TOML file and leaves every other character as it is.

A library that keeps comments (tomlkit) would be one more dependency for three keys. Instead the file is taken apart
into statements, each the fewest lines that parse as TOML, so that nothing about quotes and brackets has to be known
here; what comes out is parsed again and compared with what was meant.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pincite.errors import UsageError

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Statement:
    """Lines of a TOML file, with their ends: a header, one key with its value, or blank lines and comments."""

    text: str
    data: Mapping[str, Any]

    @property
    def is_header(self) -> bool:
        return self.text.lstrip().startswith("[")

    def is_header_of(self, section: str) -> bool:
        """Whether it opens that table, and not one within it or a list of tables."""
        return self.is_header and not self.text.lstrip().startswith("[[") and self.data == {section: {}}


def with_data(text: str, data: Mapping[str, Any], *, file: str) -> str:
    """The text changed so that it says ``data``, where that differs in keys of its sections. Raises ``UsageError``
    where the sections are written in a way that is not understood here."""
    before = tomllib.loads(text)
    changed = text
    for section in data:
        if before.get(section) != data[section]:
            changed = _with_section(changed, section, before.get(section, {}), data[section])
    try:
        after = tomllib.loads(changed)
    except ValueError:
        after = {}
    if after != data:
        wanted = {section: values for section, values in data.items() if before.get(section) != values}
        raise UsageError(
            "is written in a way that cannot be changed here, and was left as it is",
            cure=f"Set by hand: {json.dumps(wanted, ensure_ascii=False, default=str)}.",
            file=file,
        )
    return changed


def _with_section(text: str, section: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    statements = list(_statements(text))
    start = next((place for place, each in enumerate(statements) if each.is_header_of(section)), None)
    end_of_line = "\r\n" if "\r\n" in text else "\n"
    changed = {name: value for name, value in after.items() if name not in before or before[name] != value}
    if start is None:
        gap = "" if not text or text.endswith("\n") else end_of_line
        gap += end_of_line if text.strip() else ""
        lines = [f"[{section}]", *(_line(name, value) for name, value in changed.items())]
        return text + gap + "".join(line + end_of_line for line in lines)
    end = next((place for place in range(start + 1, len(statements)) if statements[place].is_header), len(statements))
    kept: list[str] = []
    last = 0
    for each in statements[start + 1 : end]:
        name = next(iter(each.data), None)
        if name is None or name in after:
            kept.append(_changed(each, _line(name, changed.pop(name))) if name in changed else each.text)
        if name is not None:
            last = len(kept)
    head = statements[start].text
    if not head.endswith("\n"):
        head += end_of_line
    if last and not kept[last - 1].endswith("\n") and changed:
        kept[last - 1] += end_of_line
    kept[last:last] = [_line(name, value) + end_of_line for name, value in changed.items()]
    parts = [*(each.text for each in statements[:start]), head, *kept, *(each.text for each in statements[end:])]
    return "".join(parts)


def _statements(text: str) -> Iterator[Statement]:
    waiting = ""
    for line in _LINE.findall(text):
        waiting += line
        try:
            data = tomllib.loads(waiting)
        except ValueError:  # it goes on in the next line
            continue
        yield Statement(waiting, data)
        waiting = ""
    if waiting:
        yield Statement(waiting, {})


def _changed(statement: Statement, line: str) -> str:
    """The statement with another value; blanks before it, a comment behind it and the end of the line stay."""
    text = statement.text
    indent = text[: len(text) - len(text.lstrip())]
    for place, sign in enumerate(text):
        if sign == "#" and _parsed(text[:place]) == statement.data:
            gap = text[len(text[:place].rstrip()) : place]
            return f"{indent}{line}{gap}{text[place:]}"
    return f"{indent}{line}{text[len(text.rstrip()) :]}"


def _parsed(text: str) -> Mapping[str, Any] | None:
    try:
        return tomllib.loads(text)
    except ValueError:
        return None


def _line(name: str, value: Any) -> str:
    key = name if _BARE_KEY.fullmatch(name) else _text(name)
    return f"{key} = {_value(value)}"


def _value(value: Any) -> str:
    """
    >>> _value({"code": 2.5, "a b": [True, "c"]})
    '{ code = 2.5, "a b" = [true, "c"] }'
    """
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(_line(name, each) for name, each in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value)


def _text(text: str) -> str:
    """JSON's escapes are TOML's, with one sign more that TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
