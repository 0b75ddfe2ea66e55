"""The core properties of an Office file as metadata."""

from __future__ import annotations

import re

from pincite.load.normalise import one_line
from pincite.load.xml import Element
from pincite.model import MetadataValue

_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?=[-_]|$)")
# What python-docx leaves in every document that nobody told better.
_OF_A_TEMPLATE = ("python-docx", "2013-12-23T23:15:00Z")
_SEPARATORS = re.compile(r"[;,]")


def core_metadata(root: Element | None) -> dict[str, MetadataValue]:
    """``title``, ``authors`` (between semicolons), ``date`` (of the last change, else of the making), ``language``,
    ``version`` and ``keywords``, as far as the file says them in the form that these have."""
    texts: dict[str, str] = {}
    for element in root if root is not None else ():
        local = str(element.tag).rpartition("}")[2]
        texts.setdefault(local, one_line("".join(element.itertext())))
    texts = {local: text for local, text in texts.items() if text not in _OF_A_TEMPLATE}
    metadata: dict[str, MetadataValue] = {}
    for name in ("title", "version"):
        if texts.get(name):
            metadata[name] = texts[name]
    if authors := _several(texts.get("creator", "").split(";")):
        metadata["authors"] = authors
    dates = [texts.get(name, "") for name in ("modified", "created")]
    if date := next((date for date in dates if _DATE.fullmatch(date)), ""):
        metadata["date"] = date
    if language := _LANGUAGE.match(texts.get("language", "")):
        metadata["language"] = language[0].lower()
    if keywords := _several(_SEPARATORS.split(texts.get("keywords", ""))):
        metadata["keywords"] = keywords
    return metadata


def _several(texts: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))
