"""What a delimited text does not say of itself: its delimiter, and whether its first record names the columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pincite.load.records import NO_DELIMITER, Record, records

_DELIMITERS = (",", ";", "\t", "|", ":")  # of equal scores the first wins
_SAMPLE_CHARACTERS = 64 * 1024
_GOOD_SCORE = 0.45  # two columns in nine of ten records
_NUMBER = re.compile(r"[-+]?[€$£]?\s?[0-9][0-9.,'’\u00a0 ]*\s?[%€$£]?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[T ].*)?|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}")
_TIME = re.compile(r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?")
_YEAR = re.compile(r"1[89][0-9]{2}|2[01][0-9]{2}")
_ADDRESS = re.compile(r"[a-z]+://.*|\S+@\S+\.\S+", re.IGNORECASE)


def find_delimiter(text: str) -> str:
    """The delimiter that cuts the first 64 Ki characters best, ``NO_DELIMITER`` where none cuts at all.

    The score is the share of records that have the most frequent number of cells, times ``1 - 1 / cells``. A colon
    counts only as far as it is neither part of a time, an address or ``name: value``; a comma between two digits
    counts only as far as no other delimiter fits, since it may be a decimal comma.

    >>> find_delimiter("part;price;weight\\nbolt;1,50;0,2\\nnut;0,75;0,1\\n")
    ';'
    """
    sample = text[:_SAMPLE_CHARACTERS]
    if len(text) > len(sample):
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    scores = {delimiter: _score(sample, delimiter) for delimiter in _DELIMITERS}
    scores[":"] *= 1 - _share(sample, ":", r"(?<=[0-9]):(?=[0-9])|:(?=[/ ])")
    if any(score >= _GOOD_SCORE for delimiter, score in scores.items() if delimiter in ";\t|"):
        scores[","] *= 1 - _share(sample, ",", r"(?<=[0-9]),(?=[0-9])")
    best = max(_DELIMITERS, key=lambda delimiter: scores[delimiter])
    return best if scores[best] > 0 else NO_DELIMITER


def _score(sample: str, delimiter: str) -> float:
    widths = Counter(len(record.cells) for record in records(sample, delimiter))
    if not widths:  # a text of nothing but this delimiter is explained by it
        return float(delimiter in sample)
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
    return count / widths.total() * (1 - 1 / width)


def _share(sample: str, delimiter: str, pattern: str) -> float:
    return len(re.findall(pattern, sample)) / max(1, sample.count(delimiter))


def has_header(table: Sequence[Record]) -> bool:
    """Whether the first record names the columns: yes, unless one of its cells looks like data.

    Data is a number, a date, a time, a web or mail address. A year is data only where the cells below it are years
    as well (reports have years as column names). A table of mere text is taken to have a header.
    """
    for column, cell in enumerate(table[0].cells):
        text = cell.strip()
        if _YEAR.fullmatch(text):
            below = [record.cells[column].strip() for record in table[1:65] if column < len(record.cells)]
            if below and all(_YEAR.fullmatch(value) for value in below):
                return False
        elif any(pattern.fullmatch(text) for pattern in (_NUMBER, _DATE, _TIME, _ADDRESS)):
            return False
    return True
