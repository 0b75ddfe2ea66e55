"""What notices of several loaders say in the same words."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.model import Notice

_MOST_NAMED = 10


def empty(file: str, *, what: str = "file", of: str = "text") -> Notice:
    return Notice(kind="empty", message=f"the {what} has no {of}", file=file)


def unseen(characters: int, file: str) -> Notice:
    """Of hidden text: a reader of the document does not have it, and it may be there for programs only."""
    counted = (
        "1 character that nobody sees was" if characters == 1 else f"{characters:,} characters that nobody sees were"
    )
    return Notice(kind="hidden_text", message=f"{counted} left out", file=file)


def numbered(noun: str, numbers: Iterable[int]) -> str:
    """Which lines, cells and so on are meant: each once, the first ten in the order given.

    >>> numbered("line", [3]), numbered("cell", [1, 1, *range(2, 1003)])
    ('line 3', 'cells 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 992 more')
    """
    distinct = list(dict.fromkeys(numbers))
    return f"{noun}{'s' if len(distinct) > 1 else ''} {listed(map(str, distinct))}"


def listed(names: Iterable[str], *, most: int = _MOST_NAMED) -> str:
    """
    >>> listed(["a", "b", "c"]), listed(["a", "b", "c"], most=2)
    ('a, b, c', 'a, b and 1 more')
    """
    names = list(names)
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
