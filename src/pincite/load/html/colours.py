"""Colours of CSS and of old attributes, as far as they are said outright."""

from __future__ import annotations

import re
from functools import lru_cache

Colour = tuple[int, int, int]

NAMES: dict[str, Colour] = {
    "white": (255, 255, 255),
    "black": (0, 0, 0),
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255),
    "floralwhite": (255, 250, 240),
    "mintcream": (245, 255, 250),
    "azure": (240, 255, 255),
    "whitesmoke": (245, 245, 245),
    "aliceblue": (240, 248, 255),
    "silver": (192, 192, 192),
    "lightgray": (211, 211, 211),
    "lightgrey": (211, 211, 211),
    "gainsboro": (220, 220, 220),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "red": (255, 0, 0),
    "maroon": (128, 0, 0),
    "yellow": (255, 255, 0),
    "olive": (128, 128, 0),
    "lime": (0, 255, 0),
    "green": (0, 128, 0),
    "aqua": (0, 255, 255),
    "cyan": (0, 255, 255),
    "teal": (0, 128, 128),
    "blue": (0, 0, 255),
    "navy": (0, 0, 128),
    "fuchsia": (255, 0, 255),
    "magenta": (255, 0, 255),
    "purple": (128, 0, 128),
    "orange": (255, 165, 0),
}
"""The names that are common; another one is a colour that is not known."""
WHITE = NAMES["white"]
ALIKE = 12
"""Colours whose parts (0 to 255) differ by no more than this are not told apart."""

_HEX = re.compile(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_PARTS = re.compile(r"rgba?\(\s*([^()]*)\)")
_PART = re.compile(r"(\d{1,3}(?:\.\d+)?|\.\d+)(%?)")


@lru_cache(maxsize=1024)
def colour_of(value: str) -> Colour | None:
    """``None`` where it is not known, or lets the ground shine through.

    >>> colour_of("#FFF"), colour_of("rgb(0 0 100%)"), colour_of("rgba(0,0,0,.5)"), colour_of("var(--a)")
    ((255, 255, 255), (0, 0, 255), None, None)
    """
    value = value.strip().lower()
    if value in NAMES:
        return NAMES[value]
    if match := _HEX.fullmatch(value):
        digits = match[1] if len(match[1]) > 4 else "".join(2 * digit for digit in match[1])
        if len(digits) == 8 and digits[6:] != "ff":
            return None
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
    if match := _PARTS.fullmatch(value):
        parts = _PART.findall(match[1])
        if len(parts) == 3 or (len(parts) == 4 and float(parts[3][0]) == (100 if parts[3][1] else 1)):
            red, green, blue = (min(255, round(float(part) * (2.55 if sign else 1))) for part, sign in parts[:3])
            return red, green, blue
    return None


@lru_cache(maxsize=1024)
def is_transparent(value: str) -> bool:
    """Whether nothing of the colour is seen.

    >>> is_transparent("transparent"), is_transparent("#FFF0"), is_transparent("rgb(0 0 0 / 0%)"), is_transparent("red")
    (True, True, True, False)
    """
    value = value.strip().lower()
    if match := _HEX.fullmatch(value):
        return match[1][3:] == "0" if len(match[1]) == 4 else match[1][6:] == "00"
    if match := _PARTS.fullmatch(value):
        parts = _PART.findall(match[1])
        return len(parts) == 4 and float(parts[3][0]) == 0
    return value == "transparent"


def alike(one: Colour, other: Colour) -> bool:
    return all(abs(first - second) <= ALIKE for first, second in zip(one, other, strict=True))
