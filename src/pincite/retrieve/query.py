"""What a query asks for: words, and phrases in quotes. There are no operators, and nothing is a syntax error.

A quote opens a phrase at the start of a word and closes it at the end of one; any other quote (``6"``, one without a
partner) is a plain character. Straight quotes and the typographic pairs “…”, „…“, »…«, «…» count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.errors import UsageError
from pincite.model import Located, TermFilter
from pincite.text.phrases import required_terms, stands_in, words_of
from pincite.text.terms import unspaced_pattern, word_forms

PAIRS = (('"', '"'), ("“", "”"), ("„", "“"), ("„", "”"), ("»", "«"), ("«", "»"))
QUOTED = re.compile("|".join(rf"(?<!\w){opening}([^{opening}{closing}]+){closing}(?!\w)" for opening, closing in PAIRS))

Phrase = tuple[str, ...]
"""Words as ``text.phrases`` gives them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """``text`` is the query without the quotes of its phrases: what is searched and embedded.

    A passage takes part where every phrase stands in it and nothing of ``without``: words in any of their forms are
    told by their terms, of several words only the phrase. ``has_more``: whether the query has other words than those of
    its phrases.
    """

    text: str
    phrases: tuple[Phrase, ...] = ()
    unwanted: frozenset[str] = frozenset()
    unwanted_phrases: tuple[Phrase, ...] = ()
    has_more: bool = True

    @property
    def loosened(self) -> Wish | None:
        """With its phrases read as words among the others; ``None`` for a query of nothing but phrases."""
        return replace(self, phrases=()) if self.phrases and self.has_more else None

    @property
    def words(self) -> TermFilter | None:
        """What the store can tell by terms; a passage that passes may still fail ``fits``, never the other way."""
        required = frozenset(term for phrase in self.phrases for term in required_terms(phrase))
        return TermFilter(required=required, excluded=self.unwanted) if required or self.unwanted else None

    @property
    def exact_words(self) -> bool:
        """Whether passages have to be read to tell whether they take part."""
        return bool(self.phrases or self.unwanted_phrases)

    def fits(self, located: Located) -> bool:
        """Whether the phrases stand in the passage, its prefix included, and the unwanted ones do not."""
        words = words_of(located.chunk.embedded)
        return all(stands_in(phrase, words) for phrase in self.phrases) and not any(
            stands_in(phrase, words) for phrase in self.unwanted_phrases
        )


def read_query(query: str, without: Sequence[str] = ()) -> Wish:
    """Raises ``UsageError`` for a blank query and for an unwanted word without a letter or digit."""
    if not query.strip():
        raise UsageError("the query is empty", cure="Ask for at least one word.")
    text, phrases = _phrases(query)
    unwanted: set[str] = set()
    unwanted_phrases: list[Phrase] = []
    for word in without:
        read = tuple(words_of(word))
        if not read:
            raise UsageError(
                f"{word!r} is no word to leave out", cure="Name a word with letters or digits: --not draft."
            )
        if len(word.split()) == 1 and not unspaced_pattern().search(word):
            unwanted |= word_forms(word)
        else:
            unwanted_phrases.append(read)
    return Wish(
        text=text,
        phrases=tuple(phrases),
        unwanted=frozenset(unwanted),
        unwanted_phrases=tuple(unwanted_phrases),
        has_more=bool(list(words_of(QUOTED.sub(" ", query)))),
    )


def _phrases(query: str) -> tuple[str, list[Phrase]]:
    found: list[Phrase] = []

    def bare(match: re.Match[str]) -> str:
        inside = next(group for group in match.groups() if group is not None)
        phrase = tuple(words_of(inside))
        if not phrase:
            return match.group()
        found.append(phrase)
        return f" {inside} "

    text = QUOTED.sub(bare, query)
    return (" ".join(text.split()) if found else query), list(dict.fromkeys(found))
