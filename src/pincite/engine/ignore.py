"""Ignore rules, with git's meaning: the lines of ``.gitignore`` and ``.pinciteignore``.

The rules follow the documentation of gitignore. Names are compared character by character, where git compares bytes:
a ``?`` is one letter, also where that letter takes two bytes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import ConfigError

GIT_FILE = ".gitignore"
OWN_FILE = ".pinciteignore"
MAX_BYTES = 1024 * 1024

Part = re.Pattern[str] | None
"""What one name of a path has to match; ``None`` stands for ``**``, any number of names."""

ANY = re.compile(".+", re.DOTALL)
NEVER = re.compile("(?!)")
CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t\\n\\r\\f\\v",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One line. ``parts`` match the names of a path from the folder of the rule downwards."""

    parts: tuple[Part, ...]
    negated: bool = False
    folders_only: bool = False

    def matches(self, names: Sequence[str], *, is_folder: bool) -> bool:
        if self.folders_only and not is_folder:
            return False
        if len(self.parts) == 2 and self.parts[0] is None and self.parts[1] is not None:  # a name in any folder
            return self.parts[1].fullmatch(names[-1]) is not None
        reached = self._with_skips({0})
        for name in names:
            reached = self._with_skips(set(self._after(name, reached)))
        return len(self.parts) in reached

    def _after(self, name: str, reached: set[int]) -> Iterator[int]:
        for index in reached:
            part = self.parts[index] if index < len(self.parts) else NEVER
            if part is None:
                yield index
            elif part.fullmatch(name):
                yield index + 1

    def _with_skips(self, reached: set[int]) -> set[int]:
        """Before a ``**`` the part after it is reached as well."""
        for index in sorted(reached):
            end = index
            while end < len(self.parts) and self.parts[end] is None:
                end += 1
                reached.add(end)
        return reached


def decision(rules: Sequence[Rule], names: Sequence[str], *, is_folder: bool) -> bool | None:
    """Whether these rules leave a path out (``True``) or take it in (``False``): the last that matches decides, and
    ``None`` says that none does. Whether a folder above is left out has to be asked for that folder.

    >>> rules = parse("*.log\\n!keep.log\\nbuild/\\n")
    >>> [decision(rules, names, is_folder=False) for names in (["a", "x.log"], ["keep.log"], ["build"])]
    [True, False, None]
    """
    for rule in reversed(rules):
        if rule.matches(names, is_folder=is_folder):
            return not rule.negated
    return None


def rules_in(folder: Path, *, with_git: bool = True) -> tuple[Rule, ...]:
    """The rules of both files of a folder; those of ``.pinciteignore`` have the last word.

    Raises ``ConfigError`` for a file that cannot be read: what it keeps out must not come in by that.
    """
    names = (GIT_FILE, OWN_FILE) if with_git else (OWN_FILE,)
    return tuple(rule for name in names for rule in parse(_read(folder / name)))


def _read(file: Path) -> str:
    try:
        if not os.path.lexists(file):
            return ""
        if not file.exists():  # what its rules keep out must not come in when they are lost
            raise ConfigError("is a link that leads nowhere", cure="Mend it, or take it away.", file=str(file))
        if not file.is_file():  # reading a pipe would wait for ever; git, too, takes no rules from a folder
            return ""
        if file.stat().st_size > MAX_BYTES:
            raise ConfigError(f"has more than {MAX_BYTES:,} bytes", cure="Shorten it.", file=str(file))
        return file.read_bytes().decode("utf-8-sig", "surrogateescape")
    except NotADirectoryError:
        return ""
    except OSError as error:
        cure = "Give yourself the right to read it, or take it away."
        raise ConfigError(f"cannot be read ({error.strerror})", cure=cure, file=str(file)) from error


def parse(text: str) -> tuple[Rule, ...]:
    """The rules of a file in order; blank lines and comments are none."""
    rules = (_rule(_without_trailing_blanks(line.removesuffix("\r"))) for line in text.split("\n"))
    return tuple(rule for rule in rules if rule)


def _rule(line: str) -> Rule | None:
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    pattern = line[1:] if negated else line
    folders_only = pattern.endswith("/")
    pattern = pattern[:-1] if folders_only else pattern
    if not pattern:
        return None
    pieces = pattern.removeprefix("/").split("/")
    parts: list[Part] = [None if piece == "**" else _part(piece) for piece in pieces]
    if parts[-1] is None:  # what lies in a folder, not the folder itself
        parts.append(ANY)
    if "/" not in pattern and parts[0] is not None:
        parts.insert(0, None)
    return Rule(tuple(parts), negated, folders_only)


def _without_trailing_blanks(line: str) -> str:
    """A blank at the end counts only behind a backslash."""
    end = position = 0
    while position < len(line):
        position += 2 if line[position] == "\\" else 1
        if line[position - 1 : position] != " " or line[position - 2 : position - 1] == "\\":
            end = position
    return line[:end]


def _part(glob: str) -> re.Pattern[str]:
    """Everything up to the last ``*`` is found at its first place and stays there, so that no name takes long."""
    pieces = [""]
    position = 0
    while position < len(glob):
        character = glob[position]
        position += 1
        if character == "*":
            pieces.append("")
        elif character == "?":
            pieces[-1] += "."
        elif character == "[":
            found = _bracket(glob, position)
            if found is None:
                return NEVER
            pattern, position = found
            pieces[-1] += pattern
        elif character == "\\":
            if position == len(glob):
                return NEVER
            pieces[-1] += re.escape(glob[position])
            position += 1
        else:
            pieces[-1] += re.escape(character)
    first, *rest = pieces
    middle = "".join(f"(?>.*?{piece})" for piece in rest[:-1] if piece)
    last = f".*{rest[-1]}" if rest else ""
    return re.compile(first + middle + last, re.DOTALL)


def _bracket(glob: str, position: int) -> tuple[str, int] | None:
    """The pattern of the set that begins behind a ``[``, and the position behind it; ``None`` where it has no end."""
    negated = glob[position : position + 1] in ("!", "^")
    position += negated
    items = ""
    first = True
    while first or glob[position : position + 1] != "]":
        first = False
        if glob.startswith("[:", position):
            end = glob.find(":]", position)
            name = glob[position + 2 : end] if end >= 0 else ""
            if name not in CLASSES:
                return None
            items += CLASSES[name]
            position = end + 2
            continue
        low, position = _character(glob, position)
        high = low
        if glob[position : position + 1] == "-" and glob[position + 1 : position + 2] not in ("]", ""):
            high, position = _character(glob, position + 1)
        if not low or not high:
            return None
        if low <= high:
            items += f"{re.escape(low)}-{re.escape(high)}"
    if not items:
        return ("." if negated else "(?!)"), position + 1
    return f"[{'^' if negated else ''}{items}]", position + 1


def _character(glob: str, position: int) -> tuple[str, int]:
    """The character at that position, one behind a backslash as it is; empty at the end."""
    if glob[position : position + 1] == "\\":
        position += 1
    return glob[position : position + 1], position + 1
