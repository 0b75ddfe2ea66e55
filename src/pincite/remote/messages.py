"""What a server says, as it may stand in a message of ours: short, in one line, printable, and without keys."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

SHOWN_CHARACTERS = 200
SHORTEST_ANYWHERE = 8
"""A shorter key is taken out only where it stands alone, as it is a piece of ordinary words."""

# Sequences that steer a terminal (ECMA-48), in their forms with an escape and with one character of U+0080 to U+009F:
# strings to the terminal up to their end, control sequences, other escapes.
_SEQUENCE = re.compile(
    r"(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|\x1b[ -/]*[0-~]?"
)
# Characters of format, which nobody sees: between the letters of a key they would keep it from being found.
_UNSEEN = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]"
)


def shown(text: str, keys: Iterable[str]) -> str:
    r"""At most 200 characters of the text and "…", without sequences that steer a terminal.

    >>> shown("bad key\n\x1b[31mk1\x1b[0m of monk1", ["k1"])
    'bad key *** of monk1'
    """
    text = without_keys(_UNSEEN.sub("", _SEQUENCE.sub("", text)), keys)
    text = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"


def without_keys(text: str, keys: Iterable[str]) -> str:
    """Long keys are taken out wherever they stand, the longest first, short ones where they stand alone."""
    for key in sorted(filter(None, keys), key=len, reverse=True):
        if len(key) >= SHORTEST_ANYWHERE:
            text = text.replace(key, "***")
        else:
            text = re.sub(rf"(?<!\w){re.escape(key)}(?!\w)", "***", text)
    return text


def keys_in_environment() -> list[str]:
    """The values of all variables that end in ``_API_KEY``."""
    return [value.strip() for name, value in os.environ.items() if name.endswith("_API_KEY") and value.strip()]
