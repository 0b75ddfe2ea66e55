"""Foot- and endnotes: which elements are one or hold several, what a note is called, which links lead back from it."""

from __future__ import annotations

import re
from typing import Literal

from selectolax.lexbor import LexborNode

from pincite.load.html.visible import Attributes
from pincite.load.writer import LINE_BREAK

_ROLES = {"doc-footnote": "note", "doc-endnote": "note", "doc-endnotes": "notes"}
_TYPES = {
    **dict.fromkeys(("footnote", "endnote", "rearnote"), "note"),
    **dict.fromkeys(("footnotes", "endnotes", "rearnotes"), "notes"),
}
# One note, as AsciiDoc and offices write it, or with a list in it all of them, as Python-Markdown does.
_NOTE_CLASS = re.compile(r"(?:^|\s)(?:footnote|endnote|sdfootnote|sdendnote|MsoFootnoteText|MsoEndnoteText)(?=\s|$)")
_NOTES_CLASS = re.compile(r"(?:^|\s)(?:footnotes|endnotes|footnote-list)(?=\s|$)")
_REFERENCES_CLASS = re.compile(r"(?:^|\s)references(?=\s|$)")
_BACK_CLASS = re.compile(r"(?:^|\s)(?:footnote-back\w*|data-footnote-backref|fn-backref|reversefootnote)(?=\s|$)")
_REFERENCE_CLASS = re.compile(r"(?:^|\s)(?:data-)?footnote-?(?:ref|reference)(?=\s|$)", re.IGNORECASE)
_LISTS = ("ol", "ul", "dl")

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LABEL = re.compile(r"\d{1,4}|[a-zA-Z]|[ivxl]{1,6}|[*†‡§¶#]{1,4}")
_WRITTEN_LABEL = re.compile(
    rf"\s*(?:[\[(](?P<bracketed>[^\s\])]{{1,12}})[\])]|(?P<raised>[⁰¹²³⁴-⁹]{{1,4}})|(?P<sign>[*†‡]{{1,4}}))[\s{LINE_BREAK}]*"
)
_AFTER_LABEL = re.compile(rf"[\s{LINE_BREAK}]*[\])]?[.:]?[\s{LINE_BREAK}]*")


def note_kind(node: LexborNode, name: str, attributes: Attributes) -> Literal["", "note", "notes"]:
    """Whether a block element is a note or holds notes; empty where it is neither."""
    stated = _ROLES.get(attributes.get("role") or "") or next(
        (_TYPES[word] for word in (attributes.get("epub:type") or "").split() if word in _TYPES), ""
    )
    own = attributes.get("class") or ""
    if stated == "note":
        return "note"
    if own and _NOTE_CLASS.search(own):
        return "notes" if name == "dl" or any(child.tag in _LISTS for child in node.iter()) else "note"
    if stated or "data-footnotes" in attributes or (own and _NOTES_CLASS.search(own)):
        return "notes"
    return "notes" if name in _LISTS and _lists_notes(node, own) else ""


def _lists_notes(node: LexborNode, own: str) -> bool:
    """As in MediaWiki by its class, else by what its first item says."""
    if own and _REFERENCES_CLASS.search(own):
        return True
    first = next(node.iter(), None)
    return first is not None and first.tag == "li" and note_kind(first, "li", first.attributes) == "note"


def leads_back(attributes: Attributes) -> bool:
    """Whether a link says that it leads from a note back to its reference."""
    return (
        attributes.get("role") == "doc-backlink"
        or "backlink" in (attributes.get("epub:type") or "")
        or _BACK_CLASS.search(attributes.get("class") or "") is not None
    )


def leads_to_note(attributes: Attributes) -> bool:
    """Whether a link says that it is the reference to a note."""
    return (
        attributes.get("role") == "doc-noteref"
        or "noteref" in (attributes.get("epub:type") or "")
        or _REFERENCE_CLASS.search(attributes.get("class") or "") is not None
    )


def label_of(text: str) -> str:
    """The label that a link at the start of a note shows; empty where it is none.

    >>> label_of("[12]"), label_of("*"), label_of("see there")
    ('12', '*', '')
    """
    label = text.strip("[]().: ").translate(_RAISED)
    return label if _LABEL.fullmatch(label) else ""


def labelled(text: str, label: str) -> tuple[str, str]:
    """The label of a note and its text without it; ``label`` is what a link said that has been taken off its start.

    >>> labelled(". A *tide* table", "2"), labelled("[3] A log", ""), labelled("3 logs", "")
    (('2', 'A *tide* table'), ('3', 'A log'), ('', '3 logs'))
    """
    if label:
        after = _AFTER_LABEL.match(text)
        return label, text[after.end() :] if after else text
    written = _WRITTEN_LABEL.match(text)
    if written is None or written.end() == len(text):
        return "", text
    return (written["bracketed"] or written["sign"] or written["raised"].translate(_RAISED)), text[written.end() :]
