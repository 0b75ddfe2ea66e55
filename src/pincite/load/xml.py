"""XML of parts inside archives, read with everything off that could reach outside or blow up.

No document type (so no entities of its own), no network, no comments or processing instructions in the tree. libxml2
refuses more than 256 levels and text nodes of more than 10 million characters; walks over the tree may recurse.
"""

from __future__ import annotations

import codecs
import re
from typing import Literal

from lxml import etree

from pincite.errors import LoadError

Element = etree._Element
"""lxml publishes no other name for the type of its elements."""

MOST_ELEMENTS = 5_000_000

# What may stand before the root element; possessive, so that no prolog costs more than one look at it.
_DOCTYPE = re.compile(rb"(?:\s|<\?.*?\?>|<!--.*?-->)*+<!DOCTYPE", re.DOTALL)
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_RESOURCE_LIMIT = 114  # XML_ERR_RESOURCE_LIMIT of libxml2: too deep, too long, too much


def parse_xml(data: bytes, *, path: str, part: str, max_elements: int = MOST_ELEMENTS) -> Element:
    """The root element. ``path`` is the file and ``part`` the member, for messages.

    Raises ``LoadError``: ``unsafe`` (a document type, or nested too deep), ``too_large``, ``corrupt``.

    >>> parse_xml(b"<a><b/></a>", path="x.docx", part="word/document.xml").tag
    'a'
    """
    refuse_doctype(data, path=path, part=part)
    if data.count(b"<") > 2 * max_elements:
        raise _error(path, f"{part!r} has more than {max_elements:,} elements", "too_large")
    try:
        root = etree.fromstring(data, _parser())
    except etree.XMLSyntaxError as error:
        kind: Literal["unsafe", "corrupt"] = "unsafe" if error.code == _RESOURCE_LIMIT else "corrupt"
        raise _error(path, f"{part!r} cannot be read ({error.msg})", kind) from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise _error(path, f"{part!r} declares a document type", "unsafe")
    return root


def refuse_doctype(data: bytes, *, path: str, part: str) -> None:
    """Raises ``LoadError`` of kind ``unsafe`` where the document declares a type: for XML that another reader gets."""
    if _has_doctype(data):
        raise _error(path, f"{part!r} declares a document type", "unsafe")


def _parser() -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )


def _has_doctype(data: bytes) -> bool:
    """Before the parser sees it: libxml2 expands entities in attributes while it reads."""
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    head = data[len(mark) :]
    if (
        b"\0" in head[:4]
    ):  # UTF-16 with or without its mark: the letters of a declaration are ASCII in every second byte
        head = head.replace(b"\0", b"")
    return _DOCTYPE.match(head) is not None


def _error(path: str, problem: str, kind: str) -> LoadError:
    return LoadError(problem, cure="Check where the file comes from.", kind=kind, file=path)
