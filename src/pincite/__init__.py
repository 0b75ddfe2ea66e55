"""Documents cut into passages that know exactly where they stand, found, and answered from with checked quotes.

From a file to its chunks, without an index:

    document = pincite.load_document("guide.md")
    for chunk in pincite.chunk_document(document, strategy="structure:max_tokens=200"):
        print(chunk.number, chunk.tokens, chunk.headings, chunk.text)

A folder with an index, a search and an answer with its sources:

    with pincite.Collection("handbook", create=True) as collection:
        collection.add("handbook")
        ranking = collection.search("expired cursor", principal=pincite.Principal())
        answer = collection.ask("How long does a cursor live?", principal=pincite.Principal())

Which way of cutting finds more, by questions with known passages:

    print(pincite.compare("handbook", strategies=["structure", "tokens:max_tokens=150"]).verdict)

Load

    load_document    a file, of any format that is supported, as a Document
    load_text        a text as a Document
    load_folder      all documents of a folder
    Document         one text with blocks and sections, and the way back to page, line, row or slide
    Span             a stretch of the text: half-open, in Unicode code points
    Place            a span said for people

Cut

    chunk_document   a document's chunks, by any strategy
    Chunk            a slice of the document's text with headings, prefix and length
    statistics       number and lengths of the chunks of many documents
    count_tokens     the length of a text by a named counter

Find and compare

    nearest_chunks   the chunks whose vectors are most similar to a question's, without an index
    Collection       a folder's documents with their index: add, sync, search, ask, verify
    Principal        who asks; decides which documents there are for them
    Ranking          what a search gives back: hits, best first
    Hit              a chunk that was found, with rank and scores
    compare          strategies measured with questions: values, intervals, a verdict in words
    Comparison       what came out of it
    Question         a question with its relevant passages

Answer

    Answer           statements, or the reason why there are none
    Statement        a sentence with its verdict and what supports it
    Citation         a quote and the span at which the document has it

Look

    draw_chunks      a picture for notebooks: the text with its chunks as coloured bands
    draw_comparison  a picture for notebooks: values, intervals, differences

Everything that goes wrong in a way that was foreseen raises a PinciteError, which says what to do about it. A name is
imported when it is first used. The command ``pincite`` does the same and more, docs/api.md says it at length, and
examples/lab has a tour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.cli.notebook import draw_chunks, draw_comparison
    from pincite.engine import (
        Collection,
        chunk_document,
        count_tokens,
        load_document,
        load_folder,
        load_text,
        nearest_chunks,
        statistics,
    )
    from pincite.engine.evaluation.comparing import Comparison
    from pincite.engine.evaluation.in_one_call import compare
    from pincite.errors import PinciteError
    from pincite.model import (
        Answer,
        Chunk,
        Citation,
        Document,
        Hit,
        Place,
        Principal,
        Question,
        Ranking,
        Span,
        Statement,
    )

__version__ = "0.1.0"

_HOMES = {
    "Answer": "pincite.model",
    "Chunk": "pincite.model",
    "Citation": "pincite.model",
    "Collection": "pincite.engine",
    "Comparison": "pincite.engine.evaluation.comparing",
    "Document": "pincite.model",
    "Hit": "pincite.model",
    "PinciteError": "pincite.errors",
    "Place": "pincite.model",
    "Principal": "pincite.model",
    "Question": "pincite.model",
    "Ranking": "pincite.model",
    "Span": "pincite.model",
    "Statement": "pincite.model",
    "chunk_document": "pincite.engine",
    "compare": "pincite.engine.evaluation.in_one_call",
    "count_tokens": "pincite.engine",
    "draw_chunks": "pincite.cli.notebook",
    "draw_comparison": "pincite.cli.notebook",
    "load_document": "pincite.engine",
    "load_folder": "pincite.engine",
    "load_text": "pincite.engine",
    "nearest_chunks": "pincite.engine",
    "statistics": "pincite.engine",
}

__all__ = [
    "Answer",
    "Chunk",
    "Citation",
    "Collection",
    "Comparison",
    "Document",
    "Hit",
    "PinciteError",
    "Place",
    "Principal",
    "Question",
    "Ranking",
    "Span",
    "Statement",
    "chunk_document",
    "compare",
    "count_tokens",
    "draw_chunks",
    "draw_comparison",
    "load_document",
    "load_folder",
    "load_text",
    "nearest_chunks",
    "statistics",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'pincite' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
