"""Ways in which a citation is wrong, for bench/citations.py: each turns a true text into a false one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

Corruption = Callable[[str], str]
"""Gives the text back unchanged where it has nothing to corrupt."""


def exchanged(*pairs: tuple[str, str]) -> Corruption:
    """Replaces the first word of the pairs that the text has by its partner, in either direction."""
    table = {**dict(pairs), **{right: left for left, right in pairs}}
    pattern = re.compile(rf"(?<![\w-])({'|'.join(sorted(map(re.escape, table), key=len, reverse=True))})(?![\w-])")

    def corrupt(text: str) -> str:
        return pattern.sub(lambda match: table[match.group()], text, count=1)

    return corrupt


def one_way(*pairs: tuple[str, str]) -> Corruption:
    table = dict(pairs)
    pattern = re.compile(rf"(?<![\w-])({'|'.join(sorted(map(re.escape, table), key=len, reverse=True))})(?![\w-])")
    return lambda text: pattern.sub(lambda match: table[match.group()], text, count=1)


def other_number(text: str) -> str:
    """The first number that is no part of a code, changed."""

    def change(match: re.Match[str]) -> str:
        digits = match.group()
        return digits[:-1] + str((int(digits[-1]) + 3) % 10) if len(digits) > 1 else str(int(digits) % 9 + 1)

    return re.sub(r"(?<![\w./:-])\d+(?![\w/:-]|\.\d|,\d)", change, text, count=1)


def number_in_other_order(text: str) -> str:
    """Two numbers of the text exchanged."""
    found = list(re.finditer(r"(?<![\w./:-])\d+(?![\w/:-]|\.\d|,\d|\.? (?:of )?[A-Z][a-z]+ \d{4})", text))
    if len(found) < 2 or found[0].group() == found[1].group():
        return text
    one, other = found[:2]
    return text[: one.start()] + other.group() + text[one.end() : other.start()] + one.group() + text[other.end() :]


_MONTHS = ["January", "February", "March", "April", "June", "July", "August", "September", "October", "November"]
_MONATE = ["Januar", "Februar", "März", "April", "Juni", "Juli", "August", "September", "Oktober", "November"]


def other_date(text: str) -> str:
    for names in (_MONTHS, _MONATE):
        for number, name in enumerate(names):
            changed = re.sub(
                rf"\b{name}\b(?=\s+\d)|(?<=\d\s){name}\b|(?<=\d\.\s){name}\b", names[number - 1], text, count=1
            )
            if changed != text:
                return changed
    return re.sub(
        r"\b(\d{4})-(\d\d)-(\d\d)\b", lambda match: f"{match[1]}-{match[2]}-{int(match[3]) % 28 + 1:02}", text
    )


def other_version(text: str) -> str:
    def change(match: re.Match[str]) -> str:
        return match[1] + match[2][:-1] + str((int(match[2][-1]) + 1) % 10)

    return re.sub(r"(\b(?:[Vv]ersion|[Rr]elease|[A-Z][a-z]+) |\bv)(\d+(?:\.\d+)+)\b", change, text, count=1)


def other_identifier(text: str) -> str:
    def change(match: re.Match[str]) -> str:
        name = match.group()
        last = name[-1]
        return name[:-1] + (str((int(last) + 1) % 10) if last.isdigit() else ("x" if last != "x" else "y"))

    pattern = r"\b[A-Z]{2,}-\d+\b|\b[a-z]+(?:_[a-z]+)+\b|\b[a-z]+[A-Z][A-Za-z]+\b|\b[a-z]{3,}:[a-z]{3,}\b"
    return re.sub(pattern, change, text, count=1)


def negation_dropped(text: str) -> str:
    changed = re.sub(r"\b(can)not\b|\b(can|ca|do|does|is|are|was|should|would)n['’]t\b", _affirmed, text, count=1)
    if changed != text:
        return changed
    changed = re.sub(r"\b(?:not|never|nicht|niemals) ", "", text, count=1)
    return changed if changed != text else re.sub(r"\bkein(?=e?[mnrs]?\b)", "ein", text, count=1)


def _affirmed(match: re.Match[str]) -> str:
    return match[1] or {"ca": "can"}.get(match[2], match[2])


def negation_added(text: str) -> str:
    if re.search(r"\b(?:not|cannot|never|no|nicht|kein\w*)\b|n['’]t\b", text):
        return text
    english = r"\b(is|are|can|must|will|may|should|was)\b(?! also)"
    changed = re.sub(english, r"\1 not", text, count=1)
    return changed if changed != text else re.sub(r"\b(ist|sind|wird|werden|war)\b", r"\1 nicht", text, count=1)


CORRUPTIONS: Mapping[str, Corruption] = {
    "number": other_number,
    "numbers exchanged": number_in_other_order,
    "number word": exchanged(("two", "three"), ("four", "five"), ("six", "seven"), ("zwei", "drei"), ("vier", "fünf")),
    "unit": exchanged(
        ("minutes", "hours"), ("seconds", "days"), ("MB", "GB"), ("KB", "MiB"), ("percent", "EUR"), ("months", "years"),
        ("minute", "second"), ("Minuten", "Stunden"), ("Sekunden", "Tage"), ("Jahre", "Monate"), ("km", "m"),
    ),
    "date": other_date,
    "version": other_version,
    "identifier": other_identifier,
    "negation dropped": negation_dropped,
    "negation added": negation_added,
    "quantity": exchanged(
        ("almost all", "few"), ("all", "some"), ("every", "few"), ("All", "Some"), ("always", "sometimes"),
        ("alle", "einige"),
        ("immer", "manchmal"), ("Every", "Few"), ("usually", "always"), ("Alle", "Einige"),
    ),
    "only": one_way(("only", "also"), ("nur", "auch"), ("Only", "Also")),
    "modal": exchanged(("must not", "need not"), ("must", "may"), ("can", "should"), ("muss", "kann"),
        ("müssen", "können"), ("sollte", "darf")),
    "comparative": exchanged(
        ("more than", "less than"), ("at most", "at least"), ("longer", "shorter"), ("up to", "at least"),
        ("after", "before"),
        ("maximum", "minimum"), ("above", "below"), ("larger", "smaller"), ("higher", "lower"),
        ("first", "last"),
        ("höchstens", "mindestens"), ("mehr als", "weniger als"), ("länger", "kürzer"), ("größer", "kleiner"),
        ("later", "earlier"), ("später", "früher"), ("nach", "vor"), ("enable", "disable"), ("increase", "decrease"),
    ),
}  # fmt: skip


def swallowing_ellipsis(text: str) -> str:
    """The text with a few words around its negation left out."""
    words = text.split()
    found = [index for index, word in enumerate(words) if word.strip(",.").lower() in _NEGATIONS]
    if not found or not 2 <= found[0] < len(words) - 3:
        return text
    index = found[0]
    return f"{' '.join(words[:index])} … {' '.join(words[index + 1 :])}"


_NEGATIONS = frozenset(["not", "never", "cannot", "nicht", "kein", "keine", "keinen", "nie", "no", "without", "ohne"])
