"""What kind of answer a text can give: an amount, a price, a time, a bound."""

from __future__ import annotations

import re

from pincite.text.stopwords import words_of

_AMOUNT = re.compile(
    r"(?<!\w)(?<!\w[-_./])\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|none|half|free"
    r"|unlimited|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|einmal|zweimal|halb|kostenlos|unbegrenzt)\b",
    re.IGNORECASE,
)
"""A number that is no part of a name (EG-200). *One* and *no* stand in too many sentences to tell an amount."""
_YEAR = re.compile(
    r"(?:\b(?:in|since|from|by|until|before|after|year|im|seit|von|bis|ab|vor|nach|jahre?|(?:jan|feb|m[aä]r|apr|ma[iy]|jun"
    r"|jul|aug|sep|o[ck]t|nov|de[cz])[a-z]*\.?(?: \d\d?)?)|[,(])\s*(?:1[5-9]|20)\d\d\b(?!\s*(?:[%€$]|[a-zäöü]+[sn]\b))",
    re.IGNORECASE,
)
"""A year is no amount."""
_MOST = words_of("most maximum max maximal largest highest höchstens größte größten höchste höchsten")
_LEAST = words_of("least minimum min minimal smallest lowest mindestens wenigstens kleinste kleinsten niedrigste")
_AT_MOST = re.compile(
    r"\b(?:up to|at most|(?:no|not) (?:more|longer|later|larger) than|max(?:imum|imal)?|limit(?:ed)? (?:to|of)"
    r"|largest|highest|bis zu|höchstens|nicht mehr als|höchste[rnsm]?|größte[rnsm]?)\b",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"\b(?:at least|(?:no|not) (?:less|fewer|earlier|shorter) than|min(?:imum|imal)?|smallest|lowest"
    r"|mindestens|wenigstens|nicht weniger als|kleinste[rnsm]?)\b",
    re.IGNORECASE,
)
BOUNDS = ((_MOST, _AT_MOST), (_LEAST, _AT_LEAST))
"""Words that ask for an upper or a lower bound, and what states one."""
_PRICE = re.compile(
    r"[€$£¥%]|\b(?:EUR|USD|GBP|CHF|JPY|euros?|dollars?|pounds?|francs?|franken|crowns?|kronen|cents?|pence|percent|prozent"
    r"|free|fees?|prices?|costs?|kostet|kosten|preise?"
    r"|included|(?:by|on) (?:agreement|request)|kostenlos|kostenfrei|gratis|gebühr(?:en)?|enthalten|inklusive"
    r"|(?:nach|auf) (?:vereinbarung|anfrage))(?!\w)",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|sekunden?|minuten?|stunden?|tage?n?|wochen?"
    r"|monate?n?|quartale?n?|jahre?n?)\b|\d\s?(?:ms|s|min|h|d)\b|\b\d{1,2}:\d\d\b|\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)


def tells_amount(text: str) -> bool:
    """
    >>> [tells_amount(text) for text in ("12 devices", "Two of them", "an EG-200", "built in 1986", "in 2000 minutes")]
    [True, True, False, False, True]
    """
    return bool(_AMOUNT.search(_YEAR.sub(" ", text)))


def tells_price(text: str) -> bool:
    """
    >>> tells_price("7.50 crowns"), tells_price("7 days")
    (True, False)
    """
    return bool(_PRICE.search(text))


def tells_time(text: str) -> bool:
    """
    >>> tells_time("after 7 days"), tells_time("7 crowns")
    (True, False)
    """
    return bool(_TIME.search(text))
