"""Files of keys, ``NAME=value`` on each line, read only when somebody names one."""

from __future__ import annotations

import os
import re
from pathlib import Path

from pincite.errors import ConfigError

LARGEST_BYTES = 1024 * 1024

_LINE = re.compile(
    r"""(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)\s*=\s*
    (?: '(?P<literal>[^']*)' | "(?P<escaped>(?:[^"\\]|\\.)*)" | (?P<plain>[^'"\s#](?:[^#]|(?<!\s)\#)*)? )
    \s*(?:(?<=\s)\#.*)?""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


def use_env_file(file: Path) -> None:
    """Puts what the file says into the environment of this process; what is set there already stays.

    Raises ``ConfigError``.
    """
    for name, value in read_env_file(file).items():
        os.environ.setdefault(name, value)


def read_env_file(file: Path) -> dict[str, str]:
    """The names and values of a file. Raises ``ConfigError``, which never shows a value."""
    try:
        if not file.is_file():
            raise ConfigError("is not a file", cure="Name a file with lines such as NAME=value.", file=str(file))
        if file.stat().st_size > LARGEST_BYTES:
            raise ConfigError("is larger than 1 MiB", cure="Name a file of keys.", file=str(file))
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:  # its own message would show a byte of a key
        raise ConfigError("is not UTF-8", cure="Save it as UTF-8.", file=str(file)) from None
    except OSError as error:
        raise ConfigError(f"cannot be read ({error.strerror})", cure="Make it readable.", file=str(file)) from error
    return parse_env(text, file=str(file))


def parse_env(text: str, *, file: str = "") -> dict[str, str]:
    r"""Values stand bare, in single quotes (as they are) or in double quotes (with ``\n``, ``\"``, ``\\``); ``#``
    begins a comment at the start of a line or after a blank. Nothing is put in for ``$NAME``.

    >>> parse_env("# keys\nA_API_KEY = sk-1#2 # mine\nexport B='x # y'\n\nC=\n")
    {'A_API_KEY': 'sk-1#2', 'B': 'x # y', 'C': ''}
    """
    values: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if not match:
            raise _wrong(number, "is not NAME=value, or its quotes do not close", file)
        name = match["name"]
        if name in values:
            raise _wrong(number, f"sets {name} a second time", file)
        value = match["plain"].rstrip() if match["plain"] else match["literal"] or ""
        if match["escaped"] is not None:
            value = _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), match["escaped"])
        if "\0" in value:
            raise _wrong(number, "has a null character", file)
        values[name] = value
    return values


def _wrong(number: int, problem: str, file: str) -> ConfigError:
    return ConfigError(f"line {number} {problem}", cure="Mend that line.", file=file)
