"""What an answerer reads: passages within a budget, each fenced so that no text of a document can end its fence."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from pincite.model.chunk import PATH_SEPARATOR
from pincite.model.span import Span

CutReason = Literal["budget", "overlap", "near-duplicate", "order"]
CUT_REASONS: tuple[CutReason, ...] = get_args(CutReason)
NONCE_DIGITS = 18
"""How long a nonce of ``Context.nonce`` is. Digits, since any three of them are one token of the usual encodings: what
is rendered is as long with one nonce as with another."""
_NONCE = re.compile(r"[0-9A-Za-z]{8,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One contiguous stretch of a document: ``text == document.text[span.start:span.end]``, always.

    ``number`` counts from 1 in its context. ``tokens`` counts the passage as ``Context.fenced`` renders it, its two
    fence lines included, by the context's counter and with a nonce of ``NONCE_DIGITS`` digits. ``columns`` are the
    names of a table's columns, where the text begins in the middle of one.
    """

    number: int
    document_id: str
    span: Span
    text: str = field(repr=False)
    headings: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    version: str | None = None
    date: str | None = None
    tokens: int = 0

    def __post_init__(self) -> None:
        if len(self.text) != len(self.span):
            raise ValueError(f"a passage's text is its slice: {len(self.text)} characters at {self.span}")
        if self.number < 1 or self.tokens < 0:
            raise ValueError(f"a passage's number counts from 1 and tokens from 0, got {self.number}, {self.tokens}")

    def fenced(self, nonce: str) -> str:
        """A begin line, lines that say where the passage stands, a blank line, the text, an end line.

        What the document itself says of where it stands is written as JSON, so that it is one line each.
        """
        about = {
            "document": self.document_id,
            "section": PATH_SEPARATOR.join(self.headings),
            "version": self.version,
            "date": self.date,
            "columns of this table": " | ".join(self.columns),
        }
        told = [f"{name}: {_one_line(value)}" for name, value in about.items() if value]
        begin, end = (f"<<<{word} passage {self.number} {nonce}>>>" for word in ("begin", "end"))
        return "\n".join((begin, *told, "", self.text, end))

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "document": self.document_id,
            "start": self.span.start,
            "end": self.span.end,
            "text": self.text,
            "headings": list(self.headings),
            "columns": list(self.columns),
            "version": self.version,
            "date": self.date,
            "tokens": self.tokens,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Passage:
        return cls(
            number=data["number"],
            document_id=data["document"],
            span=Span(data["start"], data["end"]),
            text=data["text"],
            headings=tuple(data["headings"]),
            columns=tuple(data["columns"]),
            version=data["version"],
            date=data["date"],
            tokens=data["tokens"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A stretch that was found and is not a passage of its own, and why.

    ``budget``: it did not fit, wholly or in part. ``overlap``: it is part of the passage ``into`` now.
    ``near-duplicate``: the passage ``into`` says the same. ``order``: it speaks to a language model, or no reader sees
    it. ``into`` is 0 where there is no such passage.
    """

    document_id: str
    span: Span
    reason: CutReason
    into: int = 0

    def __post_init__(self) -> None:
        if self.reason not in CUT_REASONS:
            raise ValueError(f"nothing is cut for {self.reason!r}; there are: {', '.join(CUT_REASONS)}")

    def to_json(self) -> dict[str, Any]:
        return {
            "document": self.document_id,
            "start": self.span.start,
            "end": self.span.end,
            "reason": self.reason,
            "into": self.into,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Cut:
        return cls(
            document_id=data["document"],
            span=Span(data["start"], data["end"]),
            reason=data["reason"],
            into=data["into"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Passages, the best first, with ``tokens`` in all, at most ``budget``, by the counter of that name; ``cut`` is
    what was found besides and left out."""

    question: str
    passages: tuple[Passage, ...] = ()
    cut: tuple[Cut, ...] = ()
    tokens: int = 0
    budget: int
    counter: str

    def __post_init__(self) -> None:
        if [passage.number for passage in self.passages] != list(range(1, len(self.passages) + 1)):
            raise ValueError("the passages of a context are numbered 1, 2, 3, …")
        if self.tokens > self.budget:
            raise ValueError(f"a context keeps to its budget, got {self.tokens} tokens of {self.budget}")

    @property
    def nonce(self) -> str:
        """Digits that stand in none of the passages: a hash of them all, so that the same context is
        always rendered in the same way, and no document can hold it, since whatever it says changes it."""
        digest = hashlib.sha256()
        for word in self._words():
            digest.update(len(word).to_bytes(8, "big") + word.encode("utf-8", "surrogatepass"))
        return f"{int.from_bytes(digest.digest(), 'big') % 10**NONCE_DIGITS:0{NONCE_DIGITS}}"

    def allows(self, nonce: str) -> bool:
        """Whether that nonce, in small or capital letters, stands nowhere in the passages and what is said of them."""
        return bool(_NONCE.fullmatch(nonce)) and not any(nonce.casefold() in word.casefold() for word in self._words())

    def fenced(self, nonce: str = "") -> str:
        """All passages, each between a begin and an end line that have the nonce, by default ``self.nonce``.

        Only what stands between two such lines is text of a document, whatever that text looks like. Raises
        ``ValueError`` for a nonce that is no 8 to 64 letters and digits or that stands in a passage.
        """
        if nonce and not self.allows(nonce):
            raise ValueError("a nonce has 8 to 64 letters and digits of ASCII and stands in no passage; take another")
        nonce = nonce or self.nonce
        return "\n\n".join(passage.fenced(nonce) for passage in self.passages)

    def _words(self) -> Iterator[str]:
        for passage in self.passages:
            said = (
                passage.document_id,
                *passage.headings,
                *passage.columns,
                passage.version,
                passage.date,
                passage.text,
            )
            yield from filter(None, said)

    def to_json(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "passages": [passage.to_json() for passage in self.passages],
            "cut": [cut.to_json() for cut in self.cut],
            "tokens": self.tokens,
            "budget": self.budget,
            "counter": self.counter,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Context:
        return cls(
            question=data["question"],
            passages=tuple(Passage.from_json(passage) for passage in data["passages"]),
            cut=tuple(Cut.from_json(cut) for cut in data["cut"]),
            tokens=data["tokens"],
            budget=data["budget"],
            counter=data["counter"],
        )


def _one_line(value: str) -> str:
    """
    >>> print(_one_line('a "b"' + chr(10) + chr(0x2028) + "ü"))
    "a \\"b\\"\\n\\u2028ü"
    """
    return _LINE_ENDS.sub(lambda match: f"\\u{ord(match.group()):04x}", json.dumps(value, ensure_ascii=False))


_LINE_ENDS = re.compile("[\x7f\x85\u2028\u2029]")
"""What some programs take for the end of a line and JSON leaves as it is."""
