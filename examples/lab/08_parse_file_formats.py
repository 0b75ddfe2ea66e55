"""Experiment 8: CSV, HTML, DOCX and PDF become the same type, and keep what simple loaders lose."""

from pathlib import Path

import pincite

ORBIT = Path(__file__).parent.parent / "orbit"
FILES = ("device-models.csv", "billing.html", "service-level-agreement.docx", "v3/edge-gateway-manual.pdf")

for name in FILES:
    document = pincite.load_document(ORBIT / name)
    tables = [block for block in document.blocks if block.kind == "table"]
    paths = [" > ".join(section.path) for section in document.sections if section.level > 1]
    row = tables[0].rows[0]
    print(f"== {document.id}, {document.media_type}")
    print(f"   {len(document.text)} characters, {len(document.sections)} sections, {len(tables)} tables")
    print(f"   headings keep their path: {paths[:2]}")
    print(f"   columns: | {' | '.join(tables[0].columns)} |")
    print(f"   a row:   {row.of(document.text).strip()}")
    print(f"   which stands at: {document.place(row)}")

pdf = pincite.load_document(ORBIT / "v3" / "edge-gateway-manual.pdf")
pages = max(pdf.place(section.span).page or 0 for section in pdf.sections)
furniture = [words for words in ("Page 2", "EG-200 manual") if words in pdf.text]
print(f"\nThe PDF has {pages} pages; running heads and page numbers in its text: {furniture or 'none'}.")
for warning in pdf.warnings:
    print(f"   said while loading: {warning.message}")

print("\nA table that is cut between rows repeats its column names in front of every part:\n")
table = pincite.chunk_document(pincite.load_document(ORBIT / "device-models.csv"), strategy="structure:max_tokens=200")
print("\n".join(f"    {line[:100]}" for line in table[1].embedded.splitlines()[:4]))
