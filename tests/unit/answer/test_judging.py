"""Verdicts on statements by their quotes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.evidence import Evidence, plain
from pincite.answer.judging import judge, speaks_of
from pincite.model import VERDICTS

CURSOR = "In Orbit 3.0 a cursor lives for 15 minutes, counted from the response that delivered it."
TOKEN = "An Orbit 3.0 access token is valid for 60 minutes from the moment it is issued."
SIZE = "The default page size is 100 items and the maximum is 500."


def verdict(statement: str, *quotes: str, language: str = "en", **around: str) -> tuple[str, str]:
    judged = judge(statement, [Evidence(quote=quote, language=language, **around) for quote in quotes])
    return judged.verdict, judged.reason


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        (CURSOR, CURSOR),
        ("A cursor lives for 15 minutes.", CURSOR),
        ("the maximum is 500", SIZE),
        ("A cursor can't be revived.", "A cursor cannot be revived; begin anew."),
        ("Yes, a cursor lives for 15 minutes.", CURSOR),
        ("Das Token wird nicht erneuert.", "Das Token wird nicht erneuert."),
    ],
)
def test_verified(statement: str, quote: str) -> None:
    assert verdict(statement, quote)[0] == "verified"


@pytest.mark.parametrize(
    ("statement", "quotes"),
    [
        ("The access token is valid for one hour.", [TOKEN]),
        ("Cursors live for fifteen minutes.", [CURSOR]),
        ("100 by default, 500 at most.", [SIZE]),
        ("The access token lives for 60 minutes and the cursor for 15 minutes.", [CURSOR, TOKEN]),
        ("A cursor cannot be revived.", ["An expired cursor cannot be revived."]),
        ("The limit of 24 hours holds.", ["| limit | 24 | hours |"]),
    ],
)
def test_paraphrase(statement: str, quotes: list[str]) -> None:
    assert verdict(statement, *quotes)[0] == "paraphrase"


@pytest.mark.parametrize(
    "statement",
    [
        "The access token is valid 45 minutes longer than a cursor lives.",
        "60 − 15 = 45 minutes",
        "The access token lives longer than the cursor.",
        "A token outlives a cursor by 45 minutes.",
        "A cursor lives shorter than a token.",
        "The token lives 4 times the minutes of a cursor.",
        "Together, token and cursor live for 75 minutes.",
    ],
)
def test_derived(statement: str) -> None:
    assert verdict(statement, CURSOR, TOKEN)[0] == "derived"


@pytest.mark.parametrize(
    ("statement", "quotes", "reason"),
    [
        ("A cursor lives for 20 minutes.", [CURSOR], "number"),
        ("A cursor lives for 15 hours.", [CURSOR], "number"),
        ("The access token is valid 40 minutes longer than a cursor lives.", [CURSOR, TOKEN], "number"),
        ("60 − 15 = 35 minutes", [CURSOR, TOKEN], "number"),
        ("15 − 60 = 45 minutes", [CURSOR, TOKEN], "number"),
        ("The cursor lives longer than the access token.", [CURSOR, TOKEN], "comparison"),
        ("The default page size is 500 items and the maximum is 100.", [SIZE], "number"),
        ("The maximum is 100 and the default page size is 500.", [SIZE], "number"),
        ("It began on 2 March 2025.", ["It began on 1 March 2025."], "date"),
        ("It begins at 04:30.", ["It begins at 04:00."], "time"),
        ("In Orbit 2.0 a cursor lives for 15 minutes.", [CURSOR], "version"),
        ("The code is ORB-1411.", ["The code is ORB-1410."], "identifier"),
        ("The exports are offered in CSV.", ["The exports are offered in JSON."], "name"),
        ("A cursor does not live for 15 minutes.", [CURSOR], "negation"),
        ("Renewing a token renews a cursor.", ["Renewing a token does not renew a cursor."], "negation"),
        ("Retiring is not final.", ["Retiring is final; nothing comes back."], "negation"),
        (
            "Clients may send the header with each request.",
            ["Clients must send the header with each request."],
            "modal",
        ),
        ("Clients should send the header.", ["Clients send the header."], "modal"),
        ("All devices send a header.", ["Some devices send a header."], "quantity"),
        ("Devices send a header.", ["Most devices send a header."], "quantity"),
        ("Only devices send a header now and then.", ["Devices send a header now and then."], "quantity"),
        ("It holds at least 500 items in a page.", ["It holds at most 500 items in a page."], "comparative"),
        ("The token is valid before it is issued, for an hour.", [TOKEN], "comparative"),
        ("The harbour office sells sand to sailors.", [SIZE], "words"),
        ("It takes five working seconds to answer.", ["It takes five working days to answer."], "unit"),
        ("Charged by the seconds that are left in it.", ["Charged by the days that are left in it."], "unit"),
        ("A cursor lives for ages.", [CURSOR], "words"),
        ("...", [CURSOR], "no-words"),
        ("x" * 30_000, [CURSOR], "too-long"),
        ("All boats carry a horn.", ["All boats, except small ones, carry a horn."], "exception"),
    ],
)
def test_unsupported(statement: str, quotes: list[str], reason: str) -> None:
    assert verdict(statement, *quotes) == ("unsupported", reason)


@pytest.mark.parametrize(
    ("time", "reason"),
    [
        *((time, "identifier") for time in ("15½ minutes", "15 ¾ minutes", "15² minutes", "15₂ minutes")),
        *((time, "identifier") for time in ("⅓ of 15 minutes", "15_000 minutes")),
        *((time, "comparative") for time in ("≥15 minutes", "<= 15 minutes", "> 15 minutes", "15+ minutes")),
        *((time, "comparative") for time in ("± 15 minutes", "~15 minutes")),
        *((time, "unit") for time in ("15.", "15")),
        *((time, "number") for time in ("15 ㎜", "15 ㎞")),
        ("15 minutes?", "question"),
    ],
)
def test_what_stands_at_a_number_is_part_of_it(time: str, reason: str) -> None:
    quote = "In Orbit 3.0 a cursor lives for 15 minutes."
    assert verdict(f"A cursor lives for {time}", quote) == ("unsupported", reason)


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Files may have ≥ 20 MB.", "Files may have ≥ 20 MB."),
        ("At least 20 MB.", "≥20 MB"),
        ("It needs C++ 17.", "It needs C++ 17."),
        ("Call +49 30 1234.", "Call +49 30 1234."),
        ("The area is 15 m².", "The area is 15 m²."),
        ("It goes from 1 -> 15.", "It goes from 1 -> 15."),
    ],
)
def test_the_same_signs_at_numbers_are_no_difference(statement: str, quote: str) -> None:
    assert verdict(statement, quote)[0] == "verified"


def test_what_stands_around_the_quote_counts() -> None:
    assert verdict("renew a cursor", "renew a cursor", before="a token does not") == ("unsupported", "negation")
    assert verdict("Der Cursor wird erneuert", "Der Cursor wird erneuert", language="de", after="aber nie")[0] == (
        "unsupported"
    )
    assert verdict("boats carry a horn", "boats carry a horn", after=", except small ones") == (
        "unsupported",
        "exception",
    )
    assert verdict("boats carry a horn", "boats carry a horn", before="some") == ("unsupported", "quantity")


def test_names_and_versions_may_be_those_of_the_page() -> None:
    about = "Pagination in Orbit\nversion 3.0"
    assert verdict("In Orbit a cursor lives for 15 minutes.", "A cursor lives for 15 minutes.", context=about)[0] in (
        "verified",
        "paraphrase",
    )
    assert verdict("In Argo a cursor lives for 15 minutes.", "A cursor lives for 15 minutes.", context=about) == (
        "unsupported",
        "name",
    )


def test_another_language_is_a_paraphrase_at_most() -> None:
    assert verdict("Das Token ist eine Stunde gültig.", TOKEN) == ("paraphrase", "other-language")
    assert verdict("Das Token ist zwei Stunden gültig.", TOKEN) == ("unsupported", "number")
    assert verdict("Das Token ist keine 60 Minuten gültig.", TOKEN) == ("unsupported", "negation")
    assert verdict("Das Haus ist grün und der Himmel ist blau.", TOKEN) == ("unsupported", "nothing-to-compare")


@pytest.mark.parametrize(
    ("statement", "quote", "reason"),
    [
        ("The token is valid.", "The token is valid if the clock is right.", "condition"),
        ("Orbit uses 2 percent.", "If no hysteresis is given, Orbit uses 2 percent.", "condition"),
        ("Switch off the device in the settings.", "Switch on the device in the settings.", "reordered"),
        ("Move the file from the archive to the inbox.", "Move the file to the archive from the inbox.", "reordered"),
        (
            "The client sends the answer back to the server.",
            "The server sends the answer back to the client.",
            "reordered",
        ),
    ],
)
def test_what_only_a_reader_can_tell_is_never_verified(statement: str, quote: str, reason: str) -> None:
    assert verdict(statement, quote) == ("paraphrase", reason)


def test_the_worst_sentence_decides() -> None:
    assert verdict("A cursor lives for 15 minutes. It can be revived for a fee.", CURSOR)[0] == "unsupported"


def test_whether_a_quote_has_to_do_with_a_statement() -> None:
    assert speaks_of("A cursor lives.", Evidence(quote=CURSOR, language="en"))
    assert not speaks_of("The harbour is closed for the winter.", Evidence(quote=CURSOR, language="en"))


def test_marks_of_markdown_are_no_part_of_a_name() -> None:
    assert (
        plain("the `limit`-field of **Orbit** in [a page](b/c.md), 2 * 3")
        == "the limit-field of Orbit in a page, 2 * 3"
    )


WORDS = st.sampled_from(
    f"{CURSOR} {TOKEN} not never some all must may 2.0 ORB-1 ... Das ist nicht - = longer than ;".split()
)


@given(st.lists(WORDS, max_size=25).map(" ".join), st.lists(WORDS, min_size=1, max_size=25).map(" ".join))
def test_any_statement_has_a_verdict(statement: str, quote: str) -> None:
    judged = judge(statement, [Evidence(quote=quote, language="en"), Evidence(quote=TOKEN)])
    assert judged.verdict in VERDICTS
    assert judged.reason
    assert judged.message


@given(st.text(max_size=60), st.text(min_size=1, max_size=60))
def test_any_text_has_a_verdict(statement: str, quote: str) -> None:
    assert judge(statement, [Evidence(quote=quote)]).verdict in VERDICTS
