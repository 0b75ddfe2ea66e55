"""Finds a quote in a text, from the strictest way to the most lenient, and says where it stands in the original.

1. ``exact``: character for character.
2. ``normalised``: the same after `pincite.text.flattened`: other white space, typography or Markdown.
3. ``similar``: the same words but for slips of spelling and a few words without weight ("the", "of"). Nothing with a
   digit, no negation, modal word, word of quantity, comparative, unit, identifier or name may differ.
4. ``ellipsis``: a quote with "…", "..." or "[...]" stands in parts, in order, near each other, and what is left out
   holds no negation and no exception.

A quote never begins or ends inside a word or number ("5 minutes" does not stand in "15 minutes"), and one that is too
short to prove anything is not looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from pincite.answer.measures import is_long_unit, number_word
from pincite.answer.scripts import is_disguised
from pincite.answer.wording import EXCEPT, NEGATION, ONLY, senses_in, senses_of
from pincite.model import MATCHES, Match, Span
from pincite.text.flattened import Flattened, flat, flatten
from pincite.text.stopwords import ENGLISH, GERMAN, words_of

STRICTNESS: tuple[Match, ...] = MATCHES

MOST_PLACES = 8
"""So many places of one quote in one text are told."""
SHORTEST_WORD = 8
"""A quote of a single word is looked for only when it has at least so many characters, or letters and digits."""
SHORTEST_SIMILAR_WORDS = 5
MOST_DIFFERENT = 0.1
"""The share of a similar quote's words that may differ, and of its characters."""
LONGEST_OMISSION = 600
"""So many characters of the flat text may be left out at an ellipsis."""
LONGEST_QUOTE = 20_000
"""A longer quote is looked for by the first two ways only."""
_SEED_PLACES = 12
_SLACK = 30
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3,}|…)\s*\]|\(\s*(?:\.{3,}|…)\s*\)|…|\.{3,})\s*")
_FIGURE = re.compile(r"(?:(?<![\w)])[-+<>≤≥=±])?[$€£]?\s?\d(?:[\d.,:/]*\d)?\s?[%‰°€$£]?")
_WORD = re.compile(r"[^\W_]+(?:[.,:/_'+@-][^\W_]+)*")
_WEIGHTLESS = (ENGLISH | GERMAN) - words_of(
    """
    before after over under above below up down on off in out to from by into with without against through between
    during each few more most only same other own once again and or if until while his her their its my your our
    vor nach über unter gegen zwischen und oder wenn ob bis nur ohne mit in an am auf aus von zu bei durch für seit um
    sein seine ihr ihre mein meine dein deine unser unsere
    """
)
_FOLLOWED_BY_NUMBER = re.compile(r"[.,:/-]")


@dataclass(frozen=True, slots=True)
class Found:
    """``pieces`` are what of the span is quoted: the span itself but at an ellipsis."""

    span: Span
    match: Match
    pieces: tuple[Span, ...]


@dataclass(frozen=True)
class Page:
    """One text with its flat form, made when first needed."""

    text: str

    @cached_property
    def flattened(self) -> Flattened:
        return flatten(self.text)


@dataclass(frozen=True)
class Quote:
    """A quote that is looked for; what does not depend on the text is worked out once."""

    text: str

    @cached_property
    def bare(self) -> str:
        return self.text.strip()

    @cached_property
    def flat(self) -> str:
        return flat(self.text)

    @cached_property
    def weakness(self) -> str:
        """Why the quote proves nothing wherever it stands: ``empty``, ``too-short``, or nothing."""
        words = _WORD.findall(self.flat)
        if not words:
            return "empty"
        if len(words) == 1:
            return "" if _tells_alone(words[0]) else "too-short"
        return "too-short" if all(word in ENGLISH or word in GERMAN for word in words) else ""

    @cached_property
    def parts(self) -> tuple[Quote, ...]:
        """What stands between its ellipses; a single one where there is none."""
        return tuple(Quote(part) for part in _ELLIPSIS.split(self.text) if part.strip())

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(_WORD.findall(self.flat))


def _tells_alone(word: str) -> bool:
    mixed = any(character.isdigit() for character in word) and any(character.isalpha() for character in word)
    return len(word) >= SHORTEST_WORD or (mixed and len(word) >= 4)


def find(quote: Quote, page: Page) -> list[Found]:
    """The places of the quote in the order of the text, all found in the same, the strictest possible way.

    >>> [found.match for found in find(Quote("needs no permit"), Page("A boat **needs** no\\npermit."))]
    ['normalised']
    >>> find(Quote("5 minutes"), Page("It takes 15 minutes."))
    []
    """
    if quote.weakness:
        return []
    found = _exact(quote, page) or _normalised(quote, page)
    if found or len(quote.text) > LONGEST_QUOTE:
        return found
    in_parts = _in_parts(quote, page) if _ELLIPSIS.search(quote.text) else []
    return in_parts or _similar(quote, page)


def find_within(quote: Quote, text: str, spans: Iterable[Span]) -> list[Found]:
    """``find``, but only inside one of those spans of the text; the places are those of the text.

    >>> [str(found.span) for found in find_within(Quote("two boats"), "two boats, two boats", [Span(5, 20)])]
    ['Span(start=11, end=20)']
    """
    found = [
        Found(_moved(each.span, by=span.start), each.match, tuple(_moved(one, by=span.start) for one in each.pieces))
        for span in spans
        for each in find(quote, Page(span.of(text)))
    ]
    # The border of a span may cut a word or a number, which the text alone shows.
    whole = [each for each in found if is_whole(text, each.span.start, each.span.end)]
    strictest = min((STRICTNESS.index(each.match) for each in whole), default=0)
    return [each for each in whole if STRICTNESS.index(each.match) == strictest]


def _moved(span: Span, *, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _exact(quote: Quote, page: Page) -> list[Found]:
    found: list[Found] = []
    for at in _occurrences(quote.bare, page.text, 0):
        span = Span(at, at + len(quote.bare))
        found.append(Found(span, "exact", (span,)))
    return found


def _occurrences(needle: str, text: str, start: int, most: int = MOST_PLACES) -> list[int]:
    """Where the needle stands with whole words at its ends."""
    places: list[int] = []
    at = text.find(needle, start) if needle else -1
    tried = 0
    while at >= 0 and len(places) < most and tried < 100 * most:
        if is_whole(text, at, at + len(needle)):
            places.append(at)
        tried += 1
        at = text.find(needle, at + 1)
    return places


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether ``[start, end)`` cuts no word and no number at its ends.

    >>> is_whole("15 minutes", 1, 10), is_whole("at 1.5 s", 5, 8), is_whole("ORB-1410", 4, 8), is_whole("a b", 2, 3)
    (False, False, False, True)
    """
    first, last = text[start], text[end - 1]
    before, after = text[start - 1 : start], text[end : end + 1]
    if _joins(before, first) or _joins(last, after):
        return False
    if first.isdigit() and before and before in ".,:/-−_":
        further = text[start - 2 : start - 1] if start > 1 else ""
        return not (further.isalnum() or before in "-−")
    if last.isdigit() and after and _FOLLOWED_BY_NUMBER.match(after):
        return not text[end + 1 : end + 2].isalnum()
    return True


def _joins(left: str, right: str) -> bool:
    return bool(left and right) and (left.isalnum() or left == "_") and (right.isalnum() or right == "_")


def _normalised(quote: Quote, page: Page) -> list[Found]:
    found = (_confirmed(at, at + len(quote.flat), quote.flat, page) for at in _flat_places(quote, page, 0))
    return [Found(span, "normalised", (span,)) for span in found if span]


def _flat_places(quote: Quote, page: Page, start: int) -> list[int]:
    return _occurrences(quote.flat, page.flattened.text, start)


def _confirmed(start: int, end: int, expected: str, page: Page) -> Span | None:
    """The span, where it is the same text as expected also when it is flattened alone."""
    span = page.flattened.span(start, end)
    return span if flat(span.of(page.text)) == expected else None


def _in_parts(quote: Quote, page: Page) -> list[Found]:
    if not quote.parts or any(part.weakness and len(part.words) < 2 for part in quote.parts):
        return []
    if all(part.weakness for part in quote.parts):
        return []
    found: list[Found] = []
    for first in _flat_places(quote.parts[0], page, 0):
        places = _chain(first, quote.parts, page)
        pieces = tuple(
            span
            for at, part in zip(places, quote.parts, strict=False)
            if (span := _confirmed(at, at + len(part.flat), part.flat, page))
        )
        if len(pieces) == len(quote.parts):
            found.append(Found(Span(pieces[0].start, pieces[-1].end), "ellipsis", pieces))
    return found


def _chain(first: int, parts: Sequence[Quote], page: Page) -> list[int]:
    """Where each part begins in the flat text; fewer than there are parts where the chain breaks."""
    places = [first]
    text = page.flattened.text
    for earlier, part in pairwise(parts):
        end = places[-1] + len(earlier.flat)
        window = text[: end + LONGEST_OMISSION + len(part.flat)]
        following = _occurrences(part.flat, window, end, most=1)
        if not following or turns(text[end : following[0]]):
            break
        places.append(following[0])
    return places


def turns(omitted: str) -> bool:
    """Whether what is left out of a quote may turn its meaning: a negation, an exception, a contrast."""
    senses = senses_in(omitted)
    if senses & {NEGATION, EXCEPT, ONLY}:
        return True
    return bool(_CONTRAST.search(omitted))


_CONTRAST = re.compile(
    r"\b(?:but|however|although|though|rather|instead|otherwise|if|provided|aber|jedoch|obwohl|sondern|allerdings|statt|"
    r"stattdessen|falls|wenn|sofern|dagegen|hingegen|doch)\b"
)


def _similar(quote: Quote, page: Page) -> list[Found]:
    """Places of the same words with slips: some stretch of the quote stands there as it is, around it is compared."""
    words = quote.words
    if len(words) < SHORTEST_SIMILAR_WORDS:
        return []
    best: tuple[int, int, int] | None = None
    for start, end in _windows(quote, page):
        compared = _compare(quote, page, start, end)
        if compared and (best is None or compared < best):
            best = compared
    if best is None:
        return []
    _, start, end = best
    span = page.flattened.span(start, end)
    same = _figures(quote.flat) == _figures(page.flattened.text[start:end])
    return [Found(span, "similar", (span,))] if same else []


def _windows(quote: Quote, page: Page) -> Iterator[tuple[int, int]]:
    """Ranges of the flat text in which the quote may stand. With at most ``n`` words that differ one of ``n + 1``
    stretches of the quote is the same."""
    text = page.flattened.text
    ends = [(match.start(), match.end()) for match in _WORD.finditer(quote.flat)]
    stretches = int(MOST_DIFFERENT * len(ends)) + 2
    step = max(1, len(ends) // stretches)
    seen: set[int] = set()
    for first in range(0, len(ends), step):
        last = min(first + step, len(ends)) - 1
        start, end = ends[first][0], ends[last][1]
        seed = quote.flat[start:end]
        if len(seed) < 4:
            continue
        for at in _occurrences(seed, text, 0, most=_SEED_PLACES):
            begin = at - start
            if all(abs(begin - other) > _SLACK for other in seen):
                seen.add(begin)
                end = min(len(text), begin + len(quote.flat) + _SLACK)
                yield max(0, begin), end - _SLACK + 2
                yield max(0, begin), end
                yield max(0, begin - _SLACK), end
        if len(seen) > 3 * _SEED_PLACES:
            return


def _compare(quote: Quote, page: Page, start: int, end: int) -> tuple[int, int, int] | None:
    """How many words differ and the range of the flat text, or nothing where they differ too much."""
    from rapidfuzz.distance import Levenshtein

    there = list(_WORD.finditer(page.flattened.text, start, end))
    theirs = [match.group() for match in there]
    ours = list(quote.words)
    changes = [change for change in Levenshtein.opcodes(ours, theirs) if change.tag != "equal"]
    first, last = 0, len(theirs)
    if changes and changes[0].tag == "insert" and changes[0].src_start == 0:
        first = changes.pop(0).dest_end
    if changes and changes[-1].tag == "insert" and changes[-1].src_end == len(ours):
        last = changes.pop().dest_start
    if first >= last:
        return None
    cost = 0
    for change in changes:
        here = ours[change.src_start : change.src_end]
        other = theirs[change.dest_start : change.dest_end]
        if not _harmless(here, other):
            return None
        cost += max(len(here), len(other))
    if cost > max(1, MOST_DIFFERENT * len(ours)):
        return None
    begin, stop = there[first].start(), there[last - 1].end()
    return (cost, begin, stop) if is_whole(page.flattened.text, begin, stop) else None


def _harmless(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether a stretch of words may stand for the other: weightless words, or the same words spelled differently."""
    left = [word for word in ours if word not in _WEIGHTLESS or senses_of(word)]
    right = [word for word in theirs if word not in _WEIGHTLESS or senses_of(word)]
    if any(_protected(word) for word in (*left, *right)):
        return False
    if len(left) != len(right):
        return "".join(left) == "".join(right) != ""
    return all(_is_slip(one, other) for one, other in zip(left, right, strict=True))


def _protected(word: str) -> bool:
    return (
        any(character.isdigit() for character in word)
        or any(character in "_/@:" for character in word)
        or bool(senses_of(word))
        or number_word(word) is not None
        or is_long_unit(word)
        or is_disguised(word)
    )


def _is_slip(one: str, other: str) -> bool:
    """Whether one is a misspelling of the other. The first letters agree: slips there are rare, and a prefix turns the
    meaning ("increase" and "decrease")."""
    from rapidfuzz.distance import OSA

    shorter = min(len(one), len(other))
    if shorter < 4 or one[0] != other[0]:
        return False
    return OSA.distance(one, other) <= (1 if shorter < 9 else 2)


def _figures(flat_text: str) -> list[str]:
    """The numbers with the signs beside them, in order."""
    return ["".join(figure.split()) for figure in _FIGURE.findall(flat_text)]
