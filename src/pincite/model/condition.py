"""Conditions on a document's metadata: values, so that a store can evaluate them in its own way.

A field of a document has a kind: ``text``, ``number``, ``date`` (a text that is an ISO 8601 date), ``list`` (of texts)
or ``boolean``. A document that does not have the field fulfils no comparison with it, whatever the operator.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, TypeAlias

from pincite.model.metadata import Metadata, MetadataValue

FieldKind = Literal["text", "number", "date", "list", "boolean"]
Operator = Literal["=", "!=", "<", "<=", ">", ">="]
Value: TypeAlias = str | int | float | bool | date
"""What a field is compared with; a ``date`` only with fields of that kind."""

OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The field's value compared with another; of a text and a boolean only whether they are equal or not."""

    field: str
    operator: Operator
    value: Value


@dataclass(frozen=True, slots=True)
class OneOf:
    """The field's value is one of these."""

    field: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Contains:
    """The field is a list and holds this text."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class Has:
    """The document has the field."""

    field: str


@dataclass(frozen=True, slots=True)
class Not:
    """The document does not fulfil the condition."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class AllOf:
    """The document fulfils every one of the conditions, of which there is at least one."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """The document fulfils one of the conditions, of which there is at least one."""

    conditions: tuple[Condition, ...]


Condition: TypeAlias = Comparison | OneOf | Contains | Has | Not | AllOf | AnyOf


def kind_of(value: MetadataValue) -> FieldKind:
    """
    >>> kind_of("3.0"), kind_of("2025-01-31"), kind_of(3), kind_of(("a", "b")), kind_of(True)
    ('text', 'date', 'number', 'list', 'boolean')
    """
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, tuple):
        return "list"
    return "text" if as_date(value) is None else "date"


def as_date(text: str) -> date | None:
    """The calendar date that a text in the form ``2025-01-31`` is, or begins with before a time of day.

    >>> as_date("2025-01-31"), as_date("2025-01-31T10:00:00Z"), as_date("2025-02-31"), as_date("2025-01")
    (datetime.date(2025, 1, 31), datetime.date(2025, 1, 31), None, None)
    """
    if len(text) < 10 or text[10:11] not in ("", "T", " ") or text[4] != "-":
        return None
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def fulfils(metadata: Metadata, condition: Condition) -> bool:
    """
    >>> fulfils({"version": "3.0", "tags": ("api",)}, AllOf((Comparison("version", "=", "3.0"), Has("tags"))))
    True
    """
    match condition:
        case AllOf(conditions):
            return all(fulfils(metadata, inner) for inner in conditions)
        case AnyOf(conditions):
            return any(fulfils(metadata, inner) for inner in conditions)
        case Not(inner):
            return not fulfils(metadata, inner)
        case Has(field):
            return field in metadata
        case Contains(field, value):
            held = metadata.get(field)
            return isinstance(held, tuple) and value in held
        case OneOf(field, values):
            return any(compared(metadata.get(field), "=", value) for value in values)
    return compared(metadata.get(condition.field), condition.operator, condition.value)


def compared(held: MetadataValue | None, sign: str, value: Value) -> bool:
    """Whether a field's value compares so; false where there is none, and between kinds that do not compare."""
    if held is None or isinstance(held, tuple):
        return False
    if isinstance(value, date):
        moment = as_date(held) if isinstance(held, str) else None
        return moment is not None and OPERATORS[sign](moment, value)
    if isinstance(held, str) != isinstance(value, str) or isinstance(held, bool) != isinstance(value, bool):
        return False
    if isinstance(held, (str, bool)) and sign not in ("=", "!="):
        return False
    return OPERATORS[sign](held, value)


def comparisons(condition: Condition) -> Iterator[Comparison | OneOf | Contains | Has]:
    """What a condition says of single fields, in its order."""
    match condition:
        case AllOf(conditions) | AnyOf(conditions):
            for inner in conditions:
                yield from comparisons(inner)
        case Not(inner):
            yield from comparisons(inner)
        case _:
            yield condition
