"""The documents of a folder, cut, searched and compared without a collection."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from pincite import catalogue
from pincite.config import FILE_NAME, read_settings
from pincite.errors import UsageError
from pincite.model import Chunk, Document, Hit, Located
from pincite.ports import Embedder

if TYPE_CHECKING:
    from pincite.engine.evaluation.corpus import Corpus

LONGEST_MESSAGE = 160
"""In characters: some name every suffix that there is."""
logger = logging.getLogger("pincite.folder")


def load_folder(folder: Path | str) -> list[Document]:
    """The documents that a collection in that folder would have, with the metadata of its ``pincite.toml``, in order of
    their ids.

    A file that cannot be loaded is left out, and a warning of the logger ``pincite.folder`` names it, which Python
    prints on stderr unless told otherwise. Raises ``NothingFoundError`` where no document is left.
    """
    found = corpus_in(Path(folder)).documents
    return [found[name] for name in sorted(found)]


def corpus_in(folder: Path, *, excluded: frozenset[Path] = frozenset()) -> Corpus:
    """The same with what was said while they were loaded, without the files that are ``excluded``."""
    from pincite.engine.evaluation.corpus import read_corpus

    if not folder.is_dir():
        raise UsageError("is no folder", cure="Name a folder; load_document takes one file.", file=str(folder))
    folder = folder.resolve()
    corpus = read_corpus(
        [folder], read_settings(folder / FILE_NAME), folder, excluded=frozenset(file.resolve() for file in excluded)
    )
    for notice in corpus.failed:
        logger.warning("%s: %s", notice.file, shorten(notice.message, LONGEST_MESSAGE, placeholder=" …"))
    for notice in corpus.warnings:
        logger.info("%s: %s", notice.file, notice.message)
    return corpus


def nearest_chunks(
    question: str, chunks: Sequence[Chunk], *, k: int = 3, embedder: str | Embedder = catalogue.DEFAULTS["embed"]
) -> list[Hit]:
    """The chunks whose vectors are most similar to the question's, best first: scores are cosines, from -1 to 1.

    Every chunk is embedded anew; a ``Collection`` keeps vectors and looks for words as well. ``embedder`` is a name or
    one that is ready. Raises ``UsageError`` for an unknown one.

    >>> from pincite.engine.chunking import chunk_document
    >>> text = Document("a.txt", "a.txt", "text/plain", "Bees make honey.\\n\\nTrains run on rails.")
    >>> chunks = chunk_document(text, strategy="sentences:max_tokens=6")
    >>> [hit.chunk.text for hit in nearest_chunks("locomotives and railways", chunks, k=1, embedder="use")]
    ['Trains run on rails.']
    """
    if not chunks:
        return []
    model: Embedder = catalogue.create("embed", embedder) if isinstance(embedder, str) else embedder
    texts = [chunk.embedded for chunk in chunks]
    most = model.max_tokens
    if most is not None and (over := sum(model.count(text) > most for text in texts)):
        logger.warning("%d of %d chunks are over the %d tokens that %r reads", over, len(texts), most, model.name)
    scores = (model.embed(texts) @ model.embed_query(question)).tolist()
    order = sorted(range(len(chunks)), key=lambda number: (-scores[number], number))[: max(k, 0)]
    return [
        Hit(located=Located(chunk=chunks[number]), rank=rank, score=scores[number], dense=scores[number])
        for rank, number in enumerate(order, start=1)
    ]
