"""Which elements of a page a reader sees, and which of those say by themselves that they are no content."""

from __future__ import annotations

from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from pincite.load.html import vocabulary as names

Attributes = dict[str, str | None]

_AROUND_CONTENT = ("main", "article", "section", "blockquote", "figure")
_CONTENT = "h1, main, article, [role=main]"
_BANNERS = frozenset({"div", "section", "aside", "dialog", "form", "p", "ul", "ol", "details"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """``hidden`` shows what the page hides, ``furniture`` its navigation, feet and banners."""

    hidden: bool = False
    furniture: bool = False

    def shows(self, node: LexborNode, name: str, attributes: Attributes) -> bool:
        if not self.hidden and is_hidden(node, name, attributes):
            return False
        if "class" in attributes and _is_gutter(node, attributes["class"] or ""):
            return False
        return self.furniture or not is_furniture(node, name, attributes)


def is_hidden(node: LexborNode, name: str, attributes: Attributes) -> bool:
    """By attribute, by style, or for programs that read aloud only.

    A formula that is hidden behind its picture counts as shown, and so do the panels of tabs, the closed ``details``,
    and what can be found by searching in the page.
    """
    if attributes.get("role") == "tabpanel":
        return False
    if "hidden" in attributes:
        return (attributes["hidden"] or "").lower() != "until-found"
    if (attributes.get("aria-hidden") or "").lower() == "true":
        return True
    if (style := attributes.get("style")) and names.HIDDEN_STYLE.search(style):
        return name != "math" and not any(child.tag == "math" for child in node.iter())
    if name == "dialog":
        return "open" not in attributes
    return bool((own := attributes.get("class")) and names.HIDDEN_CLASS.search(own))


def is_furniture(node: LexborNode, name: str, attributes: Attributes) -> bool:
    """Navigation, the head and foot of the page (not those of an article in it), search, banners about cookies."""
    if name == "nav" or (attributes.get("role") or "") in names.NAVIGATION_ROLES:
        return name not in ("body", "main")
    if name == "footer":
        return not _is_inside(node, _AROUND_CONTENT)
    if name == "header" or attributes.get("role") == "banner":
        page_head = node.parent is None or node.parent.tag == "body" or attributes.get("role") == "banner"
        return page_head and node.css_first(_CONTENT) is None
    if name in _BANNERS:
        for key in ("id", "class"):
            value = attributes.get(key)
            if value and names.NOTICE_CLASS.search(value):
                return node.css_first(_CONTENT) is None
            if value and names.CONTENTS_CLASS.search(value) and _is_mostly_links(node):
                return True
    return False


def _is_mostly_links(node: LexborNode) -> bool:
    links = sum(len(link.text()) for link in node.css("a[href]"))
    return 2 * links > len(node.text())


def _is_gutter(node: LexborNode, own: str) -> bool:
    """Line numbers: elements called so, unless they have letters."""
    return bool(names.GUTTER_CLASS.search(own)) and not any(map(str.isalpha, node.text()))


def _is_inside(node: LexborNode, around: tuple[str, ...]) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag in around:
            return True
        parent = parent.parent
    return False
