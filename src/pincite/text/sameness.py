"""How much two texts are the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

# Scripts that set no blanks between words: each character counts as one.
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]")
UNSPACED_OR_WORD = re.compile(rf"{UNSPACED.pattern}|[^\s{UNSPACED.pattern[1:-1]}]+")

DIGIT = re.compile(r"\d")


def words(text: str) -> list[str]:
    """What stands between blanks; of scripts without blanks between words each character.

    >>> words("Order 漢字 now.")
    ['Order', '漢', '字', 'now.']
    """
    return text.split() if text.isascii() or not UNSPACED.search(text) else UNSPACED_OR_WORD.findall(text)


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
    """What a text is compared by, worked out once; ``numbers`` are the words with a digit."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    pairs: Counter[tuple[str, str]]

    @classmethod
    def of(cls, text: str) -> Wording:
        found = tuple(words(text))
        numbers = tuple(word for word in found if DIGIT.search(word))
        return cls(words=found, numbers=numbers, pairs=Counter(pairwise(found)))

    def nearly_same(self, other: Wording, *, share: float) -> bool:
        """Whether the sameness is at least ``share`` and no number differs: a limit of 100 is not one of 250, however
        much is the same around it. The same words are always the same.

        >>> Wording.of("at most 100 calls").nearly_same(Wording.of("at most 250 calls"), share=0.1)
        False
        """
        if self.words == other.words:
            return True
        shorter, longer = sorted((len(self.words) - 1, len(other.words) - 1))
        # What two texts of these lengths can have in common at most, without counting.
        if shorter < 1 or 2 * shorter < share * (longer + shorter) or self.numbers != other.numbers:
            return False
        return 2 * (self.pairs & other.pairs).total() >= share * (longer + shorter)
