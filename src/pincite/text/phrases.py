"""Texts as the sequence of their words, so that a phrase can be looked for in them.

Words are folded as in the index (case, accents, umlauts) but not stemmed: in quotes, a word means itself. Codes fall
into their parts, so that ``"ORB 4711"`` and ``"ORB-4711"`` are one phrase; numbers with points or commas stay whole.
Scripts without spaces give their characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from pincite.text.folding import fold
from pincite.text.terms import (
    MAX_CACHED_CHARS,
    MAX_CACHED_TOKENS,
    character_pattern,
    finished,
    is_chinese,
    is_data,
    joined,
    possessive_pattern,
    sign_pattern,
    split_parts,
    tokens,
    unspaced_pattern,
)

NUMBER_JOINTS = (".", ",")


def words_of(text: str) -> list[str]:
    """
    >>> words_of("The ORB-4711's C++ costs 3.14")
    ['the', 'orb', '4711', 'c++', 'costs', '3.14']
    """
    return [
        word
        for token in tokens(text)
        for word in (_remembered(token) if len(token) <= MAX_CACHED_CHARS else _words(token))
    ]


def stands_in(phrase: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the phrase's words stand one after another among the words.

    >>> stands_in(words_of("of the cursor"), words_of("The lifetime of the cursor."))
    True
    """
    length = len(phrase)
    wanted = list(phrase)
    return any(
        words[start] == wanted[0] and list(words[start : start + length]) == wanted for start in range(len(words))
    )


def required_terms(phrase: Sequence[str]) -> frozenset[str]:
    """Terms that the index has of every passage in which the phrase stands.

    >>> sorted(required_terms(words_of("a C++ tool 3.14")))
    ['14', '3', 'tool']
    """
    return frozenset(term for word in phrase for term in _terms(word))


def _terms(word: str) -> Iterator[str]:
    bare = sign_pattern().sub("", word)
    if unspaced_pattern().search(word):
        if is_chinese(word):
            yield word
    elif bare.replace(".", "").replace(",", "").isdigit():
        yield from bare.replace(",", ".").split(".")
    elif len(bare) > 1:
        yield bare


@lru_cache(MAX_CACHED_TOKENS)
def _remembered(token: str) -> tuple[str, ...]:
    """Passages are looked through one after another, and most of their tokens are the same few."""
    return tuple(_words(token))


def _words(token: str) -> Iterator[str]:
    if not token.isascii() and unspaced_pattern().search(token):
        for number, piece in enumerate(unspaced_pattern().split(token)):
            yield from map(finished, character_pattern().findall(fold(piece))) if number % 2 else _words(piece)
        return
    sign = sign_pattern().search(token)
    parts = split_parts(possessive_pattern().sub("", token[: sign.start()] if sign else token))
    found: list[str] = []
    if len(parts) > 1 and is_data(parts):
        found.append(finished(joined(parts)))
    else:
        for joint, part in parts:
            word = finished(fold(part))
            if joint in NUMBER_JOINTS and found and found[-1][-1:].isdigit() and word.isdigit():
                found[-1] += joint + word
            elif word:
                found.append(word)
    if sign and found:
        found[-1] += sign.group()
    yield from found
