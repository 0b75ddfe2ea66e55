"""Questions drafted from the documents' own structure, without a language model.

Each draft asks for something that the documents say at one place: what a word is said to be, a number with its unit, a
cell of a table, what stands under a heading. The words of a draft come from headings and column names as far as they
can, not from the passage, so that keyword search is not flattered; a draft that shares too many words with its passage
is left out. A person should read the drafts before they are used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from pincite.evaluate.judging import overlap
from pincite.model import Block, Document, Judgement, Question, Section, Span
from pincite.text.language import language_of
from pincite.text.sentences import OPENERS, sentences
from pincite.text.stopwords import words_of

DraftKind = Literal["definition", "number", "cell", "heading", "model"]
MOST_OVERLAP = 0.75
CONTEXT = 32
"""Characters of context kept on each side of a quote."""
LONGEST_QUOTE = 1200
SHORTEST_BODY = 80
_MOST_NAME_WORDS = 5

_DEFINITIONS = {
    "en": re.compile(
        r"(?:(?:An?|The) )?(?P<name>[^\W\d_][\w '/-]{1,60}?) (?P<verb>is|are|means|denotes|refers to) "
        r"(?:an?|the|any|one) ",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"(?:(?:Ein|Eine|Der|Die|Das) )?(?P<name>[^\W\d_][\w '/-]{1,60}?) (?P<verb>ist|sind|bedeutet|bezeichnet) "
        r"(?:ein|eine|einen|der|die|das|den|jede[rs]?) ",
        re.IGNORECASE,
    ),
}
_PRONOUNS = words_of("any each everything nothing something wichtig alles nichts etwas")
_NUMBER = r"(?<![\w.,/-])\d+(?:[.,]\d+)*[ \u00a0\u202f]?(?P<unit>%|[kKMGT]i?B\b|m[sm]\b|[kcm]?[gm]\b|°C|"
_NUMBERS = {
    "en": re.compile(_NUMBER + r"[a-z]{2,}s\b)(?![\w-])"),
    "de": re.compile(_NUMBER + r"[A-ZÄÖÜ][a-zäöüß]{2,}\b)(?![\w-])"),
}
_PERCENT = {"en": "percent", "de": "Prozent"}
_NO_UNITS = words_of("is was has as less this plus times der die das aus")
_ASKED = {
    "en": {
        "definition": "What is {name}?",
        "definitions": "What are {name}?",
        "number": "{topic}: how many {unit}?",
        "cell": "{topic}: {column} of {label}?",
        "heading": "{topic}: what is to be known about {title}?",
    },
    "de": {
        "definition": "Was ist {name}?",
        "definitions": "Was sind {name}?",
        "number": "{topic}: wie viele {unit}?",
        "cell": "{topic}: {column} von {label}?",
        "heading": "{topic}: was gilt für {title}?",
    },
}
_MARKS = re.compile(r"[*_`]+|\[\^[^\]]*\]|!?\[([^\]]*)\]\([^)]*\)")
_CELL = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Draft:
    """``overlap`` is the share of the question's words that stand in its passage."""

    kind: DraftKind
    question: Question
    overlap: float


def drafts(documents: Iterable[Document], *, count: int, most_overlap: float = MOST_OVERLAP) -> list[Draft]:
    """At most ``count`` drafts, spread over documents and kinds; the same documents give the same drafts. Of several
    drafts with the same words none is taken: it would not be clear which passage is meant."""
    found = [draft for document in documents for draft in _of_document(document) if draft.overlap <= most_overlap]
    times = Counter(draft.question.question.casefold() for draft in found)
    single = [draft for draft in found if times[draft.question.question.casefold()] == 1]
    return _spread(single, count)


def _spread(found: Sequence[Draft], count: int) -> list[Draft]:
    """In turn from every document and kind, what shares the fewest words first."""
    piles: dict[tuple[str, str], list[Draft]] = {}
    for draft in found:
        piles.setdefault((draft.question.relevant[0].document_id, draft.kind), []).append(draft)
    for pile in piles.values():
        pile.sort(key=lambda draft: (-draft.overlap, draft.question.id))  # taken from the end
    order = sorted(piles, key=lambda key: sha256("\0".join(key).encode()).digest())
    chosen: list[Draft] = []
    while len(chosen) < count and order:
        for key in order:
            if len(chosen) < count:
                chosen.append(piles[key].pop())
        order = [key for key in order if piles[key]]
    return sorted(chosen, key=lambda draft: (draft.question.relevant[0].document_id, draft.question.relevant[0].start))


def _of_document(document: Document) -> Iterator[Draft]:
    language = str(document.metadata.get("language", ""))[:2] or language_of(document.text)
    if language not in _ASKED:
        return
    drafting = _Drafting(document, language)
    for section in document.sections:
        blocks = [block for block in document.blocks if section.span.contains(block.span)]
        yield from drafting.of_section(section, blocks)


@dataclass(frozen=True, slots=True)
class _Drafting:
    document: Document
    language: str

    def of_section(self, section: Section, blocks: Sequence[Block]) -> Iterator[Draft]:
        topic = " – ".join(_plain(name) for name in section.path[-2:])
        told = [
            Span(start, end)
            for block in blocks
            if block.kind == "paragraph"
            for start, end in sentences(self.document.text, block.span.start, block.span.end, self.language)
        ]
        for sentence in told:
            yield from self._definition(sentence)
        if topic:
            yield from self._numbers(topic, told)
            for block in blocks:
                if block.kind == "table":
                    yield from self._cells(topic, block)
        if len(section.path) > 1:
            yield from self._heading(section, blocks)

    def _definition(self, sentence: Span) -> Iterator[Draft]:
        match = _DEFINITIONS[self.language].match(_plain(sentence.of(self.document.text)))
        if not match:
            return
        name = match["name"]
        words = name.lower().split()
        if (
            len(words) > _MOST_NAME_WORDS
            or words[0] in OPENERS | _PRONOUNS
            or not (match.start("name") or name[0].isupper())
        ):
            return
        several = match["verb"].lower() in ("are", "sind")
        yield from self._draft("definition", sentence, "definitions" if several else "definition", name=name)

    def _numbers(self, topic: str, told: Sequence[Span]) -> Iterator[Draft]:
        """Of each unit that only one sentence of the section has, and that once."""
        units: dict[str, list[Span]] = {}
        for sentence in told:
            for match in _NUMBERS[self.language].finditer(sentence.of(self.document.text)):
                if match["unit"].lower() not in _NO_UNITS:
                    units.setdefault(match["unit"], []).append(sentence)
        for unit, places in units.items():
            if len(places) == 1:
                yield from self._draft(
                    "number", places[0], "number", topic=topic, unit="percent" if unit == "%" else unit
                )

    def _cells(self, topic: str, table: Block) -> Iterator[Draft]:
        """One of each row, in another column from row to row."""
        labels = Counter(self._values(row)[0] for row in table.rows)
        for number, row in enumerate(table.rows):
            values = self._values(row)
            if len(values) != len(table.columns) or len(values) < 2 or labels[values[0]] > 1 or not values[0]:
                continue
            column = 1 + number % (len(values) - 1)
            if values[column]:
                asked = {"topic": topic, "label": values[0], "column": _plain(table.columns[column])}
                yield from self._draft("cell", row, "cell", **asked)

    def _values(self, row: Span) -> list[str]:
        return [_plain(cell) for cell in _CELL.split(row.of(self.document.text).strip().strip("|"))]

    def _heading(self, section: Section, blocks: Sequence[Block]) -> Iterator[Draft]:
        """What stands under it, up to its first whole blocks."""
        inner = [block.span for block in blocks if block.kind != "heading"]
        if not inner:
            return
        start = inner[0].start
        end = max((span.end for span in inner if span.end - start <= LONGEST_QUOTE), default=0)
        if end - start >= SHORTEST_BODY:
            names = {"topic": _plain(section.path[-2]), "title": _plain(section.title)}
            yield from self._draft("heading", Span(start, end), "heading", **names)

    def _draft(self, kind: DraftKind, passage: Span, form: str, **words: str) -> Iterator[Draft]:
        if not all(words.values()):
            return
        asked = _ASKED[self.language][form].format(**words)
        text = self.document.text
        judgement = Judgement(
            document_id=self.document.id,
            text=passage.of(text),
            start=passage.start,
            end=passage.end,
            before=text[max(0, passage.start - CONTEXT) : passage.start],
            after=text[passage.end : passage.end + CONTEXT],
        )
        name = sha256(f"{self.document.id}\0{asked}".encode()).hexdigest()[:8]
        question = Question(id=f"draft-{name}", question=asked, language=self.language, relevant=(judgement,))
        yield Draft(kind, question, overlap(asked, judgement.text))


def _plain(text: str) -> str:
    """The words without marks of Markdown, in one line."""
    return " ".join(_MARKS.sub(lambda match: match[1] or "", text).split())
