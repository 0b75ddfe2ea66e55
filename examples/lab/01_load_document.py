"""Experiment 1: load a Markdown file; its name, its number of characters, how it begins."""

from pathlib import Path

import pincite

ORBIT = Path(__file__).parent.parent / "orbit"

document = pincite.load_document(ORBIT / "v3" / "authentication.md")

print(f"Document:   {document.id}")
print(f"Characters: {len(document.text)}")
print(f"Unchanged:  {document.text == (ORBIT / 'v3' / 'authentication.md').read_text(encoding='utf-8')}")
print(f"Front matter: title {document.metadata['title']!r}, version {document.metadata['version']}")
print("\nThe first 1000 characters:\n")
print(document.text[:1000])
