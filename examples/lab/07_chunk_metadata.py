"""Experiment 7: a chunk is a value with its origin. What is embedded and what is only stored are two decisions."""

import json
from pathlib import Path

import pincite

ORBIT = Path(__file__).parent.parent / "orbit"

documents = {document.id: document for document in pincite.load_folder(ORBIT)}
document = documents["v3/pagination.md"]
chunk = next(chunk for chunk in pincite.chunk_document(document, strategy="sections") if "Lifetime" in chunk.headings)

print("The chunk:\n")
print(json.dumps({**chunk.to_json(), "text": f"{chunk.text[:60]}…"}, indent=2, ensure_ascii=False))

print("\nWhat is embedded, prefix and text:\n")
print("\n".join(f"    {line}" for line in chunk.embedded.splitlines()[:3]))

print("\nWhat is only stored, and decides which chunks are searched at all (from front matter and pincite.toml):\n")
for name in ("title", "version", "groups", "language"):
    print(f"    {name}: {document.metadata[name]}")
place = document.place(chunk.span)
print(f"    place: {document.id}, {place}")

again = pincite.chunk_document(document, strategy="sections")[chunk.number - 1]
print(f"\nThe id {chunk.id} is made from document, prefix and text: the same again is {again.id == chunk.id}.")
