"""Delimited text (CSV, TSV) to records of cells, with the line on which each begins.

Not the ``csv`` module: its limit for the size of a field is a setting of the whole process, it does not say on
which line a record begins, and a quote that is never closed swallows the rest of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n?|\n")
NO_DELIMITER = "\0"
"""Stands for "one cell on each line"; records never hold a NUL, the loader takes them out before."""


class Record(NamedTuple):
    """``line`` counts from 1; ``unclosed`` says that a quote in it is never closed and stands as a character."""

    line: int
    cells: list[str]
    unclosed: bool = False


class _Patterns(NamedTuple):
    opening: re.Pattern[str]
    quoted: re.Pattern[str]
    end: re.Pattern[str]


@cache
def _patterns(delimiter: str) -> _Patterns:
    blanks = " *+" if delimiter == "\t" else "[ \t]*+"
    return _Patterns(
        opening=re.compile(rf'{blanks}"'),
        quoted=re.compile(rf'{blanks}"([^"]*+(?:""[^"]*+)*+)"'),
        end=re.compile(rf"\r\n?|\n|{re.escape(delimiter)}|\Z"),
    )


def records(text: str, delimiter: str, *, line: int = 1) -> Iterator[Record]:
    r"""The records in order; ``line`` is the number of the text's first line. A line of blanks is none.

    A cell in double quotes may hold delimiters, line ends and doubled quotes. Where something follows the closing
    quote, delimiters inside the quotes are still no borders, and the cell stands as it is written. A quote that is
    never closed is a character like any other.

    >>> [(record.line, record.cells) for record in records('a,"b\n""c"" d"\n\ne', ",")]
    [(1, ['a', 'b\n"c" d']), (4, ['e'])]
    """
    position = 0
    while position < len(text):
        found = _LINE_END.search(text, position)
        end, following = found.span() if found else (len(text), len(text))
        raw = text[position:end]
        lines, unclosed = 1, False
        if '"' in raw:
            cells, following, unclosed = _quoted_record(text, position, delimiter)
            lines = len(_LINE_END.findall(text, position, following))
        else:
            cells = raw.split(delimiter)
        if raw and not all(not cell or cell.isspace() for cell in cells):
            yield Record(line, cells, unclosed)
        line += lines
        position = following


def _quoted_record(text: str, position: int, delimiter: str) -> tuple[list[str], int, bool]:
    """The cells of the record at ``position``, where the next one begins, whether a quote is never closed.

    Linear over a file, though a quote that is never closed is searched for to the end: after such a quote all
    others come in pairs, so that the search fails at most once.
    """
    patterns = _patterns(delimiter)
    cells: list[str] = []
    unclosed = False
    while True:
        quoted = patterns.quoted.match(text, position)
        if quoted is None and patterns.opening.match(text, position):
            unclosed = True
        stop = patterns.end.search(text, quoted.end() if quoted else position)
        assert stop is not None  # noqa: S101 - the pattern matches the end of the text
        rest = text[quoted.end() : stop.start()] if quoted else ""
        if quoted and (not rest or rest.isspace()):
            cells.append(quoted[1].replace('""', '"'))
        else:
            cells.append(text[position : stop.start()])
        if stop[0] != delimiter:
            return cells, stop.end(), unclosed
        position = stop.end()
