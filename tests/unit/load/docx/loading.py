"""Loads documents made for one test."""

from __future__ import annotations

from tools.make_golden_docx import docx

from pincite.load.docx.loader import DocxLoader
from pincite.model import Document, Source


def load(body: str, *, loader: DocxLoader | None = None, core: str = "", **parts: str) -> Document:
    data = docx(body, parts=parts, core=core)
    return (loader or DocxLoader()).load(Source("a.docx", data))


def text_of(body: str, *, loader: DocxLoader | None = None, **parts: str) -> str:
    return load(body, loader=loader, **parts).text


def headings(document: Document) -> list[tuple[int, str]]:
    return [(block.level, block.title) for block in document.blocks if block.kind == "heading"]


def notices(document: Document) -> list[str]:
    return [warning.kind for warning in document.warnings]
