"""Metadata as rows, and conditions on it as queries over those rows. Values are parameters, never part of the SQL.

A date is kept twice: as the day it is, which compares with dates, and as it is written, which equals texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Any, TypeAlias

from pincite.model import Metadata, MetadataValue
from pincite.model.condition import (
    AllOf,
    AnyOf,
    Comparison,
    Condition,
    Contains,
    Has,
    Not,
    OneOf,
    Value,
    as_date,
    kind_of,
)

WRITTEN = "written"
"""The kind of the row that holds a date as it is written; not one of a field."""
LARGEST_INTEGER = 2**63 - 1
Rows: TypeAlias = Callable[[str, Sequence[Any]], Iterable[tuple[Any, ...]]]
"""Runs a query with its parameters."""
SELECT = "SELECT document FROM document_metadata WHERE name = ?"


def metadata_rows(metadata: Metadata) -> Iterator[tuple[str, str, Any]]:
    """Name, kind and value of every field; a list has one row per text, an empty one a row without value."""
    for name, value in metadata.items():
        kind = kind_of(value)
        if isinstance(value, tuple):
            for text in value or (None,):
                yield name, kind, text
        elif kind == "date":
            yield name, kind, str(as_date(str(value)))
            yield name, WRITTEN, value
        else:
            yield name, kind, number(value)


def number(value: MetadataValue) -> MetadataValue:
    """An integer that SQLite cannot hold becomes the nearest float."""
    return float(value) if isinstance(value, int) and abs(value) > LARGEST_INTEGER else value


def documents_where(condition: Condition, rows: Rows) -> set[int]:
    """The rows of the documents that fulfil the condition. One small query for each comparison, joined here: SQL
    that is nested as deeply as the condition is refused by SQLite."""
    match condition:
        case AllOf(conditions):
            return set.intersection(*(documents_where(inner, rows) for inner in conditions))
        case AnyOf(conditions):
            return set().union(*(documents_where(inner, rows) for inner in conditions))
        case Not(inner):
            return {row for (row,) in rows("SELECT row FROM documents", ())} - documents_where(inner, rows)
        case OneOf(field, several):
            return set().union(*(documents_where(Comparison(field, "=", value), rows) for value in several))
        case Has(field):
            return {row for (row,) in rows(SELECT, (field,))}
        case Contains(field, text):
            return {row for (row,) in rows(f"{SELECT} AND kind = 'list' AND value = ?", (field, text))}
        case Comparison(field, sign, value):
            if isinstance(value, (str, bool)) and sign not in ("=", "!="):
                return set()
            kinds, held = as_stored(value)
            return {row for (row,) in rows(f"{SELECT} AND kind IN ({kinds}) AND value {sign} ?", (field, held))}


def as_stored(value: Value) -> tuple[str, Any]:
    """The kinds that a value compares with, in SQL, and the value as it is kept there."""
    if isinstance(value, bool):
        return "'boolean'", value
    if isinstance(value, (int, float)):
        return "'number'", number(value)
    if isinstance(value, date):
        return "'date'", value.isoformat()
    return f"'text', '{WRITTEN}'", value
