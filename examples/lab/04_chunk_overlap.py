"""Experiment 4: 30 tokens are repeated, so that windows begin 120 tokens apart, and a sixth chunk comes up."""

from itertools import pairwise
from pathlib import Path

import pincite

ORBIT = Path(__file__).parent.parent / "orbit"

document = pincite.load_document(ORBIT / "v3" / "authentication.md")
beginning = pincite.chunk_document(document, strategy="tokens:max_tokens=706")[0]
text = pincite.load_text(beginning.text, document_id=document.id)

plain = pincite.chunk_document(text, strategy="tokens:max_tokens=150")
overlapping = pincite.chunk_document(text, strategy="tokens:max_tokens=150,overlap_tokens=30")

for name, chunks in (("without overlap", plain), ("with 30 tokens of overlap", overlapping)):
    sizes = [chunk.tokens for chunk in chunks]
    starts = [pincite.count_tokens(text.text[: chunk.span.start]) for chunk in chunks]
    print(f"{name}: {len(chunks)} chunks of {sizes}, starting at {starts}; {sum(sizes)} tokens to embed")

print("\nWhat two neighbours share:")
for before, after in pairwise(overlapping):
    shared = text.text[after.span.start : before.span.end]
    print(f"    {before.number} and {after.number}: {pincite.count_tokens(shared)} tokens, {shared[:60]!r}…")

repeated = sum(chunk.tokens for chunk in overlapping) - pincite.count_tokens(text.text)
print(f"\nThe price: {repeated} tokens are stored twice, and both copies may be among the hits.")
print("Better now: the search folds hits that repeat each other into one, and structure needs no overlap.")
