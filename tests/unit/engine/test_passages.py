"""What an answerer reads: hits of several searches, by turns, nothing twice."""

from __future__ import annotations

from tests.unit.retrieve.small import ANALYSER, entry_of

from pincite.engine.passages import passages
from pincite.model import Hit, Located, Ranking, Span

TEXTS = ["The ferry leaves.", "The ferry returns.", "Bread is baked."]
ENTRY = entry_of("a.md", TEXTS)


def hit(rank: int, start: int, end: int, document_id: str = "a.md") -> Hit:
    text = ENTRY.document.text[start:end]
    given = {"id": f"{document_id} {start}-{end}", "document": document_id, "number": 1, "prefix": "", "headings": []}
    chunk = {**given, "start": start, "end": end, "text": text, "level": 0, "tokens": 1, "parent": None}
    located = Located.from_json({**chunk, "place": {}, "metadata": {}})
    return Hit(located=located, rank=rank, score=0.0)


def test_what_lies_inside_a_passage_is_not_read_again() -> None:
    def search(query: str, _: int, __: str) -> Ranking:
        if query.startswith("When"):
            return Ranking(query, (hit(1, 0, 37), hit(2, 39, 54, "b.md")))
        return Ranking(query, (hit(1, 19, 37), hit(2, 19, 54), hit(3, 0, 37, "b.md")))

    found = passages("When does the ferry leave, and who bakes bread at night?", search, analyser=ANALYSER)
    assert [(one.rank, one.chunk.document_id, one.chunk.span) for one in found.hits] == [
        (1, "a.md", Span(0, 37)),
        (2, "b.md", Span(39, 54)),
        (3, "a.md", Span(19, 54)),
        (4, "b.md", Span(0, 37)),
    ]
