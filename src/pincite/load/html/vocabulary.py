"""What the names of HTML mean to a reader: which elements are blocks, which are never shown, which words in a class
say that an element is no content."""

from __future__ import annotations

import re

SKIPPED = frozenset(
    [
        "applet",
        "area",
        "audio",
        "base",
        "button",
        "canvas",
        "command",
        "datalist",
        "embed",
        "frame",
        "frameset",
        "head",
        "iframe",
        "input",
        "keygen",
        "link",
        "meta",
        "meter",
        "noembed",
        "noframes",
        "noscript",
        "object",
        "option",
        "optgroup",
        "output",
        "param",
        "progress",
        "rp",
        "script",
        "select",
        "source",
        "style",
        "svg",
        "template",
        "textarea",
        "title",
        "track",
        "video",
        "x-template",
    ]
)
"""Never text: scripts, controls of forms, things that play or are drawn."""

EMPTY = frozenset({"br", "hr", "img", "input", "script", "wbr"})
"""Without content of their own, but not without meaning."""
TEXTLESS = EMPTY | SKIPPED | {"label"}
"""What gives no text of its own, mostly: a ``label`` is one in a form only."""

BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "body",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "header",
        "hgroup",
        "hr",
        "html",
        "legend",
        "li",
        "listing",
        "main",
        "menu",
        "nav",
        "ol",
        "optgroup",
        "p",
        "plaintext",
        "pre",
        "search",
        "section",
        "summary",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "tr",
        "td",
        "th",
        "ul",
        "xmp",
        "blockquote",
        "caption",
        "colgroup",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
    ]
)
"""Elements that end the paragraph before them; all others are part of the running text."""

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
LISTS = frozenset({"ul", "ol", "menu", "dir"})
CODE = frozenset({"pre", "listing", "xmp", "plaintext"})
CONTAINERS = frozenset({"body", "main", "article", "section", "div", "td", "tbody", "tr", "table", "form", "center"})
"""What can be the element around the main content; a list or a paragraph never is."""

HIDING_ATTRIBUTES = frozenset({"hidden", "aria-hidden", "style", "class", "role", "id"})
HIDING_ELEMENTS = frozenset({"nav", "header", "footer", "dialog"})
HIDDEN_STYLE = re.compile(r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))", re.IGNORECASE)
HIDDEN_CLASS = re.compile(
    r"(?:^|\s)(?:sr-only|visually-?hidden|screen-?reader(?:-text|-only)?|mw-editsection|skip-?(?:link|nav|to-content)"
    r"|mw-cite-backlink|backrefs)"
    r"(?=\s|$)"
)
"""For programs that read aloud, or for editors of the page: not seen by readers."""
GUTTER_CLASS = re.compile(
    r"(?:^|\s)(?:linenos?|linenodiv|line-?numbers?(?:-rows)?|gutter|rouge-gutter|hljs-ln-numbers|blob-num|"
    r"code-line-?numbers?|lnt|ln)(?=\s|$)"
)
"""The numbers beside the lines of code."""

NOTICE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:cookies?[_-]?(?:banner|bar|box|consent|disclaimer|info|law|layer|message|modal|notice|notification"
    r"|overlay|panel|policy-banner|popup|warning)|(?:eu|gdpr|dsgvo)[_-]?(?:cookie|consent|banner)s?|consent[_-]?(?:banner"
    r"|box|layer|manager|modal|notice|popup)|onetrust|usercentrics|cookiebot|cybotcookiebot|didomi|cmpbox)",
    re.IGNORECASE,
)
"""Banners about cookies and consent."""
CONTENTS_CLASS = re.compile(r"(?:^|\s)(?:toc|table-?of-?contents)(?=\s|$)", re.IGNORECASE)
"""The headings of the page once more, as links."""
DEBRIS_CLASS = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navbox|navigation|menu|breadcrumbs?|sidebar|side-?nav|pagination|pager|prev-?next|"
    r"toolbar|share|sharing|sharedaddy|social|sociable|related|relatedposts|recommended|recommendations|teasers?|"
    r"comments?|commentlist|respond|reply|advert|advertisement|ads|adsbygoogle|sponsored|promo|newsletter|subscribe|"
    r"signup|login|widget|cookies?|consent|footer|catlinks|printfooter|noprint|byline|author-?(?:bio|box|info)|"
    r"post-?meta|entry-?meta|tags?-?(?:list|links|cloud)|popular|trending|feedback|edit-?(?:link|page)|mw-jump-link|"
    r"toc|table-of-contents|skip)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""Second evidence only: believed where trafilatura, too, leaves the element out."""

NAVIGATION_ROLES = frozenset({"navigation", "search", "contentinfo", "menu", "menubar", "alertdialog"})
SKIP_LINK = re.compile(
    r"\W*(?:skip (?:directly )?(?:to|over)\b|jump to (?:content|main|navigation|search)"
    r"|(?:direkt )?zum (?:haupt)?inhalt|springe? zu[mr]? (?:inhalt|haupt|navi|suche)"
    r"|(?:aller|accéder|passer) (?:directement )?au contenu"
    r"|(?:saltar|ir) al contenido|vai al contenuto|(?:back )?to (?:the )?top\b|nach oben\b)",
    re.IGNORECASE,
)
BACK_LINKS = frozenset(["↩", "↩︎", "↑", "⤴", "⤴︎", "↵", "^", "⇑", "⬆", "⏎"])
PERMALINK_SIGNS = frozenset(["¶", "#", "§", "🔗", "∞", "⚓"])
PERMALINK = re.compile(
    r"(?:[^\w]*|permalink|(?:direct )?link(?: to (?:this |the )?(?:heading|section|headline|title|.*))?|anchor|"
    r"copy link)",
    re.IGNORECASE,
)
"""The whole text of a link beside a heading that leads to the heading itself."""

UNSEEN = {0: None, 0xAD: None, 0x200B: None, 0x2060: None, 0xFEFF: None}
"""Characters that only say where a line may break, marks of byte order, and NUL."""
