"""What a page says of itself in its head."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from pincite.model import MetadataValue

_TITLES = ("og:title", "dc.title", "dcterms.title", "twitter:title")
_DESCRIPTIONS = ("description", "og:description", "dc.description", "dcterms.description")
_PUBLISHED = (
    *("article:published_time", "datepublished", "dcterms.issued", "dc.date.issued", "dcterms.created", "dc.date"),
    *("dcterms.date", "date", "pubdate", "citation_publication_date"),
)
_MODIFIED = ("article:modified_time", "dcterms.modified", "datemodified", "last-modified")
_AUTHORS = ("author", "article:author", "dc.creator", "dcterms.creator", "citation_author")
_VERSIONS = ("version", "docsearch:version", "dcterms.hasversion")
_LANGUAGE = re.compile(r"\s*([a-zA-Z]{2,3})(?:[-_][\w-]*)?\s*(?:,|$)")
_MOST_JSON = 200_000


def metadata_of(page: LexborHTMLParser) -> dict[str, MetadataValue]:
    """``title``, ``description``, ``authors``, ``date`` (ISO 8601), ``language``, ``version``, and ``url``, the
    canonical address; each only where the page states it."""
    named = _named(page)
    structured = _structured(page)
    found: dict[str, MetadataValue] = {
        "title": _title(page) or _first(named, _TITLES),
        "description": _first(named, _DESCRIPTIONS),
        "language": _language(page, named),
        "date": next(iter(_dates(page, named, structured)), ""),
        "version": _first(named, _VERSIONS),
        "url": _url(page, named),
        "authors": _authors(named, structured),
    }
    return {name: value for name, value in found.items() if value}


def _words(text: str | None) -> str:
    return " ".join((text or "").split())


def _named(page: LexborHTMLParser) -> dict[str, list[str]]:
    """The contents of the ``meta`` elements by their names in lower case."""
    named: dict[str, list[str]] = {}
    for meta in page.css("meta[content]"):
        attributes = meta.attributes
        content = _words(attributes.get("content"))
        for key in ("name", "property", "itemprop", "http-equiv"):
            if content and (name := attributes.get(key)):
                named.setdefault(name.strip().lower(), []).append(content)
    return named


def _first(named: dict[str, list[str]], wanted: tuple[str, ...]) -> str:
    return next((named[name][0] for name in wanted if name in named), "")


def _title(page: LexborHTMLParser) -> str:
    title = page.css_first("head title")
    return _words(title.text()) if title is not None else ""


def _language(page: LexborHTMLParser, named: dict[str, list[str]]) -> str:
    attributes = page.root.attributes if page.root is not None else {}
    stated = (attributes.get("lang"), attributes.get("xml:lang"), *named.get("content-language", ()))
    for own in (*stated, *named.get("dc.language", ()), *named.get("dcterms.language", ())):
        if match := _LANGUAGE.match(own or ""):
            return match[1].lower()
    return ""


def _dates(page: LexborHTMLParser, named: dict[str, list[str]], structured: list[dict[str, Any]]) -> Iterator[str]:
    stated: list[object] = [value for name in _PUBLISHED for value in named.get(name, ())]
    stated += [item.get("datePublished") for item in structured]
    stated += [time.attributes.get("datetime") for time in page.css("time[pubdate], time[itemprop=datePublished]")]
    stated += [value for name in _MODIFIED for value in named.get(name, ())]
    for value in stated:
        if isinstance(value, str) and (date := iso_date(value)):
            yield date


def iso_date(text: str) -> str:
    """The date in ISO 8601, with its time if it has one; empty for what is no such date.

    >>> iso_date("2024-03-01T10:00:00Z"), iso_date("2024/3/1"), iso_date("last week")
    ('2024-03-01T10:00:00+00:00', '2024-03-01', '')
    """
    text = text.strip()
    if match := re.fullmatch(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", text):
        text = f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}"
    if not re.match(r"\d{4}-", text):
        return ""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return ""
    return when.date().isoformat() if len(text) == 10 else when.isoformat()


def _authors(named: dict[str, list[str]], structured: list[dict[str, Any]]) -> tuple[str, ...]:
    for name in _AUTHORS:
        if own := [value for value in named.get(name, ()) if not value.startswith(("http:", "https:"))]:
            return tuple(dict.fromkeys(own))
    found: list[str] = []
    for item in structured:
        people = item.get("author")
        for person in people if isinstance(people, list) else [people]:
            called: Any = person.get("name") if isinstance(person, dict) else person
            found.append(_words(called) if isinstance(called, str) else "")
    return tuple(filter(None, dict.fromkeys(found)))


def _url(page: LexborHTMLParser, named: dict[str, list[str]]) -> str:
    link = page.css_first("link[rel=canonical][href]")
    canonical = link.attributes.get("href") if link is not None else ""
    return next(
        (url for url in map(_words, (canonical, *named.get("og:url", ()))) if url.startswith(("https://", "http://"))),
        "",
    )


def _structured(page: LexborHTMLParser) -> list[dict[str, Any]]:
    """The things that the page describes in JSON-LD; what cannot be read is left out."""
    items: list[dict[str, Any]] = []
    for script in page.css('script[type="application/ld+json"]')[:10]:
        try:
            data = json.loads((script.text() or "")[:_MOST_JSON])
        except (ValueError, RecursionError):
            continue
        for item in data if isinstance(data, list) else [data]:
            graph = item.get("@graph") if isinstance(item, dict) else None
            items += [one for one in (graph if isinstance(graph, list) else [item]) if isinstance(one, dict)]
    return items
