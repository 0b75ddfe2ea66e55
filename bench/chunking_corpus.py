"""The Markdown that chunking is measured on, made anew in every run from what is installed: no data is committed.

Real text throughout: documentation and package descriptions as they are; Python modules as pages with their docstrings
as prose and their definitions as fenced code; translated messages (Chinese and more) as prose, lists and fences under
headings; tables from CSV and JSON lists. Only the structure of the last three is the script's.
"""

from __future__ import annotations

import ast
import csv
import email
import io
import json
import random
import re
import struct
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from importlib.metadata import distributions
from itertools import cycle
from pathlib import Path
from typing import TypeVar

SHARED = Path(__file__).parents[2] / "shared" / "data"
DOCUMENTATION = ("/usr/share/doc", "/usr/lib/node_modules", "/usr/local/lib", "/usr/lib/python3")
TRANSLATIONS = Path("/usr/share/locale")
ISO_CODES = Path("/usr/share/iso-codes/json")
CHINESE = ("zh_CN", "zh_TW")
OTHER_SCRIPTS = ("ja", "ko", "de", "ru", "ar", "hi", "th", "he", "bn")
CHANGELOG = re.compile(r"change|history|news|release", re.IGNORECASE)
LONGEST_IN_SAMPLE = 200_000


@dataclass(frozen=True)
class Text:
    """One Markdown document of the corpus."""

    source: str
    name: str
    text: str

    @cached_property
    def bytes(self) -> int:
        return len(self.text.encode())


@dataclass(frozen=True)
class Corpus:
    """``repeated`` is how many bytes are second copies with their sections in another order."""

    texts: list[Text]
    repeated: int = 0

    @cached_property
    def bytes(self) -> int:
        return sum(text.bytes for text in self.texts)

    def sample(self, megabytes: float) -> list[Text]:
        """Documents spread over all sources; none over 200 kB, so that quadratic peers come to an end."""
        chosen: list[Text] = []
        size = 0
        for text in self.texts:
            if size >= megabytes * 1e6:
                break
            if text.bytes <= LONGEST_IN_SAMPLE:
                chosen.append(text)
                size += text.bytes
        return chosen


def build(megabytes: float) -> Corpus:
    """About that many megabytes; each source up to its share, then what is left of all, then repeats."""
    wanted = megabytes * 1e6
    rest: list[Text] = []
    chosen: list[Text] = []
    seen: set[bytes] = set()
    for source, share, read in SOURCES:
        room = share * wanted
        for text in sorted(_distinct(source, read(), seen), key=lambda text: sha256(text.name.encode()).digest()):
            fits = room >= text.bytes
            (chosen if fits else rest).append(text)
            room -= text.bytes if fits else 0
    size = sum(text.bytes for text in chosen)
    for text in sorted(rest, key=lambda text: (bool(CHANGELOG.search(text.name)), text.name)):
        if size + text.bytes <= wanted:
            chosen.append(text)
            size += text.bytes
    distinct = size
    numbers = random.Random(4)
    for number, text in enumerate(cycle(list(chosen))):
        if size >= 0.99 * wanted:
            break
        chosen.append(Text("repeated, sections shuffled", f"{text.name} again {number}", _shuffled(text.text, numbers)))
        size += text.bytes
    numbers.shuffle(chosen)
    return Corpus(chosen, size - distinct)


def print_make_up(corpus: Corpus) -> None:
    print(f"{corpus.bytes / 1e6:.1f} MB, {len(corpus.texts)} documents", end=", ")
    print(f"{corpus.repeated / 1e6:.1f} MB of them repeats\n" if corpus.repeated else "all distinct\n")
    print("| source | MB | documents | largest kB | not ASCII |\n|---|---|---|---|---|")
    for source in dict.fromkeys([*(source for source, _, _ in SOURCES), *(text.source for text in corpus.texts)]):
        texts = [text for text in corpus.texts if text.source == source]
        size = sum(text.bytes for text in texts)
        if texts:
            largest = max(text.bytes for text in texts) / 1e3
            print(f"| {source} | {size / 1e6:.2f} | {len(texts)} | {largest:.0f} | {_not_ascii(texts):.1%} |")
    print(f"| all | {corpus.bytes / 1e6:.2f} | {len(corpus.texts)} | | {_not_ascii(corpus.texts):.1%} |")


def _not_ascii(texts: Iterable[Text]) -> float:
    """The share of characters beyond ASCII."""
    total = beyond = 0
    for text in texts:
        total += len(text.text)
        beyond += len(text.text) - len(text.text.encode("ascii", "ignore"))
    return beyond / max(1, total)


Named = Iterator[tuple[str, str]]


def _distinct(source: str, named: Named, seen: set[bytes]) -> Iterator[Text]:
    for name, text in named:
        digest = sha256(text.encode()).digest()
        if digest not in seen and text.strip():
            seen.add(digest)
            yield Text(source, name, text)


def _shuffled(text: str, numbers: random.Random) -> str:
    parts = re.split(r"(?m)^(?=#{1,6} )", text)
    numbers.shuffle(parts)
    return "".join(part if part.endswith("\n") else part + "\n" for part in parts)


def _files(folders: Iterable[str | Path], *suffixes: str) -> Named:
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.suffix.lower() in suffixes and path.is_file():
                text = _decoded(path)
                if text is not None:
                    yield str(path), text


def _decoded(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except (UnicodeDecodeError, OSError):
        return None


def shared_prose() -> Named:
    yield from _files([SHARED / name for name in ("anthropic-docs", "chroma-general")], ".md")
    yield from _files([SHARED / name for name in ("fastapi-en", "httpx-docs")], ".md")
    yield from _files([SHARED / "files" / "md", SHARED / "files" / "truth"], ".md")
    yield from _files([SHARED / "xquad-en"], ".txt")


def shared_german() -> Named:
    yield from _files([SHARED / "fastapi-de"], ".md")
    yield from _files([SHARED / "xquad-de"], ".txt")


def shared_code() -> Named:
    for name, text in _files([SHARED / "anthropic-codebase"], ".txt"):
        yield name, f"# {Path(name).stem}\n\n{_fenced(text)}"


def documentation(*, changelogs: bool) -> Named:
    for name, text in _files([sysconfig.get_path("purelib"), *DOCUMENTATION], ".md", ".markdown"):
        if bool(CHANGELOG.search(Path(name).name)) == changelogs:
            yield name, text


def descriptions() -> Named:
    """The long descriptions of installed packages."""
    for package in distributions():
        text = package.read_text("METADATA")
        if text:
            body = email.message_from_string(text).get_payload()
            yield package.name, str(body)


def language_reference() -> Named:
    """Python's own help texts, which are plain text with indented code."""
    from pydoc_data import topics

    for name, text in topics.topics.items():
        yield name, f"# {name}\n\n{text}"


def modules() -> Named:
    """The standard library, one page for each module."""
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        text = _decoded(path)
        if text:
            yield path.name, _module_page(path.stem, text)


def _module_page(name: str, text: str) -> str:
    lines = text.splitlines(keepends=True)
    tree = ast.parse(text)
    page = [f"# Module `{name}`\n\n{ast.get_docstring(tree) or ''}\n\n"]
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            prose = ast.get_docstring(node) or "No description."
            page.append(f"## `{node.name}`\n\n{prose}\n\n{_fenced(''.join(lines[node.lineno - 1 : node.end_lineno]))}")
    return "".join(page)


def _fenced(code: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}python\n{code.rstrip()}\n{fence}\n\n"


def translations(languages: Iterable[str]) -> Named:
    for language in languages:
        for path in sorted((TRANSLATIONS / language / "LC_MESSAGES").glob("*.mo")):
            messages = _messages(path.read_bytes())
            if len(messages) > 40:
                yield f"{language}/{path.stem}", _translated_page(f"{path.stem} ({language})", messages)


def _messages(data: bytes) -> list[str]:
    """The translations of a catalogue in the binary format of gettext, without the entry that describes it."""
    order = "<" if data[:4] == b"\xde\x12\x04\x95" else ">"
    _, _, count, originals, translated = struct.unpack_from(f"{order}5I", data)
    result: list[str] = []
    for index in range(count):
        length, _ = struct.unpack_from(f"{order}2I", data, originals + 8 * index)
        size, start = struct.unpack_from(f"{order}2I", data, translated + 8 * index)
        if length:
            text = data[start : start + size].decode("utf-8", "replace").split("\0")[0]
            result.append(text.replace("\ufffd", "").strip("\n"))
    return [text for text in result if len(text) > 8]


def _translated_page(title: str, messages: list[str]) -> str:
    """Short messages open sections; messages with aligned lines are fenced, some are lists, the rest is prose."""
    page = [f"# {title}\n\n"]
    for number, batch in enumerate(_batches(messages, 9)):
        title, *others = sorted(batch, key=len)
        page.append(f"{'###' if number % 3 else '##'} {' '.join(title.split())}\n\n")
        single = [text for text in others if "\n" not in text]
        page += [f"```text\n{text}\n```\n\n" for text in others if "\n" in text and "```" not in text]
        if number % 4 == 3:
            page.append("".join(f"- {text.strip()}\n" for text in single) + "\n")
        else:
            page += [" ".join(text.strip() for text in some) + "\n\n" for some in _batches(single, 4)]
    return "".join(page)


Item = TypeVar("Item")


def _batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def tables() -> Named:
    for name, text in _files([SHARED / "files" / "csv"], ".csv"):
        rows = list(csv.reader(io.StringIO(text)))
        if len(rows) > 3:
            yield name, f"# {Path(name).stem}\n\n{_table(rows)}"
    for path in sorted(ISO_CODES.glob("*.json")) if ISO_CODES.is_dir() else []:
        for key, entries in json.loads(path.read_text(encoding="utf-8")).items():
            if not isinstance(entries, list):
                continue
            names = sorted({name for entry in entries for name in entry})
            rows = [names, *([str(entry.get(name, "")) for name in names] for entry in entries)]
            for number, some in enumerate(_batches(rows[1:], 400), start=1):
                yield f"{path.stem}/{number}", f"# ISO {key}\n\n## Part {number}\n\n{_table([names, *some])}"


def _table(rows: list[list[str]]) -> str:
    width = len(rows[0])
    lines = ["| " + " | ".join(" ".join(cell.replace("|", "/").split()) for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]]) + "\n"


SOURCES: list[tuple[str, float, Callable[[], Named]]] = [
    ("shared, English", 0.18, shared_prose),
    ("shared, German", 0.055, shared_german),
    ("shared, code files", 0.03, shared_code),
    ("documentation", 0.20, partial(documentation, changelogs=False)),
    ("changelogs", 0.08, partial(documentation, changelogs=True)),
    ("package descriptions", 0.07, descriptions),
    ("Python's help texts", 0.03, language_reference),
    ("Python modules", 0.11, modules),
    ("translations, Chinese", 0.12, lambda: translations(CHINESE)),
    ("translations, others", 0.12, lambda: translations(OTHER_SCRIPTS)),
    ("tables", 0.04, tables),
]
