"""Experiment 6: three ways of cutting, asked one German question over an English document; then what the chapter asks
for: many questions with known passages, intervals, and a verdict in words."""

from pathlib import Path

import pincite

ORBIT = Path(__file__).parent.parent / "orbit"
QUESTION = "Darf ich während einer Cursorfolge den Gerätefilter ändern?"
STRATEGIES = {"fixed": "tokens", "overlap": "tokens:overlap_tokens=30", "structure": "sections"}

document = pincite.load_document(ORBIT / "v3" / "pagination.md")
print(f"{QUESTION}\n")
found = {}
for name, strategy in STRATEGIES.items():
    found[name] = pincite.nearest_chunks(QUESTION, pincite.chunk_document(document, strategy=strategy), k=3)
print("rank  " + "  ".join(f"{name:<32}" for name in found))
for rank in range(3):
    best = (hits[rank] for hits in found.values())
    cells = (f"{hit.score:.3f} {' > '.join(hit.chunk.headings[1:]) or 'several sections'}" for hit in best)
    print(f"{rank + 1:>4}  " + "  ".join(f"{cell:<32}" for cell in cells))
print("\nOne question proves nothing, and similarity is not relevance. All questions of the collection:\n")

comparison = pincite.compare(ORBIT, strategies=[*STRATEGIES.values()])
for name in comparison.names:
    value = comparison.values[name][comparison.headline]
    told = f"{value.value:.3f} [{value.low:.3f}, {value.high:.3f}]"
    print(f"{name:<26} {comparison.headline} {told}, {comparison.measured[name].chunks} chunks")
print(f"\nVerdict over {len(comparison.scored)} questions: {comparison.verdict}.")
