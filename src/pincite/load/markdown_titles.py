"""The plain text of headings and of the names of columns in Markdown."""

from __future__ import annotations

import re
from typing import Any

_LINE_END = re.compile(r"\r\n?|\n")
_BREAK_TAG = re.compile(r"<br\b", re.IGNORECASE)

# What other tools read as attributes of a heading: `{#id .class key="value"}`, `{: #id }`, `{-}`, `{/* #id */}`.
_ATTRIBUTE = r"""(?:[#.][^\s{}]++|[\w:-]++=(?:"[^"{}]*+"|'[^'{}]*+'|[^\s"'{}]++))"""
_ATTRIBUTES = re.compile(
    rf"""(\{{ (?: :\s*+(?:{_ATTRIBUTE}|[\w-]++) | \s*+(?:{_ATTRIBUTE}|-) ) (?:\s++{_ATTRIBUTE})*+ \s*+ \}}
        | \{{/\*\s*+\#[^\s{{}}]++\s*+\*/\}} ) \s*+\#*+\s*+""",
    re.VERBOSE,
)
_CLOSING_MARKS = re.compile(r"(?:^|\s)\s*#+$")


def plain_text(event: Any) -> str:
    """What a reader sees of an inline event; the text of links and the one that describes an image are events."""
    if type(event) is str:  # a soft or hard break
        return " "
    if "Code" in event:
        return str(event["Code"])
    return " " if _BREAK_TAG.match(event.get("InlineHtml", "")) else ""


def joined(words: list[str]) -> str:
    return " ".join("".join(words).split())


def without_attributes(title: str, source: str) -> str:
    """The title without the attribute list at its end, unless it is escaped or all that there is of a title.

    ``source`` is the heading with its markup: what stands in code is not at its end.
    """
    # A heading of several lines ends with its underline.
    line = _LINE_END.split(source)[-2] if "\n" in source or "\r" in source else source
    opening = line.rfind("{")
    written = _ATTRIBUTES.fullmatch(line, opening) if opening > 0 and line[opening - 1] != "\\" else None
    attributes = " ".join(written[1].split()) if written else ""
    if not attributes or not title.endswith(attributes):
        return title
    plain = title[: -len(attributes)].rstrip()
    if plain.endswith("#"):
        plain = _CLOSING_MARKS.sub("", plain)
    return plain or title
