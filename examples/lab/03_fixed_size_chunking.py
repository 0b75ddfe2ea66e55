"""Experiment 3: chunks of 150 tokens. A text of 706 tokens gives five, and the last one is shorter.

Sizes are in tokens of a named encoding, not in characters.
"""

from pathlib import Path

import pincite

ORBIT = Path(__file__).parent.parent / "orbit"

document = pincite.load_document(ORBIT / "v3" / "authentication.md")
beginning = pincite.chunk_document(document, strategy="tokens:max_tokens=706")[0]
text = pincite.load_text(beginning.text, document_id=document.id)

for encoding in ("o200k_base", "cl100k_base"):
    print(f"{pincite.count_tokens(text.text, counter=encoding)} tokens in {encoding}, {len(text.text)} characters")

print("\nchunk  tokens  first token  characters    begins with")
for chunk in pincite.chunk_document(text, strategy="tokens:max_tokens=150"):
    start = pincite.count_tokens(text.text[: chunk.span.start])
    characters = f"{chunk.span.start}-{chunk.span.end}"
    print(f"{chunk.number:>5}  {chunk.tokens:>6}  {start:>11}  {characters:<12}  {chunk.text[:40]!r}")
    assert chunk.text == text.text[chunk.span.start : chunk.span.end]

print("\nBetter now: every chunk is a slice of the text, so a citation can point into it; no character is cut in half,")
print("though tokens may be; and a chunk knows its headings. Borders are still wherever the count happens to end.")
