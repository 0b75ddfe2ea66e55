"""Pages made to exhaust the parser, made harmless before it sees them; ordinary ones pass as they are.

The parser's time grows with the square of the nesting, of the attributes of one tag and of the formatting elements
that are left open (its memory, too), and it falls over deeply nested templates. No text is lost: tags go, not what
stands between them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

MOST_NESTED = 500
"""As many levels as browsers keep."""
_MOST_ATTRIBUTES = 200
_TAGS_UNSUSPICIOUS = 10_000
_LONG_TAG = 2048
_STRETCH = re.compile(rf"<(?![!?])[^<]{{{_LONG_TAG}}}")
_TEMPLATES_UNSUSPICIOUS = 50
_TEMPLATE = re.compile("<template", re.IGNORECASE)
_CLONES_UNSUSPICIOUS = 2_000_000

_FORMATTING = frozenset(["b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"])
_FORMATTING_TAG = re.compile(r"<(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[\s/>]", re.IGNORECASE)
# Elements that end by themselves, or hold nothing: leaving them open nests nothing.
_UNNESTED = frozenset(
    [
        "a",
        "area",
        "base",
        "br",
        "col",
        "colgroup",
        "dd",
        "dt",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "keygen",
        "li",
        "link",
        "meta",
        "optgroup",
        "option",
        "p",
        "param",
        "rp",
        "rt",
        "source",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "track",
        "wbr",
        "html",
        "head",
        "body",
    ]
)
_RAW = frozenset(
    ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext"]
)
_FOREIGN = ("svg", "math")
_SCOPES = frozenset(["table", "svg", "math", "object", "applet", "marquee", "button", "select", "x-template"])
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)

_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<[!?][^>]*+>?"
    r"|<(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)"
    r"(?P<attributes>(?:[\s/]++|[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+)?)?)*+)(?:>|\Z)",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+)?)?")
_SELF_CLOSED = re.compile(r"<([a-zA-Z][\w:.-]*)((?:\s[^<>]*?)?)/>")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_PROLOG = 4096
_IS_XML = re.compile(
    r"\s*+<\?xml|\s*+(?:<!--.*?-->\s*+)*+(?:<!DOCTYPE[^>]*>\s*+)?<(?:\w+:)?html\b[^>]*xmlns\s*=",
    re.DOTALL | re.IGNORECASE,
)
_DOCTYPE = re.compile("<!DOCTYPE", re.IGNORECASE)
# A document type with declarations of its own between brackets. HTML knows none and would show what is after the first
# ">"; nothing that they declare is believed.
_SUBSET = re.compile(
    r"""<!DOCTYPE(?:"[^"]*+"|'[^']*+'|[^\[>"'])*+\[(?:<!--.*?-->|<\?.*?\?>|"[^"]*+"|'[^']*+'|[^\]"'])*+\]\s*+>""",
    re.DOTALL | re.IGNORECASE,
)


def as_html(text: str, *, xhtml: bool = False) -> str:
    """XHTML with its short forms (``<a id="x"/>``, ``<title/>``) written out, which HTML would leave open, and without
    the declarations of its document type. ``xhtml`` says that it is some; else its start has to.

    >>> as_html('<?xml version="1.0"?><title/><br/>')
    '<?xml version="1.0"?><title></title><br/>'
    """
    if not xhtml and not _IS_XML.match(text[:_PROLOG]):
        return text
    doctype = _DOCTYPE.search(text, 0, _PROLOG)
    if doctype and (subset := _SUBSET.match(text, doctype.start())):
        text = text[: doctype.start()] + text[subset.end() :]
    text = _CDATA.sub(lambda match: match[1].replace("&", "&amp;").replace("<", "&lt;"), text)
    return _SELF_CLOSED.sub(
        lambda match: match[0] if match[1].lower() in _VOID else f"<{match[1]}{match[2]}></{match[1]}>", text
    )


def tamed(text: str) -> str:
    """The page with a bounded nesting, a bounded number of attributes, and without formatting where it is left open."""
    if not _is_suspicious(text):
        return text
    return "".join(_Taming(text).pieces())  # most often one piece: only what is changed is cut out


def _is_suspicious(text: str) -> bool:
    tags = text.count("<")
    if tags > _TAGS_UNSUSPICIOUS or len(_TEMPLATE.findall(text)) > _TEMPLATES_UNSUSPICIOUS:
        return True
    if tags > 1000 and len(_FORMATTING_TAG.findall(text)) * tags > _CLONES_UNSUSPICIOUS:
        return True
    for stretch in _STRETCH.finditer(text):
        tag = _TAG.match(text, stretch.start())
        if tag is None or len(tag["attributes"]) > _LONG_TAG:
            return True
    return False


class _Taming:
    def __init__(self, text: str) -> None:
        self.text = text
        self.depth = 0
        # Open elements by name, one count for each scope that end tags cannot reach out of.
        self.scopes: list[tuple[str, Counter[str]]] = [("", Counter())]
        self.foreign = 0
        self.strips = len(_FORMATTING_TAG.findall(text)) * text.count("<") > _CLONES_UNSUSPICIOUS
        self.renames = len(_TEMPLATE.findall(text)) > _TEMPLATES_UNSUSPICIOUS

    def pieces(self) -> Iterator[str]:
        text, position, copied = self.text, 0, 0
        while tag := _TAG.search(text, position):
            position = tag.end()
            name = (tag["name"] or "").lower()
            if not name:
                continue
            if name == "template" and self.renames:
                name = "x-template"
            kept = self._kept(tag, name)
            if kept is not None:
                yield text[copied : tag.start()]
                yield kept
                copied = position
            # In a drawing or a formula these are elements like any other.
            if name in _RAW and not tag["end"] and not self.foreign:
                end = re.compile(f"</{name}(?=[\\s/>])", re.IGNORECASE).search(text, position)
                position = end.start() if end else len(text)
        yield text[copied:]

    def _kept(self, tag: re.Match[str], name: str) -> str | None:
        """What the tag becomes, empty where it goes, ``None`` where it stays as it is."""
        if self.strips and name in _FORMATTING:
            return ""
        if tag["end"]:
            self._close(name)
            return f"</{name}>" if tag["attributes"] or name == "x-template" else None
        if name not in _UNNESTED and (self.foreign or name not in _RAW) and not self._open(name):
            return ""
        attributes = tag["attributes"]
        if len(attributes) > 2 * _MOST_ATTRIBUTES:
            kept = _ATTRIBUTE.findall(attributes)
            if len(kept) > _MOST_ATTRIBUTES:
                return f"<{name} {' '.join(kept[:_MOST_ATTRIBUTES])}>"
        return f"<{name}>" if name == "x-template" else None

    def _open(self, name: str) -> bool:
        if self.depth >= MOST_NESTED:
            return False
        self.depth += 1
        if name in _SCOPES:
            self.scopes.append((name, Counter()))
            self.foreign += name in _FOREIGN
        else:
            self.scopes[-1][1][name] += 1
        return True

    def _close(self, name: str) -> None:
        if name in _SCOPES:
            if any(scope == name for scope, _ in self.scopes):
                while True:
                    scope, counts = self.scopes.pop()
                    self.depth -= 1 + counts.total()
                    self.foreign -= scope in _FOREIGN
                    if scope == name:
                        return
        elif self.scopes[-1][1][name] > 0:
            self.scopes[-1][1][name] -= 1
            self.depth -= 1
