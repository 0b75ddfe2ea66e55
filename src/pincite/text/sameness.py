"""How much two texts are the same."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

# Scripts that set no blanks between words: each character counts as one.
UNSPACED = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]"

DIGIT = re.compile(r"\d")
NEGATION = r"\b(?:no|not|never|nor|cannot|without|nicht|nie|niemals|kein(?:e[mnrs]?)?|ohne)\b|n['’]t\b|[不没沒未无無非]"


def words(text: str) -> list[str]:
    """What stands between blanks; of scripts without blanks between words each character.

    >>> words("Order 漢字 now.")
    ['Order', '漢', '字', 'now.']
    """
    if text.isascii() or not unspaced_pattern().search(text):
        return text.split()
    found: list[str] = unspaced_or_word_pattern().findall(text)
    return found


@cache
def unspaced_pattern() -> re.Pattern[str]:
    return re.compile(UNSPACED)


@cache
def unspaced_or_word_pattern() -> re.Pattern[str]:
    return re.compile(rf"{UNSPACED}|[^\s{UNSPACED[1:-1]}]+")


@cache
def negation_pattern() -> re.Pattern[str]:
    return re.compile(NEGATION)


def sameness(first: Sequence[str], second: Sequence[str]) -> float:
    """Dice's coefficient of the pairs of neighbouring words, in [0, 1]; 0 where one has fewer than two words.

    >>> sameness("a b c d".split(), "a b c x".split())
    0.6666666666666666
    """
    pairs, other = Counter(pairwise(first)), Counter(pairwise(second))
    total = pairs.total() + other.total()
    return 2 * (pairs & other).total() / total if pairs and other else 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Wording:
    """What a text is compared by, worked out once; ``telling`` are the words with a digit and those that negate: one
    of them turns what is said round, however much is the same around it."""

    words: tuple[str, ...]
    telling: tuple[str, ...]
    pairs: Counter[tuple[str, str]]

    @classmethod
    def of(cls, text: str) -> Wording:
        found = tuple(words(text))
        numbers = [word for word in found if DIGIT.search(word)]
        negations = negation_pattern().findall(" ".join(found).lower())
        return cls(words=found, telling=(*numbers, *negations), pairs=Counter(pairwise(found)))

    def nearly_same(self, other: Wording, *, share: float) -> bool:
        """Whether the sameness is at least ``share`` and no telling word differs: a limit of 100 is not one of 250. The
        same words are always the same.

        >>> Wording.of("at most 100 calls").nearly_same(Wording.of("at most 250 calls"), share=0.1)
        False
        """
        if self.words == other.words:
            return True
        shorter, longer = sorted((len(self.words) - 1, len(other.words) - 1))
        # What two texts of these lengths can have in common at most, without counting.
        if shorter < 1 or 2 * shorter < share * (longer + shorter) or self.telling != other.telling:
            return False
        return 2 * (self.pairs & other.pairs).total() >= share * (longer + shorter)

    def marks(self, *, share: float) -> list[object]:
        """Few of its pairs: two texts that are nearly the same by that share have one of these in common, so that
        repeats are found among many texts without comparing each with each.

        Of two lists in one order that have at least n elements in common, the beginnings have one in common that leave
        out n - 1 elements of each list (prefix filtering: Chaudhuri, Ganti and Kaushik, 2006). Pairs of long words come
        first, since they are rare.
        """
        several = sorted(self.pairs.items(), key=lambda item: (-len(item[0][0]) - len(item[0][1]), item[0]))
        # A text of the other length that fits this share has so many pairs in common with it; a hair less, for floats.
        needed = math.ceil(self.pairs.total() * share / (2 - share) - 1e-6)
        room = self.pairs.total() - needed + 1
        found: list[object] = [] if several else [self.words]
        for pair, times in several:
            found += ((pair, number, self.telling) for number in range(min(times, room - len(found))))
            if len(found) >= room:
                break
        return found
