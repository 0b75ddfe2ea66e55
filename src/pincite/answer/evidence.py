"""What a statement is compared with: the quoted text, taken apart once into sentences, words, terms and facts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pincite.answer.facts import Fact, facts_of
from pincite.answer.scripts import is_disguised
from pincite.answer.wording import WORD, senses_of, spelled_out
from pincite.model import Document, Span
from pincite.text.flattened import flat
from pincite.text.language import language_of
from pincite.text.sentences import sentences
from pincite.text.stopwords import ENGLISH, GERMAN
from pincite.text.terms import Analyser

SURROUNDINGS = 300
"""So many characters before and after a quote are looked at for the rest of its sentence."""
LONGEST_STATEMENT = 20_000
_SAME_STEM = 5
_CLAUSE_END = re.compile(r"[.;:!?\n•|–—](?:\s|$)|\b(?:and|but|und|aber|sondern)\b")
_ANALYSER = Analyser()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One quote as its source has it. ``before`` and ``after`` are the rest of its clause to either side; ``context``
    is what the page says around it: title, version, headings. All of it is text of one document."""

    quote: str
    before: str = ""
    after: str = ""
    context: str = ""
    language: str = ""

    @classmethod
    def of(cls, document: Document, pieces: Sequence[Span]) -> Evidence:
        """The evidence of the pieces of a quote, in order."""
        text = document.text
        start, end = pieces[0].start, pieces[-1].end
        sections = document.sections_over(pieces[0])
        about = (str(document.metadata.get("title", "")), f"version {document.metadata.get('version', '')}")
        quote = plain(" ".join(piece.of(text) for piece in pieces))
        return cls(
            quote=quote,
            before=_clause_before(text[max(0, start - SURROUNDINGS) : start]),
            after=_clause_after(text[end : end + SURROUNDINGS], quote),
            context="\n".join((*about, *(sections[0].path if sections else ()))),
            language=language_of(quote) or str(document.metadata.get("language", ""))[:2] or language_of(text),
        )


def plain(text: str) -> str:
    """The text without the marks of Markdown that could be taken for a part of a name, and without addresses of links;
    units that are one character (㎜, ㎞) are written out.

    >>> plain("The [`limit`](a/b.md)-field of **Orbit**")
    'The limit-field of Orbit'
    """
    text = _SQUARED.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return _MARKS.sub("", _LINK.sub(r"\1", text))


_SQUARED = re.compile("[\u3371-\u33df]")
_LINK = re.compile(r"!?\[([^\[\]\r\n]{1,300})\]\([^()\s]{0,500}\)")
_MARKS = re.compile(r"`+|(?<!\w)\*+(?=\S)|(?<=\S)\*+(?!\w)|\*\*")


def _clause_before(text: str) -> str:
    last = 0
    for match in _CLAUSE_END.finditer(text):
        last = match.end()
    return flat(text[last:])


def _clause_after(text: str, quote: str) -> str:
    if quote.rstrip().endswith((".", ";", ":", "!", "?")):
        return ""
    match = _CLAUSE_END.search(text)
    return flat(text[: match.start()] if match else text)


@dataclass(frozen=True)
class Passage:
    """A text taken apart: a statement, a sentence of one, or evidence."""

    text: str
    language: str = ""
    before: str = ""
    after: str = ""

    @cached_property
    def flat(self) -> str:
        return spelled_out(flat(self.text))

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(WORD.findall(self.flat))

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Where each word stands in the flat text."""
        return tuple(match.span() for match in WORD.finditer(self.flat))

    @cached_property
    def facts(self) -> list[Fact]:
        return facts_of(self.text, self.language)

    @cached_property
    def content(self) -> frozenset[str]:
        """The words that carry the subject: no function words, no turning words, nothing that a fact has."""
        taken = {word for fact in self.facts if not fact.weak for word in WORD.findall(flat(fact.text))}
        return frozenset(
            word
            for word in self.words
            if word not in taken and not is_function_word(word) and not senses_of(word) and any(map(str.isalpha, word))
        )

    @cached_property
    def terms(self) -> frozenset[str]:
        return terms_of(self.flat, self.language)

    @cached_property
    def sentences(self) -> tuple[Passage, ...]:
        """The sentences and lines; those at the ends know what stands beside them."""
        ranges = [
            (first, last)
            for start, end in sentences(self.text, 0, len(self.text), self.language)
            for first, last in _pieces(self.text, start, end)
        ]
        last = len(ranges) - 1
        return tuple(
            Passage(
                self.text[start:end],
                self.language,
                self.before if index == 0 else "",
                self.after if index == last else "",
            )
            for index, (start, end) in enumerate(ranges)
        )

    @cached_property
    def clauses(self) -> tuple[Passage, ...]:
        """The sentences, parted at semicolons, colons, dashes and "but" as well."""
        parts = (re.split(r"[;:]\s|\s[-–—]\s|,\s+(?:but|aber|sondern)\b", part.text) for part in self.sentences)
        return tuple(Passage(part, self.language) for pieces in parts for part in pieces if WORD.search(part))


def _pieces(text: str, start: int, end: int) -> Iterable[tuple[int, int]]:
    """A blank line ends a sentence even where no stop does."""
    position = start
    for match in re.finditer(r"\n\s*\n", text[start:end]):
        yield position, start + match.start()
        position = start + match.end()
    yield position, end


def is_function_word(word: str) -> bool:
    plain = word.replace("'", "")
    return plain in ENGLISH or plain in GERMAN or len(plain) < 2


def terms_of(text: str, language: str) -> frozenset[str]:
    return frozenset(_ANALYSER.document_terms(text, language))


def has_word(word: str, terms: frozenset[str], language: str) -> bool:
    """Whether a form of the word is among the terms.

    >>> has_word("renewing", terms_of("a renewal of tokens", "en"), "en")
    True
    """
    own = terms_of(word, language)
    if own & terms:
        return True
    return any(_akin(one, other) for one in own for other in terms)


def _akin(one: str, other: str) -> bool:
    if is_disguised(one) or is_disguised(other):
        return False
    shorter = min(len(one), len(other))
    if shorter < _SAME_STEM or max(len(one), len(other)) - shorter > 4:
        return False
    return one[: max(_SAME_STEM, shorter - 2)] == other[: max(_SAME_STEM, shorter - 2)]
