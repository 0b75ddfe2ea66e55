"""The parts of German compounds: Wartung and Vertrag in Wartungsvertrag.

A word is cut only where all of it consists of nouns (and a few stems of verbs and adjectives that begin compounds) from
the list, joined by nothing or by a linking element; the last one may have an ending. So what is cut depends on
the word alone, never on other documents, and most words that merely look like compounds stay whole. The list was
written for this purpose, with an eye on contracts, technical documents, administration and everyday things; whoever
misses a word adds it. Words are folded (ae, oe, ue and umlauts as the plain vowel).
"""

from __future__ import annotations

from functools import cache

from pincite.text.compound_words import BEGINNINGS, NOUNS
from pincite.text.folding import fold_digraphs

MIN_CHARS = 7
"""A shorter word is hardly a compound of two words on the list."""
MAX_CHARS = 64
SHORT_CHARS = 5
"""A longer word on -e begins compounds without it, too."""
LINKS = ("", "s", "n", "en", "es", "e", "er", "ens", "ns")
ENDINGS = ("", "s", "n", "en", "es", "e", "er", "ern", "em", "se", "sen", "nen")


Cut = tuple[tuple[int, int], ...]
"""Where each part starts and ends, linking elements left out."""


def parts_of(word: str) -> tuple[str, ...]:
    """The parts of a folded word in order, without linking elements, the last with its ending; then the smaller
    compounds in it. None of a word that is no compound of known words.

    >>> parts_of("heizungswartungsvertrage")
    ('heizung', 'wartung', 'vertrage', 'heizungswartung', 'wartungsvertrage')
    >>> parts_of("vertrag")
    ()
    """
    if not MIN_CHARS <= len(word) <= MAX_CHARS or not word.isascii() or not word.isalpha():
        return ()
    word = fold_digraphs(word)
    cut = _best_cut(word)
    if len(cut) < 2:
        return ()
    runs = ((start, start + parts) for parts in range(1, len(cut)) for start in range(len(cut) - parts + 1))
    return tuple(word[cut[first][0] : cut[end - 1][1]] for first, end in runs)


def _best_cut(word: str) -> Cut:
    """Of several cuts the one with the fewest parts, then with the longest last one; empty where there is none."""
    best: dict[int, Cut] = {0: ()}
    for start in range(len(word)):
        if start not in best:
            continue
        for end, part_end in _ends(word, start):
            cut = (*best[start], (start, part_end))
            if end not in best or _order(cut) < _order(best[end]):
                best[end] = cut
    return best.get(len(word), ())


def _ends(word: str, start: int) -> list[tuple[int, int]]:
    """For each part that may begin there: where the next one begins, and where the part itself ends."""
    found: list[tuple[int, int]] = []
    first, last = nouns()
    for end in range(start + 2, len(word) + 1):
        noun, rest = word[start:end], word[end:]
        if start and noun in last and rest in ENDINGS:
            found.append((len(word), len(word)))
        if noun in first:
            found += [(end + len(link), end) for link in LINKS if rest.startswith(link) and len(rest) > len(link)]
    return found


def _order(cut: Cut) -> tuple[int, int]:
    return len(cut), cut[-1][0] - cut[-1][1]


@cache
def nouns() -> tuple[frozenset[str], frozenset[str]]:
    """What may begin or stand inside a compound (Schul- of Schule, too), and what may end it."""
    shortened = {noun[:-1] for noun in NOUNS if noun.endswith("e") and len(noun) > SHORT_CHARS}
    return NOUNS | BEGINNINGS | shortened, frozenset(noun for noun in NOUNS if len(noun) > 2)
