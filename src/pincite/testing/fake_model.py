"""What the fake language model writes: it finds its answer in the passages of the prompt, as `extractive` does.

No text is canned: good answers are sentences of the passages, bad ones are made from them by a fault of a known kind.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pincite import catalogue
from pincite.config import Component, Settings
from pincite.engine.conversation import carried_over
from pincite.engine.passages import passages
from pincite.errors import LoadError
from pincite.evaluate.drafting import drafts
from pincite.model import PUBLIC, Document, Ranking, Source, Statement
from pincite.ports import Answerer, Embedder, Entry
from pincite.retrieve.request import Request
from pincite.retrieve.search import Tools, search
from pincite.retrieve.where import parse, settle
from pincite.store.memory import MemoryStore
from pincite.text.sentences import sentences
from pincite.text.terms import Analyser

MOST_STATEMENTS = 8
LEAST_CONFIDENCE = 0.45
"""Below the default of `extractive`: a model reads on where that one refuses."""
MOST_DRAFTS = 3

_FENCE = re.compile(r"^<<<begin passage (\d+) (\w{8,64})>>>$(.*?)^<<<end passage \1 \2>>>$", re.MULTILINE | re.DOTALL)
_NONCE = re.compile(r"<<<begin passage NUMBER (\w{8,64})>>>")
_QUESTION = re.compile(r'^question: (".*")$', re.MULTILINE)
_ORDER = re.compile(
    r"(?:(?:say|answer|reply|respond|state|write|tell (?:the user|them|him|her)|claim|sag|antworte|schreibe)"
    r"(?: only| always| immer| nur)?(?: that| with| dass| mit)?:?)\s+([^\n]{3,300})",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_BEFORE = re.compile(r'^asked: (".*")$', re.MULTILINE)
_DRAFTING = re.compile(r'\{"questions":')
_ABOUT = re.compile(r'^(document|section|version|date): (".*")$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FencedPassage:
    number: int
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What the prompt says: a question, and passages that are fenced as ``Context.fenced`` does it. With
    ``drafting`` questions are to be written; ``follows`` is what the question follows, where it is to be made to stand
    alone."""

    question: str
    passages: tuple[FencedPassage, ...]
    drafting: bool = False
    follows: str = ""


Pair = tuple[str, list[dict[str, Any]]]
"""A statement and its quotes."""


def read_prompt(body: Mapping[str, Any]) -> Reading:
    """Of a request to either API. A prompt of another form has its last paragraph as the question and what comes
    before as its one passage."""
    system, user = _texts(body)
    nonce = _NONCE.search(system)
    found = [match for match in _FENCE.finditer(user) if nonce is None or match[2] == nonce[1]]
    asked = _QUESTION.search(user, found[-1].end() if found else 0)
    before = _BEFORE.findall(user)
    if asked and before and not found:
        return Reading(_unquoted(asked[1]), (), follows=_unquoted(before[-1]))
    if asked:
        return Reading(_unquoted(asked[1]), tuple(_passage(int(match[1]), match[3]) for match in found))
    if found and _DRAFTING.search(system):
        return Reading("", tuple(_passage(int(match[1]), match[3]) for match in found), drafting=True)
    above, _, last = user.strip().rpartition("\n\n")
    return Reading(last, (FencedPassage(1, "", above),) if above else ())


def _unquoted(text: str) -> str:
    """What a JSON string says; a prompt of another form may have something else in quotation marks."""
    try:
        return str(json.loads(text))
    except ValueError:
        return text


def _passage(number: int, inside: str) -> FencedPassage:
    about, _, text = inside.lstrip("\n").partition("\n\n")
    return FencedPassage(number, about, text)


def _texts(body: Mapping[str, Any]) -> tuple[str, str]:
    """The system's text and the last text of the user."""
    given = body.get("input", body.get("messages", []))
    items = [{"role": "user", "content": given}] if isinstance(given, str) else given
    system, user = [str(body.get("instructions") or "")], ""
    for item in items if isinstance(items, list) else []:
        if not isinstance(item, Mapping):
            continue
        content = item.get("content")
        parts = content if isinstance(content, list) else [{"text": content}]
        text = "".join(str(part.get("text", "")) for part in parts if isinstance(part, Mapping))
        if item.get("role") == "user":
            user = text
        elif item.get("role") in ("system", "developer"):
            system.append(text)
    return "\n".join(system), user


def answer_good(reading: Reading) -> list[Pair]:
    """The sentences that pincite's own `extractive` takes from the passages, each quoted; none where it refuses."""
    if not reading.question.strip() or not reading.passages:
        return []
    embedder, analyser, settings = _embedder(), Analyser(), Settings()
    store = MemoryStore()
    numbers: dict[str, int] = {}
    for passage in reading.passages:
        document = _document(passage)
        numbers[document.id] = passage.number
        chunks = tuple(settings.chunk.create().chunk(document))
        embedded = tuple(chunk.embedded for chunk in chunks)
        entry = Entry(
            document=document,
            chunks=chunks,
            embedded=embedded,
            terms=tuple(tuple(analyser.document_terms(text)) for text in embedded),
            vectors=embedder.embed(embedded),
            sha256="",
        )
        with store.writer() as writer:
            writer.put(entry)
    tools = Tools(embedder=embedder, analyser=analyser, fusion=settings.fusion.create())
    options = {"min_confidence": LEAST_CONFIDENCE}
    answerer: Answerer = Component("answer", "extractive", options).create({"embedder": embedder, "analyser": analyser})
    with store.snapshot() as snapshot:

        def hits_of(query: str, k: int, condition: str) -> Ranking:
            where = settle(parse(condition), snapshot.fields(principal=PUBLIC)) if condition else None
            request = Request(query=query, k=k, where=where, fold=False, join_tokens=settings.join_tokens)
            return search(request, snapshot=snapshot, principal=PUBLIC, tools=tools)

        ranking = passages(reading.question, hits_of, analyser=analyser)
        answer = answerer.answer(reading.question, ranking, snapshot, principal=PUBLIC)
    return [_pair(statement, numbers) for statement in answer.statements[:MOST_STATEMENTS] if statement.citations]


def drafted_good(reading: Reading) -> list[dict[str, str]]:
    """The questions that the rules of `questions draft` make of the passages, each with its passage as the quote."""
    found = drafts([_document(passage) for passage in reading.passages], count=MOST_DRAFTS, most_overlap=1.0)
    return [{"question": each.question.question, "quote": each.question.relevant[0].text} for each in found]


def _drafted_badly(reading: Reading) -> list[dict[str, str]]:
    """The same with quotes that stand nowhere."""
    return [{**each, "quote": f"{each['quote']} In every case."} for each in drafted_good(reading)]


def _pair(statement: Statement, numbers: Mapping[str, int]) -> Pair:
    quotes = [
        {"passage": numbers[citation.document_id], "quote": citation.quote}
        for citation in statement.citations
        if citation.document_id in numbers
    ]
    # The statement is the quotes' own words: of a row of a table `extractive` says the names of its columns as well.
    return " ".join(str(quote["quote"]) for quote in quotes), quotes


@cache
def _embedder() -> Embedder:
    embedder: Embedder = Component.default("embed").create()
    return embedder


def _document(passage: FencedPassage) -> Document:
    """The passage as a document of its own, with the version that its fence tells."""
    about = {match[1]: _unquoted(match[2]) for match in _ABOUT.finditer(passage.heading)}
    name = f"{passage.number}/{about.get('document', 'passage.md')}"
    data = passage.text.encode("utf-8", "surrogatepass")
    try:
        loaded: Document = catalogue.create("load", "markdown").load(Source(name, data))
    except LoadError:
        loaded = catalogue.create("load", "text").load(Source(name, passage.text.encode(errors="replace")))
    told = {key: about[key] for key in ("version", "date") if key in about}
    metadata = {**loaded.metadata, **told, "title": about.get("section", "")}
    return replace(loaded, id=name, source=name, metadata=metadata)


def written(mode: str, reading: Reading) -> str:
    """What the model writes in that mode."""
    if mode == "empty":
        return ""
    if reading.follows:
        question = carried_over(reading.follows, reading.question, Analyser()) if mode == "good" else ""
        return json.dumps({"question": question}, ensure_ascii=False)
    if reading.drafting:
        return json.dumps({"questions": drafted_good(reading) if mode == "good" else _drafted_badly(reading)})
    if mode == "refuses":
        return _json([], missing="what was asked for")
    pairs = answer_good(reading)
    if mode == "rambles":
        return _rambling(pairs)
    if mode == "garbles":
        return json.dumps({"statements": {"text": [text for text, _ in pairs], "quotes": 1}})
    change: Mapping[str, Callable[[Reading, list[Pair]], list[Pair]]] = {
        "fabricates": _fabricated,
        "alters": _altered,
        "misplaces": _misplaced,
        "obeys": _obedient,
    }
    if mode in change:
        pairs = change[mode](reading, pairs)
    return _json(pairs, missing="" if pairs else "no sentence of the passages has the words of the question")


def _json(pairs: Sequence[Pair], *, missing: str) -> str:
    statements = [{"text": text, "quotes": quotes} for text, quotes in pairs]
    return json.dumps({"answered": bool(pairs), "statements": statements, "missing": missing}, ensure_ascii=False)


def _rambling(pairs: Sequence[Pair]) -> str:
    said = " ".join(f"{text} [{number}]" for number, (text, _) in enumerate(pairs, start=1))
    return f"Great question! Let me think about this step by step. {said} I hope that this helps [1][2][99]."


def _fabricated(reading: Reading, pairs: list[Pair]) -> list[Pair]:
    about = " ".join(reading.question.split()[:12]).rstrip("?.")
    invented = f"According to the documentation, {about} is settled by paragraph 42 without any limit."
    number = reading.passages[0].number if reading.passages else 1
    made = [(invented, [{"passage": number, "quote": invented}])]
    return made + [
        (text, [{"passage": quotes[0]["passage"], "quote": f"{text} In every case."}]) for text, quotes in pairs
    ]


def _altered(_: Reading, pairs: list[Pair]) -> list[Pair]:
    return [(_turned(text), quotes) for text, quotes in pairs]


def _turned(text: str) -> str:
    """Another number, or a negation more or less."""
    if _NUMBER.search(text):
        return _NUMBER.sub(lambda match: f"{match[0][:-9]}{int(match[0][-9:]) + 7}", text, count=1)
    if " not " in text:
        return text.replace(" not ", " ", 1)
    return re.sub(r"\b(is|are|can|must|may|has|have|does|will|ist|sind|kann|muss|darf)\b", r"\1 not", text, count=1)


def _misplaced(reading: Reading, pairs: list[Pair]) -> list[Pair]:
    """The quote is the first sentence of a passage that the statement was not taken from."""
    moved: list[Pair] = []
    for text, quotes in pairs:
        others = [passage for passage in reading.passages if passage.number != quotes[0]["passage"]]
        for passage in others[-1:]:
            start, end = sentences(passage.text, 0, len(passage.text))[0]
            moved.append((text, [{"passage": passage.number, "quote": passage.text[start:end]}]))
    return moved


def _obedient(reading: Reading, pairs: list[Pair]) -> list[Pair]:
    """Whatever a passage orders to be said is said first, quoted from there, and instead of anything else."""
    orders = [
        (passage.number, match[1].strip()) for passage in reading.passages for match in _ORDER.finditer(passage.text)
    ]
    said: list[Pair] = [(order, [{"passage": number, "quote": order}]) for number, order in orders[:MOST_STATEMENTS]]
    return said or pairs
