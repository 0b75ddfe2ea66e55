"""Mutation test of the verifier: how many false citations it catches, and how many true ones it rejects.

    python bench/citations.py [SHARED_DATA]

True pairs of a statement and its quotes are made by rules from the sample corpus and, where the folder is given, from
other documents in German and English; each is corrupted in every way that fits, in the statement alone and in statement
and quote. A corruption is caught when the verdict is `unsupported` or `quote-not-found`: one that leaves as
`paraphrase` counts as missed. A true pair is rejected when any of its lines has one of these two verdicts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.citations_corpus import Pair, documents_in, pairs_of, reference_pairs, written_pairs
from bench.citations_corruptions import CORRUPTIONS, swallowing_ellipsis

from pincite.answer.claims import CheckedClaim, Claim, check
from pincite.model import Document

REPOSITORY = Path(__file__).resolve().parents[1]
ORBIT = REPOSITORY / "examples" / "orbit"
WRITTEN = Path(__file__).with_name("citations_written.jsonl")
SHARED = ("anthropic-docs", "fastapi-en", "fastapi-de", "xquad-en", "xquad-de")
BAD = frozenset({"unsupported", "quote-not-found"})


@dataclass
class Tally:
    """How many of one kind there are, and examples of those that were judged wrongly."""

    total: int = 0
    wrong: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, *, wrong: bool, example: str) -> None:
        self.total += 1
        self.wrong += wrong
        if wrong:
            self.examples.append(example)


Tallies = dict[str, Tally]


@dataclass(frozen=True)
class Outcome:
    rejected: Tallies
    missed: Tallies

    @property
    def share_rejected(self) -> float:
        return _share(self.rejected.values())

    @property
    def share_caught(self) -> float:
        return 1 - _share(self.missed.values())


def _share(tallies: Iterable[Tally]) -> float:
    tallies = list(tallies)
    return sum(tally.wrong for tally in tallies) / max(1, sum(tally.total for tally in tallies))


def orbit() -> tuple[dict[str, Document], list[Pair]]:
    documents = documents_in(ORBIT)
    pairs = pairs_of(documents, most=120)
    references = [
        pair for pair in reference_pairs(ORBIT / "questions.jsonl") if all(n in documents for _, n in pair.quotes)
    ]
    return documents, [*pairs, *references, *written_pairs(WRITTEN)]


def measure(documents: Mapping[str, Document], pairs: Sequence[Pair]) -> Outcome:
    outcome = Outcome({}, {})
    for pair in pairs:
        checked = _checked(pair, documents)
        wrong = any(claim.verdict in BAD for claim in checked)
        outcome.rejected.setdefault(pair.kind, Tally()).add(wrong=wrong, example=_shown(checked))
    for kind, pair in corrupted(pairs, documents):
        checked = _checked(pair, documents)
        wrong = all(claim.verdict not in BAD for claim in checked)
        outcome.missed.setdefault(kind, Tally()).add(wrong=wrong, example=_shown(checked))
    return outcome


def _checked(pair: Pair, documents: Mapping[str, Document]) -> list[CheckedClaim]:
    claims = [Claim(statement=pair.statement, quote=text, document_id=name) for text, name in pair.quotes]
    return check(claims, documents, documents.get)


def _shown(checked: Sequence[CheckedClaim]) -> str:
    first = checked[0]
    quotes = " ## ".join(" ".join(claim.quote.split()) for claim in checked)
    return f"[{first.verdict}/{first.reason}: {first.message}] {first.claim.statement} <- {quotes}"


def corrupted(pairs: Sequence[Pair], documents: Mapping[str, Document]) -> Iterator[tuple[str, Pair]]:
    """The false pairs with their kinds: of those whose quotes stand there exactly."""
    names = list(documents)
    whole = [pair for pair in pairs if pair.kind in ("as it stands", "reference answer") or _is_written(pair)]
    for number, pair in enumerate(whole):
        for kind, corrupt in CORRUPTIONS.items():
            statement = corrupt(pair.statement)
            if statement == pair.statement or re.search(r"\b(?:few|some) \d", statement):
                continue
            yield kind, Pair(kind, statement, pair.quotes)
            quotes = tuple((corrupt(text), name) for text, name in pair.quotes)
            if pair.kind == "as it stands" and quotes != pair.quotes:
                yield kind, Pair(kind, statement, quotes)
        if pair.kind != "as it stands":
            continue
        ((text, name),) = pair.quotes
        other = names[(names.index(name) + 1 + number) % len(names)]
        if text not in documents[other].text:
            yield "moved to another document", Pair("moved", pair.statement, ((text, other),))
        shortened = swallowing_ellipsis(text)
        if shortened != text:
            yield "ellipsis swallows a negation", Pair("ellipsis", pair.statement, ((shortened, name),))
        following = whole[(number + 7) % len(whole)]
        if following.kind == "as it stands" and following.statement != pair.statement:
            yield "statement of another quote", Pair("other", following.statement, pair.quotes)
        words = text.rstrip(".").split()
        invented = " ".join([*words[: len(words) // 2], "according", "to", "the", "harbour", "office", *words[-2:]])
        yield "fabricated quote", Pair("fabricated", invented, ((invented, name),))


def _is_written(pair: Pair) -> bool:
    return pair.kind in ("paraphrase", "derived", "other language")


def print_outcome(title: str, outcome: Outcome, *, examples: int) -> None:
    print(f"\n{title}\n")
    for heading, tallies, word in (("true", outcome.rejected, "rejected"), ("false", outcome.missed, "missed")):
        print(f"{heading:34}{'pairs':>7}{word:>10}{'share':>9}")
        for kind, tally in tallies.items():
            print(f"  {kind:32}{tally.total:>7}{tally.wrong:>10}{tally.wrong / tally.total:>9.1%}")
        total, wrong = sum(t.total for t in tallies.values()), sum(t.wrong for t in tallies.values())
        print(f"  {'together':32}{total:>7}{wrong:>10}{wrong / max(1, total):>9.1%}")
        for kind, tally in tallies.items():
            for example in tally.examples[:examples]:
                print(f"      {kind}: {example[:400]}")


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    examples = 25 if "--examples" in sys.argv else 0
    print_outcome("examples/orbit", measure(*orbit()), examples=examples)
    for name in SHARED if arguments else ():
        documents = documents_in(Path(arguments[0]) / name / "corpus", limit=40)
        print_outcome(name, measure(documents, pairs_of(documents, most=80)), examples=examples)


if __name__ == "__main__":
    main()
