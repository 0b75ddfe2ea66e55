"""Pages of their own: nothing is fetched and nothing runs, and no file but a page of an earlier run is written over.

A page is HTML and one style sheet, which its own policy names by its hash. All text from documents is escaped, so it is
never markup; what HTML cannot hold (NUL, lone surrogates) becomes U+FFFD.
"""

from __future__ import annotations

import hashlib
import html
import os
import re
from base64 import b64encode
from importlib.resources import files
from pathlib import Path

from pincite.errors import UsageError

UNHOLDABLE = re.compile("[\0\ud800-\udfff]")


def generator(command: str) -> str:
    """What a page of that command says of itself."""
    return f'<meta name="generator" content="pincite {command}">'


def beginning(command: str, title: str, style_sheet: str) -> list[str]:
    """The lines of a page up to its body, which is open then; the style sheet is a file of this package."""
    style = files("pincite.cli").joinpath(style_sheet).read_text(encoding="utf-8")
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8">{generator(command)}',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{escaped(title)}</title>",
        f"<style>{style}</style></head><body>",
    ]


def escaped(text: str) -> str:
    """The text as text of HTML; a carriage return is written so that parsers do not take it for a line feed.

    >>> escaped('<b title="x">&\\r')
    '&lt;b title=&quot;x&quot;&gt;&amp;&#13;'
    """
    return UNHOLDABLE.sub("\ufffd", html.escape(text)).replace("\r", "&#13;")


def breakable(name: str) -> str:
    """The same for a name, which lines may break behind its marks.

    >>> breakable("tokens:max_tokens=9")
    'tokens:<wbr>max_<wbr>tokens=<wbr>9'
    """
    return re.sub(r"([:,=_/])", r"\1<wbr>", escaped(name))


def is_there(path: Path, mark: str, option: str) -> bool:
    """Whether there is a file already. Raises ``UsageError`` unless it is empty or has the mark of this command near
    its start: ``--html docs/*.md`` would name a document."""
    if not os.path.isfile(path):  # noqa: PTH113 - it says no, where Path.is_file raises, beyond a folder that is closed
        return False
    try:
        with path.open("rb") as file:
            start = file.read(1000)
    except OSError:
        start = b"unreadable"
    if start and mark.encode() not in start:
        cure = f"Name another file for {option}."
        raise UsageError("is there already and was not written by this command", cure=cure, file=str(path))
    return True
