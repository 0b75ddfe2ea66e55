"""The language of ``--where``: conditions on metadata, such as ``version = '3.0' and date >= 2025-01-01``.

    CONDITION  field OPERATOR VALUE     =  !=  <  <=  >  >=
               field in (VALUE, …)      its value is one of these
               'TEXT' in field          the list holds the text
               has field                the document has the field
               not …   … and …   … or …   ( … )       binding in this order
    VALUE      'text' or "text", a number, a date such as 2025-01-31, true, false

A text is compared with ``=`` and ``!=`` only: whether ``'3.10'`` is above ``'3.9'`` is not for letters to decide.
A field whose name has blanks or signs stands in backquotes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, UnexpectedToken
from lark.exceptions import VisitError

from pincite.errors import UsageError
from pincite.model.condition import (
    AllOf,
    AnyOf,
    Comparison,
    Condition,
    Contains,
    FieldKind,
    Has,
    Not,
    OneOf,
    Value,
    as_date,
    comparisons,
)
from pincite.model.metadata import known_key
from pincite.retrieve.request import is_text

GRAMMAR = r"""
?start: any_of
?any_of: all_of ("or"i all_of)*
?all_of: negation ("and"i negation)*
?negation: "not"i negation -> negated
    | "(" any_of ")"
    | field SIGN value -> comparison
    | field "in"i "(" value ("," value)* ")" -> one_of
    | value "in"i field -> contains
    | "has"i field -> has
field: NAME | QUOTED
value: TEXT | DATE | NUMBER | TRUE | FALSE
SIGN: "=" | "!=" | "<=" | ">=" | "<" | ">"
TRUE.3: /true\b/i
FALSE.3: /false\b/i
TEXT: /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/s
DATE.2: /\d{4}-\d{1,2}-\d{1,2}\b/
NUMBER: /[-+]?\d{1,30}(?:\.\d{1,30})?/
NAME: /[^\W\d][\w.-]*/
QUOTED: /`[^`]+`/
%ignore /\s+/
"""

LANGUAGE = (
    "A condition looks like: version = '3.0' and date >= 2025-01-01 and 'api' in tags; "
    "there are = != < <= > >=, in, has, not, and, or, parentheses."
)
MOST_CHARACTERS = 10_000
MOST_COMPARISONS = 200
MOST_NESTED = 30


def parse(text: str) -> Condition:
    """The condition that the text says. Raises ``UsageError`` that points at the place which is not understood."""
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"the condition has over {MOST_CHARACTERS:,} characters", cure="Ask for less at once.")
    if not is_text(text):
        raise UsageError("the condition has bytes that are no UTF-8", cure="Write it in UTF-8.")
    try:
        condition: Condition = _Reader().transform(parser().parse(text))
    except UnexpectedInput as error:
        raise UsageError(f"the condition is not understood {place_in(text, error)}", cure=LANGUAGE) from None
    except VisitError as error:
        raise error.orig_exc from None
    except RecursionError:
        raise too_much() from None
    if sum(1 for _ in comparisons(condition)) > MOST_COMPARISONS or depth_of(condition) > MOST_NESTED:
        raise too_much()
    return condition


def too_much() -> UsageError:
    return UsageError(
        f"the condition has over {MOST_COMPARISONS} comparisons or is nested over {MOST_NESTED} deep",
        cure="Write field in (…) for many values of one field.",
    )


def depth_of(condition: Condition) -> int:
    match condition:
        case AllOf(conditions) | AnyOf(conditions):
            return 1 + max(map(depth_of, conditions))
        case Not(inner):
            return 1 + depth_of(inner)
        case _:
            return 1


@cache
def parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", maybe_placeholders=False)


def place_in(text: str, error: UnexpectedInput) -> str:
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return "at its end"
    position = int(error.pos_in_stream or 0)
    return f"at {text[position : position + 20]!r} (character {position + 1})"


class _Reader(Transformer[Token, Any]):
    """Turns the parsed tree into values."""

    def field(self, tokens: list[Token]) -> str:
        return known_key(str(tokens[0]).strip("`"))

    def value(self, tokens: list[Token]) -> Value:
        token = tokens[0]
        if token.type == "DATE":
            return calendar_date(str(token))
        if token.type == "NUMBER":
            return float(token) if "." in token else int(token)
        if token.type == "TEXT":
            return str(token)[1:-1].replace("\\" + token[0], token[0]).replace("\\\\", "\\")
        return token.type == "TRUE"

    def comparison(self, parts: list[Any]) -> Comparison:
        return Comparison(parts[0], str(parts[1]), parts[2])  # type: ignore[arg-type] # the grammar has no other sign

    def one_of(self, parts: list[Any]) -> OneOf:
        return OneOf(parts[0], tuple(parts[1:]))

    def contains(self, parts: list[Any]) -> Contains:
        if not isinstance(parts[0], str):
            raise UsageError(f"a list holds texts, not {parts[0]}", cure=f"Write '{parts[0]}' in {parts[1]}.")
        return Contains(parts[1], parts[0])

    def has(self, parts: list[Any]) -> Has:
        return Has(parts[0])

    def negated(self, parts: list[Any]) -> Not:
        return Not(parts[0])

    def all_of(self, parts: list[Any]) -> AllOf:
        return AllOf(tuple(parts))

    def any_of(self, parts: list[Any]) -> AnyOf:
        return AnyOf(tuple(parts))


def calendar_date(text: str) -> date:
    found = as_date(text)
    if found is None:
        raise UsageError(f"there is no date {text}", cure="Write a date of the calendar as YYYY-MM-DD.")
    return found


def settle(condition: Condition, fields: Mapping[str, Iterable[FieldKind]]) -> Condition:
    """The condition, ready for documents with these fields, of these kinds: a quoted date becomes a date where the
    field holds dates.

    Raises ``UsageError`` for a field that no document has, and for a value that does not compare with any of its
    kinds, with the fields that there are.
    """
    kinds = {name: frozenset(several) for name, several in fields.items()}
    for part in comparisons(condition):
        if part.field not in kinds:
            known = ", ".join(sorted(kinds)) or "none"
            raise UsageError(f"no document has a field {part.field!r}", cure=f"There are: {known}.")
    return settled(condition, kinds)


def settled(condition: Condition, kinds: Mapping[str, frozenset[FieldKind]]) -> Condition:
    match condition:
        case AllOf(conditions):
            return AllOf(tuple(settled(inner, kinds) for inner in conditions))
        case AnyOf(conditions):
            return AnyOf(tuple(settled(inner, kinds) for inner in conditions))
        case Not(inner):
            return Not(settled(inner, kinds))
        case Comparison(field, sign, value):
            return Comparison(field, sign, fitting(field, value, kinds[field], ordered=sign not in ("=", "!=")))
        case OneOf(field, values):
            return OneOf(field, tuple(fitting(field, value, kinds[field], ordered=False) for value in values))
        case Contains(field, value):
            if "list" not in kinds[field]:
                raise wrong_kind(field, value, kinds[field], "is no list")
            return condition
        case Has():
            return condition


def fitting(field: str, value: Value, kinds: frozenset[FieldKind], *, ordered: bool) -> Value:
    """The value as it compares with the field."""
    if isinstance(value, bool):
        if "boolean" in kinds and not ordered:
            return value
    elif isinstance(value, (int, float)):
        if "number" in kinds:
            return value
    elif isinstance(value, date):
        if "date" in kinds:
            return value
    elif "date" in kinds and "text" not in kinds:
        return calendar_date(value)
    elif "text" in kinds and not ordered:
        return value
    raise wrong_kind(field, value, kinds, "cannot be ordered so" if ordered else "does not compare so")


def wrong_kind(field: str, value: Value, kinds: frozenset[FieldKind], problem: str) -> UsageError:
    held = " or ".join(sorted(kinds))
    cures = {
        "list": f"Ask for '…' in {field}.",
        "text": f"Ask for {field} = '…', or in ('…', '…').",
        "number": f"Compare {field} with a number.",
        "date": f"Compare {field} with a date such as 2025-01-31.",
        "boolean": f"Ask for {field} = true, or false.",
    }
    return UsageError(
        f"the field {field!r} holds {held} and {problem} with {value!r}",
        cure=" ".join(cures[kind] for kind in sorted(kinds)),
    )
