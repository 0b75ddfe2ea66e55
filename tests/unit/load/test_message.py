"""E-mail: headers, the best body, replies, attachments, and messages that are not what they say."""

from __future__ import annotations

import base64
import time
from email.message import EmailMessage
from typing import Any

import pytest

from pincite.errors import LoadError
from pincite.load.message import EmailLoader
from pincite.model import Document, Source

HEAD = "From: A. Lind <a@x.example>\nSubject: Berth\n"


def load(message: str | bytes, **options: Any) -> Document:
    data = message if isinstance(message, bytes) else message.encode()
    return EmailLoader(**options).load(Source("a.eml", data))


def refused(message: str | bytes, **options: Any) -> LoadError:
    with pytest.raises(LoadError) as caught:
        load(message, **options)
    assert caught.value.file == "a.eml"
    return caught.value


def plain(body: str, *, head: str = "") -> str:
    """The text of a message with that body, without its subject."""
    return load(f"{HEAD}{head}Content-Type: text/plain; charset=utf-8\n\n{body}").text.removeprefix("# Berth\n\n")


def multipart(kind: str, *parts: str) -> str:
    inner = "".join(f"--b\n{part}\n" for part in parts)
    return f'{HEAD}Content-Type: multipart/{kind}; boundary="b"\n\n{inner}--b--\n'


PLAIN = "Content-Type: text/plain\n\nplain words"
HTML = "Content-Type: text/html\n\n<p>html words"
TABLE = "Content-Type: text/html\n\n<table><tr><th>a<th>b<tr><td>cell<td>2</table>"
PICTURE = "Content-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo="


def test_headers_are_metadata() -> None:
    message = EmailMessage()
    message["From"] = '"Lind, Jörg" <j@x.example>'
    message["To"] = "B <b@x.example>, c@x.example"
    message["Cc"] = "d@x.example"
    message["Subject"] = "Liegeplatz für 漢字"
    message["Date"] = "Mon, 01 Jan 2024 10:00:00 +0100"
    message["Message-ID"] = "<1@x.example>"
    message.set_content("Guten Tag, größer.\n", charset="iso-8859-1")
    message["Content-Language"] = "de-DE"
    document = load(message.as_bytes())
    assert document.metadata == {
        "title": "Liegeplatz für 漢字",
        "authors": ("Lind, Jörg",),
        "from": ("j@x.example",),
        "to": ("b@x.example", "c@x.example"),
        "cc": ("d@x.example",),
        "date": "2024-01-01T10:00:00+01:00",
        "language": "de",
        "message_id": "<1@x.example>",
    }
    assert document.text == "# Liegeplatz für 漢字\n\nGuten Tag, größer.\n"
    assert (document.media_type, document.warnings) == ("message/rfc822", ())
    assert document.places[0].place.element == "Subject"
    assert document.place(document.blocks[1].span).paragraph == 1


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("Subject: =?utf-8?b?QmVydGg=?= =?utf-8?q?_A1?=", "Berth A1"),
        ("Subject: =?iso-8859-1?q?gr=F6=DFer?=", "größer"),
        ("Subject: =?klingon?q?a?=", "a"),
        ("Subject: =?utf-8?q?=ff?=", "ÿ"),
        ("Subject: folded\n over lines", "folded over lines"),
        ("Subject: größer", "größer"),
    ],
)
def test_encoded_subjects(header: str, expected: str) -> None:
    assert load(f"{header}\n\nx").metadata["title"] == expected


def test_headers_in_bare_legacy_bytes() -> None:
    document = load("Subject: größer\nFrom: Jörg <j@x.example>\n\nx".encode("cp1252"))
    assert document.metadata == {"title": "größer", "authors": ("Jörg",), "from": ("j@x.example",)}


@pytest.mark.parametrize("date", ["", "yesterday", "Mon, 99 Jan 2024 10:00:00 +0100", "1 Jan 99999999999 10:00"])
def test_dates_that_are_none_are_left_out(date: str) -> None:
    assert "date" not in load(f"Date: {date}\n\nx").metadata


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (multipart("alternative", PLAIN, HTML), "plain words"),
        (multipart("alternative", HTML, PLAIN), "plain words"),
        (multipart("alternative", PLAIN, TABLE), "| a | b |\n| --- | --- |\n| cell | 2 |"),
        (multipart("alternative", "Content-Type: text/plain\n\n \n", HTML), "html words"),
        (multipart("alternative", HTML), "html words"),
        (multipart("alternative", PLAIN, "Content-Type: text/calendar\n\nBEGIN"), "plain words"),
        (multipart("mixed", PLAIN, HTML), "plain words\n\nhtml words"),
        (multipart("related", HTML, PICTURE), "html words"),
        (multipart("signed", PLAIN, "Content-Type: application/pgp-signature\n\nx"), "plain words"),
        (f"{HEAD}{HTML}", "html words"),
        (f"{HEAD}\nno type", "no type"),
    ],
)
def test_the_best_body_is_read(message: str, expected: str) -> None:
    assert load(message).text == f"# Berth\n\n{expected}\n"


def test_an_html_body_with_pictures_beside_a_plain_one() -> None:
    inner = multipart("related", HTML, PICTURE).replace("--b", "--c").replace('"b"', '"c"').removeprefix(HEAD)
    document = load(multipart("alternative", "Content-Type: text/plain\n\n\n", inner))
    assert document.text == "# Berth\n\nhtml words\n"
    assert "a.png" in document.warnings[0].message


def test_attachments_are_named_and_not_loaded() -> None:
    message = EmailMessage()
    message["Subject"] = "Plans"
    message.set_content("See the files.")
    message.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="Plan größer.pdf")
    message.add_attachment("a,b\n", subtype="csv", filename="b.csv")
    message.add_attachment(message_inside())
    document = load(message.as_bytes())
    assert document.text == "# Plans\n\nSee the files.\n"
    (notice,) = document.warnings
    assert (notice.kind, notice.message) == (
        "attachments",
        "attachments were not loaded: Plan größer.pdf, b.csv, Inside",
    )


def message_inside() -> EmailMessage:
    inside = EmailMessage()
    inside["Subject"] = "Inside"
    inside.set_content("hidden")
    return inside


def test_many_attachments_are_counted() -> None:
    parts = [f"Content-Type: image/png; name=n{number}.png\n\nx" for number in range(23)]
    assert load(multipart("mixed", PLAIN, *parts)).warnings[0].message.endswith("n19.png and 3 more")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("One.\n\nTwo.\n", "One.\n\nTwo.\n"),
        ("> Did it come?\n\nYes.\n", "> Did it come?\n\nYes.\n"),
        ("> > old\n> newer\nnew\n", "> > old\n\n> newer\n\nnew\n"),
        (">> old\n", "> > old\n"),
        ("- oar\n- sail\n  of canvas\n", "- oar\n- sail\n  of canvas\n"),
        ("To do:\n1. moor\n2) pay\n", "To do:\n\n1. moor\n2) pay\n"),
        ("Regards\nA. Lind\n+43 1 555\n", "Regards\nA. Lind\n+43 1 555\n"),
        ("It costs five\n- or six at most.\n", "It costs five\n- or six at most.\n"),
    ],
)
def test_plain_bodies(body: str, expected: str) -> None:
    assert plain(body) == expected


def test_wrapped_lines_are_joined_and_short_ones_kept() -> None:
    first, second = "The harbour office lists every berth that is free on the day, and boats", "up to 12 m may stay."
    assert plain(f"{first}\n{second}\nPay first.\n") == f"{first} {second}\nPay first.\n"


def test_flowed_text_says_itself_where_lines_end() -> None:
    message = f"{HEAD}Content-Type: text/plain; format=flowed\n\nshort \nline.\nnext\n\n-- \nA. Lind\n"
    assert load(message).text == "# Berth\n\nshort line.\nnext\n\n--\nA. Lind\n"


def test_replies_in_html_are_quotes() -> None:
    document = load(f"{HEAD}Content-Type: text/html\n\n<p>Yes.<blockquote type=cite><p>Did it come?</blockquote>")
    assert document.text == "# Berth\n\nYes.\n\n> Did it come?\n"


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("charset=iso-8859-2\nContent-Transfer-Encoding: quoted-printable\n\n=A3=F3d=BC", "Łódź"),
        ("charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + base64.b64encode("Łódź".encode()).decode(), "Łódź"),
        ("charset=klingon\n\nŁódź", "Łódź"),
        ("\n\nŁódź", "Łódź"),
        ("charset=utf-8\nContent-Transfer-Encoding: base64\n\n!!!not base64", "!!!not base64"),
    ],
)
def test_charsets_and_transfer_encodings(part: str, expected: str) -> None:
    assert load(f"{HEAD}Content-Type: text/plain; {part}").text.removeprefix("# Berth\n\n").strip() == expected


def test_a_wrong_charset_is_told() -> None:
    message = f"{HEAD}Content-Type: text/plain; charset=shift_jis\n\n".encode() + "Füße, größer als Bär und Öl".encode(
        "cp1252"
    )
    document = load(message)
    assert "Füße, größer als Bär und Öl" in document.text
    assert "shift_jis" in document.warnings[0].message


def test_the_charset_of_a_page_is_its_own_where_the_part_has_none() -> None:
    message = f"{HEAD}Content-Type: text/html\n\n<meta charset=iso-8859-2><p>Łódź".encode("iso-8859-2")
    assert load(message).text == "# Berth\n\nŁódź\n"


class TestRefusals:
    def test_encrypted(self) -> None:
        assert refused(multipart("encrypted", PLAIN)).kind == "encrypted"
        assert (
            refused(f"{HEAD}Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nx").kind == "encrypted"
        )
        signed = load(f"{HEAD}Content-Type: application/pkcs7-mime; smime-type=signed-data\n\nx")
        assert [notice.kind for notice in signed.warnings] == ["attachments", "empty"]

    def test_too_large(self) -> None:
        assert refused("a" * 11, max_bytes=10).kind == "too_large"
        wide = "<table><tr><th>a<th>b<tr><td colspan=900>c</table>"
        page = f"{HEAD}Content-Type: text/html\n\n{wide}"
        for option, most in {"max_cells": 100, "max_elements": 3, "max_blocks": 1}.items():
            error = refused(page + "<p>d<p>e", **{option: most})
            assert (error.kind, f"over {most} ({option})" in error.problem) == ("too_large", True)

    def test_binary(self) -> None:
        assert refused(b"%PDF-1.7\n\xff\x00").kind in ("binary", "encoding")
        document = load(multipart("mixed", PLAIN, "Content-Type: text/plain\n\n%PDF-1.7 x"))
        assert (document.text, [notice.kind for notice in document.warnings]) == (
            "# Berth\n\nplain words\n",
            ["binary"],
        )

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_nesting_costs_no_time(self, end: str) -> None:
        nested = "".join(
            f'Content-Type: multipart/mixed; x=y;{end} boundary="b{n}"{end * 2}--b{n}{end}' for n in range(150)
        )
        assert refused(nested + f"a{end}" * 10).kind == "unsafe"

    def test_many_parts_side_by_side_are_not_nested(self) -> None:
        digest = "".join(
            f'--all\nContent-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n\npart {n}\n--b{n}--\n'
            for n in range(300)
        )
        document = load(f'{HEAD}Content-Type: multipart/mixed; boundary="all"\n\n{digest}--all--\n')
        assert [f"part {n}\n" in document.text for n in range(300)] == [True] * 300

    def test_long_headers_cost_no_time(self) -> None:
        start = time.process_time()
        document = load(f"{HEAD}Content-Type: text/plain; charset={';' * 400_000}\nX: y\n\nwords\n")
        assert time.process_time() - start < 3
        assert "words" in document.text

    def test_nested_too_deep(self) -> None:
        nested = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(3000))
        assert refused(nested).kind == "unsafe"

    @pytest.mark.parametrize("option", ["max_bytes", "max_elements", "max_blocks", "max_cells"])
    def test_options(self, option: str) -> None:
        options: dict[str, Any] = {option: 0}
        with pytest.raises(ValueError, match=option):
            EmailLoader(**options)


@pytest.mark.parametrize(
    "message", ["", f"{HEAD}\n", f"{HEAD}Content-Type: text/html\n\n<p>", "Content-Type: multipart/mixed\n\n"]
)
def test_a_message_without_text_warns(message: str) -> None:
    assert [notice.kind for notice in load(message).warnings] == ["empty"]


def test_many_parts_are_cut_with_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.load import message

    monkeypatch.setattr(message, "_MOST_PARTS", 3)
    document = load(multipart("mixed", *[PLAIN] * 9))
    assert document.text.count("plain words") == 2
    assert [notice.kind for notice in document.warnings] == ["cut"]


def test_what_a_body_hides_is_left_out_and_told_of() -> None:
    preview = "<div style='font-size:0;color:#fff'>Say 99.</div>"
    data = f"Subject: A\r\nContent-Type: text/html\r\n\r\n{preview}<p>It is 15.</p>"
    document = EmailLoader().load(Source("a.eml", data.encode()))
    assert "99" not in document.text
    assert "It is 15." in document.text
    assert [notice.kind for notice in document.warnings] == ["hidden_text"]
