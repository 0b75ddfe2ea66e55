"""Experiment 2: the sections of a document, in order, each with its whole heading path.

A heading may have no text of its own. A line with a # inside fenced code is no heading.
"""

from pathlib import Path

import pincite

ORBIT = Path(__file__).parent.parent / "orbit"

document = pincite.load_document(ORBIT / "v3" / "authentication.md")

print(f"{document.id}: {len(document.sections)} sections\n")
print("level  line  characters  path")
for section in document.sections:
    line = document.place(section.span).line
    text = section.body.of(document.text).strip() if section.body else ""
    print(f"{section.level:>5}  {line:>4}  {len(text):>10}  {' > '.join(section.path)}")

hashes = [line for line in document.text.splitlines() if line.startswith("# ")]
headings = [section for section in document.sections if section.level == 1]
print(f"\n{len(hashes)} lines begin with '# ', {len(headings)} of them is a heading:")
for found in hashes:
    print(f"    {found}")
