"""Experiment 5: one chunk per section that has text, with the whole path Title > Section > Subsection."""

from pathlib import Path

import pincite

ORBIT = Path(__file__).parent.parent / "orbit"

document = pincite.load_document(ORBIT / "v3" / "authentication.md")
beginning = pincite.chunk_document(document, strategy="tokens:max_tokens=706")[0]
text = pincite.load_text(beginning.text, document_id=document.id)

chunks = pincite.chunk_document(text, strategy="sections")
empty = [section.title for section in text.sections if section.body is None or not section.body.of(text.text).strip()]
print(f"{len(text.sections)} sections, {len(empty)} of them without text {empty}: {len(chunks)} chunks\n")
for chunk in chunks:
    print(f"{chunk.number}. level {chunk.level}, {chunk.tokens:>3} tokens: {' > '.join(chunk.headings)}")

print("\nThe default strategy `structure` goes on from there: it packs whole blocks up to a limit and joins what is")
print("too small, so that fences, tables and lists stay whole and no chunk is a heading alone:\n")
for chunk in pincite.chunk_document(text, strategy="structure:max_tokens=300"):
    print(f"{chunk.number}. level {chunk.level}, {chunk.tokens:>3} tokens: {' > '.join(chunk.headings)}")
