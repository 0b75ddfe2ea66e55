"""Characters of the fonts Symbol and Wingdings, which have numbers of their own, as Unicode."""

from __future__ import annotations

import re

PRIVATE = re.compile("[\uf020-\uf0ff]")
"""Where Word puts the characters of symbol fonts when they stand in ordinary text."""

# The encoding of Adobe's font Symbol: the upper half of ASCII first, then from A0. A blank is no character.
_SYMBOL_LOW = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼ "
_SYMBOL_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…│─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ ⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭ "
_SYMBOL = {
    **{0x20 + index: character for index, character in enumerate(_SYMBOL_LOW) if character != " "},
    **{0xA0 + index: character for index, character in enumerate(_SYMBOL_HIGH) if character != " "},
}
_WINGDINGS = {
    0x22: "✂",
    0x28: "☎",
    0x2A: "✉",
    0x36: "⌛",
    0x3F: "✍",
    0x41: "✌",
    0x46: "☞",
    0x4A: "☺",
    0x4C: "☹",
    0x4E: "☠",
    0x52: "☼",
    0x54: "❄",
    0x6C: "●",
    0x6D: "❍",
    0x6E: "■",
    0x6F: "□",
    0x71: "❑",
    0x72: "❒",
    0x73: "⬧",
    0x74: "⧫",
    0x75: "◆",
    0x76: "❖",
    0x77: "⬥",
    0x7B: "❀",
    0x9E: "·",
    0x9F: "•",
    0xA1: "○",
    0xA7: "▪",
    0xA8: "◻",
    0xAB: "★",
    0xB2: "⟡",
    0xD5: "⌫",
    0xD8: "➢",
    0xDC: "➲",
    0xDF: "←",
    0xE0: "→",
    0xE1: "↑",
    0xE2: "↓",
    0xE8: "➔",
    0xEF: "⇦",
    0xF0: "⇨",
    0xF1: "⇧",
    0xF2: "⇩",
    0xF3: "⬄",
    0xFB: "✗",
    0xFC: "✓",
    0xFD: "☒",
    0xFE: "☑",
    **{0x80 + digit: chr(0x2460 + digit - 1) if digit else "⓪" for digit in range(11)},
    **{0x8B + digit: chr(0x2776 + digit - 1) if digit else "⓿" for digit in range(11)},
}
_WINGDINGS_2 = {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x97: "●", 0xA3: "□", 0x98: "⬤"}
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2}


def symbol(font: str, code: str) -> str:
    """The character of ``w:sym`` with that font and hexadecimal code, empty where it has none in Unicode.

    >>> symbol("Symbol", "F06D"), symbol("Wingdings", "F0FC"), symbol("Arial", "2713"), symbol("Webdings", "F061")
    ('μ', '✓', '✓', '')
    """
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    table = _FONTS.get(font.strip().casefold())
    if 0xF000 <= number <= 0xF0FF or (table and number <= 0xFF):
        return (table or {}).get(number & 0xFF, "")
    known = 0x20 <= number <= 0x10FFFF and not (0xD800 <= number <= 0xDFFF or 0xE000 <= number <= 0xF8FF)
    return chr(number) if known else ""
