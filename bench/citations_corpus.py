"""True statement-quote pairs for bench/citations.py, made by rules and written for the sample corpus."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite import catalogue
from pincite.model import Document, Source
from pincite.text.language import language_of
from pincite.text.sentences import sentences

LOADERS = {".md": "markdown", ".txt": "text", ".csv": "csv", ".html": "html", ".docx": "docx"}


@dataclass(frozen=True, slots=True)
class Pair:
    """A statement with its quotes, each with the document that it stands in; ``kind`` is how it was made."""

    kind: str
    statement: str
    quotes: tuple[tuple[str, str], ...]


def documents_in(folder: Path, limit: int | None = None) -> dict[str, Document]:
    """The documents by id, in order of their paths; PDF is left out, which takes long to load."""
    found: dict[str, Document] = {}
    for path in sorted(path for path in folder.rglob("*") if path.suffix in LOADERS):
        name = path.relative_to(folder).as_posix()
        loader = catalogue.create("load", LOADERS[path.suffix])
        loaded = loader.load(Source(name, path.read_bytes()))
        found[name] = Document(
            id=name,
            source=name,
            media_type=loaded.media_type,
            text=loaded.text,
            blocks=loaded.blocks,
            places=loaded.places,
            metadata=loaded.metadata,
        )
        if limit and len(found) == limit:
            break
    return found


def sentences_of(document: Document) -> Iterator[str]:
    """Whole sentences of 6 to 45 words in paragraphs and list items, as they stand."""
    for block in document.blocks:
        if block.kind not in ("paragraph", "item"):
            continue
        for start, end in sentences(document.text, block.span.start, block.span.end):
            text = re.sub(r"^(?:[-*+]|\d+[.)])\s+", "", document.text[start:end])
            if 6 <= len(text.split()) <= 45 and text[-1] in ".!?" and text[0].isupper() and language_of(text):
                yield text


def pairs_of(documents: Mapping[str, Document], most: int) -> list[Pair]:
    """Pairs in every typographic form of sentences spread over the documents."""
    chosen = spread(
        [(name, text) for name, each in documents.items() for text in dict.fromkeys(sentences_of(each))], most
    )
    pairs: list[Pair] = []
    for number, (name, text) in enumerate(chosen):
        plain = without_markdown(text)
        pairs.append(Pair("as it stands", plain, ((text, name),)))
        pairs.append(Pair("typography", plain, ((typography(text, number), name),)))
        pairs.append(Pair("re-flowed", plain, ((reflowed(text, number), name),)))
        if plain != text:
            pairs.append(Pair("without Markdown", plain, ((plain, name),)))
        left_out = with_ellipsis(plain)
        if left_out:
            pairs.append(Pair("ellipsis", left_out.replace(" [...] ", " "), ((left_out, name),)))
        slipped = with_slip(plain)
        if slipped:
            pairs.append(Pair("slip of spelling", plain, ((slipped, name),)))
        part = first_clause(plain)
        if part:
            pairs.append(Pair("part of the quote", part, ((text, name),)))
    return pairs


def spread(items: Sequence[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    """At most so many, evenly spread."""
    if len(items) <= most:
        return list(items)
    return [items[index * len(items) // most] for index in range(most)]


def without_markdown(text: str) -> str:
    text = re.sub(r"!?\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)", "", text)
    return " ".join(re.sub(r"\n>[ \t]*", "\n", text).split())


def typography(text: str, number: int) -> str:
    """Another typesetter's version of the same sentence."""
    if number % 2:
        text = text.replace("'", "’").replace("fi", "ﬁ").replace(" - ", " – ")
        return text.replace(" ", "\u00a0", 2)
    straight = str.maketrans({"“": '"', "”": '"', "’": "'", "‘": "'", "–": "-", "—": "-", "„": '"', "\u00a0": " "})
    words = text.translate(straight).split(" ")
    longest = max(range(len(words)), key=lambda index: len(words[index]))
    word = words[longest]
    if word.isalpha():
        words[longest] = word[: len(word) // 2] + "\u00ad" + word[len(word) // 2 :]
    return " ".join(words)


def reflowed(text: str, number: int) -> str:
    """Broken into short lines, long words with a hyphen."""
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > 24 + number % 9:
            if word.isalpha() and word.islower() and len(word) > 8:
                lines.append(f"{line} {word[:4]}-".strip())
                line = word[4:]
                continue
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return "\n".join([*lines, line]).strip()


_TELLING = re.compile(
    r"\b(?:not?|never|none|nor|without|cannot|\w+n['’]t|only|except|unless|but|however|although|though|if|instead|rather|"
    r"otherwise|nicht|kein\w*|nie|ohne|nur|außer|aber|jedoch|wenn|falls|sondern|obwohl|statt|weder|doch|sofern|provided|"
    r"nothing|nobody|neither|nichts|lediglich|solely|merely|excluding|just|allerdings|while|verboten|impossible|dagegen|"
    r"fehlt|fehlen|lacks?|unable|forbidden|prohibited)\b",
    re.IGNORECASE,
)


def with_ellipsis(text: str) -> str:
    """The sentence with its middle left out, where the middle says nothing that turns it."""
    words = text.split()
    if len(words) < 14:
        return ""
    third = len(words) // 3
    middle = " ".join(words[third : 2 * third])
    if _TELLING.search(middle) or "." in middle or "…" in text:
        return ""
    return f"{' '.join(words[:third])} [...] {' '.join(words[2 * third :])}"


def with_slip(text: str) -> str:
    """Two letters of one long word in small letters exchanged."""
    words = text.split()
    if len(words) < 8:
        return ""
    for index, word in enumerate(words):
        if word.isalpha() and word.islower() and len(word) >= 9 and word[4] != word[5]:
            words[index] = word[:4] + word[5] + word[4] + word[6:]
            return " ".join(words)
    return ""


def first_clause(text: str) -> str:
    head, mark, _ = text.partition("; ")
    return f"{head}." if mark and len(head.split()) > 5 else ""


def reference_pairs(file: Path) -> Iterator[Pair]:
    """Reference answers that a rule vouches for: in English, every number and at least two thirds of the words of four
    letters and more stand in the quotes, by their first four letters."""
    for line in file.read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        answer = question.get("answer") or ""
        quotes = tuple((each["text"], each["document"]) for each in question["relevant"])
        said = " ".join(text for text, _ in quotes).lower()
        words = re.findall(r"[^\W\d_]{4,}", answer.lower())
        if question["lang"] != "en" or len(words) < 2 or not quotes:
            continue
        known = sum(word[:4] in said for word in words)
        numbers = set(re.findall(r"\d+", answer)) <= set(re.findall(r"\d+", said.replace(",", "")))
        if numbers and 3 * known >= 2 * len(words):
            yield Pair("reference answer", answer, quotes)


def written_pairs(file: Path) -> Iterator[Pair]:
    """Paraphrases, derived statements and translations written for the sample corpus: JSON lines with ``statement`` and
    ``quotes``, a list of texts and documents."""
    for line in file.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        yield Pair(data["kind"], data["statement"], tuple((text, name) for text, name in data["quotes"]))
