"""Formulas: the TeX that a page carries beside or inside of them."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

_DISPLAY_STYLE = re.compile(r"\{\\(?:displaystyle|textstyle)\s*(.*)\}", re.DOTALL)


def formula(node: LexborNode) -> str:
    r"""The TeX of a ``math`` element between dollar signs; empty where it carries none.

    >>> from selectolax.lexbor import LexborHTMLParser
    >>> formula(LexborHTMLParser(r'<math alttext="{\displaystyle a^{2}}"><mi>a</mi></math>').css_first("math"))
    '$a^{2}$'
    """
    source = node.attributes.get("alttext") or ""
    annotation = node.css_first('annotation[encoding*="tex"]')
    if annotation is not None:
        source = annotation.text() or source
    source = " ".join(source.split())
    if match := _DISPLAY_STYLE.fullmatch(source):
        source = match[1].strip()
    return f"${source}$" if source else ""
