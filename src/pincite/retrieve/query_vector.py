"""The vector of a query, however long it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pincite.model import Notice
from pincite.ports import Embedder
from pincite.text.graphemes import next_border

if TYPE_CHECKING:
    from pincite.ports import Vector


def query_vector(query: str, embedder: Embedder) -> tuple[Vector, list[Notice]]:
    """A unit vector, and a warning of kind ``query_split`` where the embedder does not read so much at once.

    Then the query is embedded in parts that it does read, and the vector is the mean of theirs: nothing is cut off.
    """
    limit = embedder.max_tokens
    if limit is None or embedder.count(query) <= limit:
        return embedder.embed_query(query), []
    parts = list(_parts(query, embedder, limit))
    vectors = [embedder.embed_query(part) for part in parts]
    mean = sum(vectors[1:], start=vectors[0])
    length = float((mean @ mean) ** 0.5)
    warning = Notice(
        kind="query_split",
        message=(
            f"the query is longer than the {limit} tokens that the embedder {embedder.name!r} reads; "
            f"it was embedded in {len(parts)} parts"
        ),
    )
    # Vectors that cancel out leave no direction; the query's beginning is then as good as any.
    return (mean / length if length > 1e-6 else vectors[0]), [warning]


def _parts(query: str, embedder: Embedder, limit: int) -> Iterable[str]:
    """As many words as the embedder reads, again and again; a longer word is cut between its characters."""
    rest = query.strip()
    while rest:
        end = _longest(rest, embedder, limit)
        yield rest[:end].rstrip()
        rest = rest[end:].lstrip()


def _longest(text: str, embedder: Embedder, limit: int) -> int:
    """The end of the longest beginning of the text within the limit, at least one character."""
    if embedder.count(text) <= limit:
        return len(text)
    blanks = [index for index in range(1, len(text)) if text[index].isspace()]
    end = _last_fitting(text, blanks, embedder, limit)
    if end:
        return end
    borders = []
    border = next_border(text, 0)
    word_end = blanks[0] if blanks else len(text)
    while border < word_end:
        borders.append(border)
        border = next_border(text, border)
    return _last_fitting(text, borders, embedder, limit) or (borders[0] if borders else word_end)


def _last_fitting(text: str, ends: list[int], embedder: Embedder, limit: int) -> int:
    """The last of the ends, by bisection, up to which the text is within the limit; 0 where none is."""
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        if embedder.count(text[: ends[middle]]) <= limit:
            low = middle + 1
        else:
            high = middle
    return ends[low - 1] if low else 0
