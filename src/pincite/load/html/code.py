"""Code: its language, and the tables that only lay out its lines."""

from __future__ import annotations

import re

from pincite.load.html.steps import Elements

CODE_TABLE = re.compile(r"(?:^|\s)(?:hljs-ln|js-file-line-container|diff-table|rouge-line-table)(?=\s|$)")
BLANK_ENDS = re.compile(r"\A(?:[^\S\n]*\n)+|\s+\Z")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-(?:source-|text-)?|brush:\s*|sourceCode\s+)([\w+#.-]+)")
_NO_LANGUAGE = frozenset(
    ["none", "text", "default", "plain", "plaintext", "notranslate", "nohighlight", "wrapper", "container"]
)


def language_of(elements: Elements, element: int) -> str:
    """What the element of the code, those inside or the next two around it say."""
    parent = elements.parents[element]
    inside = range(element + 1, min(element + 4, len(elements)))
    for index in (element, *inside, parent, elements.parents[parent]):
        attributes = elements.attributes[index]
        own = attributes.get("data-lang") or attributes.get("data-language") or ""
        if not own and (match := _LANGUAGE.search(attributes.get("class") or "")):
            own = match[1]
        if own.strip() and own.lower() not in _NO_LANGUAGE:
            return own.split()[0].lower()
    return ""
