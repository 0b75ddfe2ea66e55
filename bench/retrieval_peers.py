"""Other packages' chunkers, by the names of the baseline: each gives the spans that it cuts a text into.

None is a dependency: a row whose package is not installed is left out. ``t`` behind a size stands for tokens of
o200k_base, ``c`` for characters, none with overlap but ``fixed-800c/100``. A peer that gives texts without offsets is
located in order, each text behind the end of the one before.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

from pincite.text.counters import TokenCounter
from pincite.text.tokenizers import loaded_encoding

Cut = tuple[int, int, str]
"""Start, end and prefix: the heading path, or nothing."""
Cutter = Callable[[str], list[Cut]]

HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
DEEPEST_SECTION = 3
"""The baseline's sections end at headings of the first three levels; paths have those of all levels."""
ANCHOR = re.compile(r"\s*\{ *#.*\}\s*\Z")
"""The name of a heading that Markdown's attribute lists give: no part of a path."""
FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")


def package(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


@cache
def counter(encoding: str) -> TokenCounter:
    return TokenCounter(encoding)


def located(text: str, pieces: Iterable[str], *, overlapping: bool = False) -> Iterator[Cut]:
    """Each piece behind the end of the one before; ``overlapping`` ones behind its start. Raises ``ValueError`` where a
    piece is not found there."""
    place = 0
    for piece in pieces:
        if piece.strip():
            start = text.index(piece, place)
            place = start + (1 if overlapping else len(piece))
            yield start, start + len(piece), ""


def fixed(text: str) -> list[Cut]:
    """The lesson's windows: 800 characters, which begin 700 apart."""
    return [(start, min(start + 800, len(text)), "") for start in range(0, len(text), 700)]


def langchain(
    size: int, *, encoding: str | None, overlap: int = 0, separators: list[str] | None = None
) -> Callable[[str], list[str]]:
    """LangChain's recursive splitter, by tokens of that encoding or by characters, as texts."""
    count = counter(encoding).count if encoding else len
    kind = package("langchain_text_splitters").RecursiveCharacterTextSplitter
    splitter = kind(chunk_size=size, chunk_overlap=overlap, length_function=count, separators=separators)
    split: Callable[[str], list[str]] = splitter.split_text
    return split


def langchain_cuts(size: int, *, tokens: bool) -> Cutter:
    split = langchain(size, encoding="o200k_base" if tokens else None)
    return lambda text: list(located(text, split(text)))


def semantic_markdown(size: int) -> Cutter:
    splitter = package("semantic_text_splitter").MarkdownSplitter.from_callback(counter("o200k_base").count, size)
    return lambda text: [(start, start + len(piece), "") for start, piece in splitter.chunk_indices(text)]


@cache
def tiktoken_encoding() -> Any:
    """tiktoken's o200k_base with the ranks that bpe-openai carries: its own it would fetch from the network."""
    ours = loaded_encoding("o200k_base")
    public = package("tiktoken_ext.openai_public")
    public.load_tiktoken_bpe = lambda *_, **__: {ours.decode_single_token_bytes(rank): rank for rank in range(199_998)}
    return package("tiktoken").get_encoding("o200k_base")


def chonkie(size: int) -> Cutter:
    chunker = package("chonkie").RecursiveChunker(tiktoken_encoding(), chunk_size=size)
    return lambda text: [(chunk.start_index, chunk.end_index, "") for chunk in chunker.chunk(text)]


def llama_markdown(size: int) -> Cutter:
    parsers, document = package("llama_index.core.node_parser"), package("llama_index.core").Document
    markdown = parsers.MarkdownNodeParser()
    splitter = parsers.SentenceSplitter(chunk_size=size, chunk_overlap=0, tokenizer=counter("o200k_base").starts)

    def cut(text: str) -> list[Cut]:
        nodes = splitter.get_nodes_from_documents(markdown.get_nodes_from_documents([document(text=text)]))
        return list(located(text, (node.text for node in nodes)))

    return cut


def headings(text: str) -> Iterator[tuple[int, int, str]]:
    """Offset, level and title of every line that is one, but for those in fenced code."""
    place, fence = 0, ""
    for line in text.splitlines(keepends=True):
        mark = FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif not fence and (title := HEADING.match(line)):
            yield place, len(title[1]), ANCHOR.sub("", title[2]).strip()
        place += len(line)


def paths(text: str) -> list[tuple[int, tuple[str, ...]]]:
    """Where each heading stands, and the titles from the outermost to its own."""
    found: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    open_: list[tuple[int, str]] = []
    for place, level, title in headings(text):
        open_ = [*(each for each in open_ if each[0] < level), (level, title)]
        found.append((place, tuple(title for _, title in open_)))
    return found


def sections(text: str) -> list[Cut]:
    """One section, one chunk, without the blanks at its end."""
    borders = [0, *(place for place, level, _ in headings(text) if level <= DEEPEST_SECTION), len(text)]
    ends = [start + len(text[start:end].rstrip()) for start, end in pairwise(borders)]
    return [(start, end, "") for start, end in zip(borders, ends, strict=False) if start < end]


def with_path(cutter: Cutter, title: str = "") -> Cutter:
    """The same cuts, with the path of the section in front that each begins in; the title where a text has no
    heading."""

    def cut(text: str) -> list[Cut]:
        known = paths(text)
        if len(known) == 1:
            known = [(0, (title,))]
        return [
            (start, end, " > ".join([path for place, path in known if place <= start][-1]))
            for start, end, _ in cutter(text)
        ]

    return cut


CUTTERS: dict[str, Callable[[], Cutter]] = {
    "fixed-800c/100": lambda: fixed,
    "lc-rec-200t": lambda: langchain_cuts(200, tokens=True),
    "lc-rec-400t": lambda: langchain_cuts(400, tokens=True),
    "lc-rec-400c": lambda: langchain_cuts(400, tokens=False),
    "lc-rec-800c": lambda: langchain_cuts(800, tokens=False),
    "sts-md-200t": lambda: semantic_markdown(200),
    "sts-md-400t": lambda: semantic_markdown(400),
    "chonkie-rec-400t": lambda: chonkie(400),
    "llama-md-400t": lambda: llama_markdown(400),
    "section": lambda: sections,
}
PATH = "+path"


def cutter_of(name: str) -> Callable[[str, str], list[Cut]]:
    """What cuts a document, by its name and text; with ``+path`` behind the name of one of ``CUTTERS`` as ``with_path``
    says. Raises ``ImportError`` where its package is not installed."""
    cutter = CUTTERS[name.removesuffix(PATH)]()
    if not name.endswith(PATH):
        return lambda _, text: cutter(text)
    return lambda document, text: with_path(cutter, document.rpartition(".")[0].replace("_", " "))(text)
