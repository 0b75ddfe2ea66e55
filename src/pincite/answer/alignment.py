"""Which words of a sentence stand in a quote, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.answer.evidence import is_function_word


@dataclass(frozen=True, slots=True)
class Aligned:
    """Words of a sentence that a quote has not (``mine``) and the reverse (``theirs``), inside the stretch ``[first,
    last)`` of the quote's words that the sentence stands over; ``share`` of the sentence's words stand in both."""

    share: float
    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    first: int
    last: int
    gaps: tuple[tuple[int, int], ...] = ()


def align(ours: Sequence[str], theirs: Sequence[str]) -> Aligned | None:
    from rapidfuzz.distance import Levenshtein

    if not ours or not theirs:
        return None
    whole = _contiguous(ours, theirs)
    if whole is not None:
        return Aligned(1.0, (), (), whole, whole + len(ours))
    start = _start(ours, theirs)
    stop = len(theirs) - _start(ours[::-1], theirs[start:][::-1])
    changes = [
        (change.tag, change.src_start, change.src_end, change.dest_start + start, change.dest_end + start)
        for change in Levenshtein.opcodes(list(ours), list(theirs[start:stop]))
    ]
    equal = sum(end - begin for tag, begin, end, _, _ in changes if tag == "equal")
    if not equal:
        return None
    different = [change for change in changes if change[0] != "equal"]
    return Aligned(
        equal / len(ours),
        tuple(word for _, begin, end, _, _ in different for word in ours[begin:end]),
        tuple(word for _, _, _, begin, end in different for word in theirs[begin:end]),
        start,
        stop,
        tuple((begin, end) for _, _, _, begin, end in different if begin < end),
    )


def _start(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """Where in theirs ours begins: what comes before is of no concern. A word that stands alone far before the rest
    ("the") is no beginning."""
    from rapidfuzz.distance import Levenshtein

    start = 0
    for _ in range(6):
        changes = list(Levenshtein.opcodes(list(ours), list(theirs[start:])))
        if changes[0].tag == "insert":
            if len(changes) > 1:
                start += changes[0].dest_end
                continue
            break
        if len(changes) < 3 or changes[0].tag != "equal" or changes[1].tag != "insert":
            break
        alone, gap = changes[0].src_end, changes[1].dest_end - changes[1].dest_start
        if alone > 2 or gap < 2 * alone or not all(is_function_word(word) for word in ours[:alone]):
            break
        start += alone
    return start


def _contiguous(ours: Sequence[str], theirs: Sequence[str]) -> int | None:
    """Where our words stand in theirs without a gap."""
    joined = "\n".join(["", *theirs, ""])
    at = joined.find("\n".join(["", *ours, ""]))
    return None if at < 0 else joined.count("\n", 0, at)
