"""The lesson: a folder of Markdown cut in four ways, its table, and the chunks of timeouts.md where there is one.

    10_httpx_lesson.py FOLDER

Its exercises are options:

    --strategy characters:max_characters=400,overlap_characters=50    other sizes and other ways; may be repeated
    --merge            which chunks are only a heading, and what joining each with the next makes of the table
    --document FILE    a document of yours cut by all of these ways, chunk by chunk
"""

import argparse
from pathlib import Path

import pincite

LESSON = ["characters", "headings-naive", "headings", "headings-capped"]


def is_only_heading(chunk: pincite.Chunk) -> bool:
    return chunk.text.lstrip().startswith("#") and len(chunk.text.strip().splitlines()) == 1


def print_row(name: str, lengths: list[int]) -> None:
    print(f"{name:<54}{len(lengths):>6}{sum(lengths) // len(lengths):>6}{min(lengths):>6}{max(lengths):>6}")


def print_chunks(document: pincite.Document, way: str, *, whole: bool = False) -> None:
    chunks = pincite.chunk_document(document, strategy=way)
    print(f"\n{document.id} by {way}: {[len(chunk.embedded) for chunk in chunks]}")
    for chunk in chunks:
        print(f"  {chunk.number:>3}  {len(chunk.embedded):>5}  {chunk.text.strip().splitlines()[0][:80]}")
        if whole:
            print("\n".join(f"             | {line}" for line in chunk.embedded.splitlines()))


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", type=Path)
parser.add_argument("--strategy", action="append", default=[])
parser.add_argument("--merge", action="store_true")
parser.add_argument("--document", type=Path)
given = parser.parse_args()
ways = [*LESSON, *given.strategy]
documents = [document for document in pincite.load_folder(given.folder) if document.media_type == "text/markdown"]

print(f"{len(documents)} documents; lengths in characters; means are truncated\n")
print(f"{'strategy':<54}{'chunks':>6}{'mean':>6}{'min':>6}{'max':>6}")
for way in ways:
    cut = [pincite.chunk_document(document, strategy=way) for document in documents]
    print_row(way, [len(chunk.embedded) for chunks in cut for chunk in chunks])
    alone = [chunk for chunks in cut for chunk in chunks[:-1] if is_only_heading(chunk)]
    if given.merge and alone:
        joined = []
        for chunks in cut:
            before = ""
            for chunk in chunks:
                before += chunk.embedded
                if not is_only_heading(chunk) or chunk is chunks[-1]:
                    joined.append(len(before))
                    before = ""
        print_row(f"    {len(alone)} of only a heading joined with the next", joined)

if given.document:
    for way in ways:
        print_chunks(pincite.load_document(given.document), way, whole=True)
else:
    for document in documents:
        if document.id.endswith("timeouts.md"):
            print_chunks(document, "headings-naive")
            print_chunks(document, "headings")
