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

    def is_loss(self, node: LexborNode, name: str, attributes: Attributes) -> bool:
        """Whether an element that is not shown is hidden text to tell of: no furniture, and not hidden by custom."""
        if "class" in attributes and _is_gutter(node, attributes["class"] or ""):
            return False
        return is_unseen(node, name, attributes) and (self.furniture or not is_furniture(node, name, attributes))


def is_hidden(node: LexborNode, name: str, attributes: Attributes) -> bool:
    """By attribute, by style, or for programs that read aloud only.

    The panels of tabs, the closed ``details``, and what can be found by searching in the page count as shown. What is
    not to be read aloud (``aria-hidden``) may be seen, but is the double of something else: the parts of a formula, an
    icon, a closed dialog. What is read aloud only (``sr-only`` and the like) says what the page shows in another way
    ("opens in a new window"); a reader of the page never sees it, so it is no content either.
    """
    if attributes.get("role") == "tabpanel":
        return False
    if "hidden" not in attributes and (attributes.get("aria-hidden") or "").lower() == "true":
        return True
    if "hidden" in attributes or ((style := attributes.get("style")) and names.HIDDEN_STYLE.search(style)):
        return is_unseen(node, name, attributes)
    if name == "dialog":
        return "open" not in attributes
    return bool((own := attributes.get("class")) and names.HIDDEN_CLASS.search(own))


def is_unseen(node: LexborNode, name: str, attributes: Attributes) -> bool:
    """By the attribute for it or the style of the element. A formula that is hidden behind its picture counts as
    shown."""
    if "hidden" in attributes:
        return (attributes["hidden"] or "").lower() != "until-found"
    style = attributes.get("style")
    return bool(style and names.HIDDEN_STYLE.search(style)) and not has_formula(node, name)


def has_formula(node: LexborNode, name: str) -> bool:
    return name == "math" or any(child.tag == "math" for child in node.iter())


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
