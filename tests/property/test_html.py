"""Any bytes, and pages cut and mutated, give a document or a load error, in time; so do books and messages."""

from __future__ import annotations

import random
import time
import zipfile
from collections.abc import Iterator
from io import BytesIO

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pincite.errors import LoadError
from pincite.load.epub import EpubLoader
from pincite.load.html.loader import HtmlLoader
from pincite.load.message import EmailLoader
from pincite.model import Document, Source
from pincite.ports import Loader
from pincite.text.graphemes import is_border

KINDS = {"unsupported", "binary", "encoding", "too_large", "encrypted", "corrupt", "no_text", "unsafe"}
SECONDS = 10.0

NAMES = (
    *("p", "div", "span", "b", "a", "h1", "h2", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr", "td", "th", "thead"),
    *("tbody", "caption", "pre", "code", "blockquote", "figure", "figcaption", "br", "hr", "img", "main", "nav", "q"),
    *("sup", "sub", "ruby", "rt", "math", "details", "summary", "form", "button", "select", "template", "svg", "body"),
    "aside",
)
ATTRIBUTES = (
    *("", " id=a", " hidden", " class=sidebar", " style='display:none'", " colspan=3", " rowspan=2", " rowspan=0"),
    *(" role=main", " role=presentation", " href='#x'", " start=7 reversed", " alt='a boat'", " class=language-py"),
    *(" role=doc-footnote", " role=doc-endnotes", " class=footnote", " class=references", " role=doc-backlink"),
)
WORDS = (
    "word",
    "Bär ",
    " ",
    "\n",
    "1",
    "e\u0301",
    "\u0301",
    "👩\u200d🌾",
    "漢字",
    "\xa0",
    "\u2028",
    "|",
    "#",
    "```",
    "⠃",
    "&amp;",
)

tags = st.one_of(
    st.builds("<{}{}>".format, st.sampled_from(NAMES), st.sampled_from(ATTRIBUTES)),
    st.builds("</{}>".format, st.sampled_from(NAMES)),
    st.sampled_from(WORDS),
)
pages = st.lists(tags, max_size=40).map("".join)


def load(loader: Loader, data: bytes) -> Document | None:
    start = time.process_time()
    try:
        return loader.load(Source("folder/a", data))
    except LoadError as error:
        refusal = error
    finally:
        assert time.process_time() - start < SECONDS
    assert refusal.kind in KINDS
    assert refusal.file == "folder/a"
    return None


def check(document: Document | None) -> None:
    if document is None:
        return
    text = document.text
    covered = 0
    for block in document.outline:
        assert not text[covered : block.span.start].strip()
        covered = block.span.end
    assert not text[covered:].strip()
    placed = {offset for placement in document.places for offset in range(placement.span.start, placement.span.end)}
    for block in document.blocks:
        assert is_border(text, block.span.start)
        assert block.span.of(text).strip()
        assert placed & set(range(block.span.start, block.span.end))
    assert Document.from_json(document.to_json()) == document
    assert document.text or document.warnings


@given(data=st.binary(max_size=300))
@pytest.mark.parametrize("loader", [HtmlLoader(), EpubLoader(), EmailLoader()], ids=lambda loader: str(loader.name))
def test_any_bytes_give_a_document_or_a_load_error(loader: Loader, data: bytes) -> None:
    check(load(loader, data))


@given(html=pages, main_content=st.booleans())
@example(html="<ul>\u0301<li>\u0301", main_content=False)
@example(html="<table><td>a<table><td>b<caption>c", main_content=True)
def test_any_elements_give_a_document(html: str, main_content: bool) -> None:
    document = load(HtmlLoader(main_content=main_content), html.encode())
    assert document
    check(document)


@given(html=pages)
def test_the_same_page_gives_the_same_document(html: str) -> None:
    assert load(HtmlLoader(), html.encode()) == load(HtmlLoader(), html.encode())


@given(words=st.lists(st.text(alphabet="abcäß漢", min_size=1, max_size=8), min_size=1, max_size=8))
@settings(max_examples=100)
def test_every_word_that_is_shown_is_read_in_order(words: list[str]) -> None:
    shapes = ("<p>{}", "<li>{}", "<h2>{}</h2>", "<td>{}", "<div>{}<br>", "<pre>{}</pre>", "<dt>{}", "<blockquote>{}")
    html = " ".join(shape.format(word) for word, shape in zip(words, shapes, strict=False))
    document = load(HtmlLoader(main_content=False), html.encode())
    assert document
    position = 0
    for word in words[: len(shapes)]:
        position = document.text.index(word, position) + len(word)


HEADERS = (
    "Subject: a =?utf-8?q?b=C3=A4?=\n",
    "From: A <a@x>\n",
    "Date: Mon, 1 Jan 2024 10:00:00 +0100\n",
    "\n",
    "To: (((\n",
)
PARTS = (
    *("Content-Type: text/plain; charset=utf-8\n", "Content-Type: text/html\n", "--b\n", "--b--\n", "> quoted\n", "\n"),
    *("Content-Type: multipart/mixed; boundary=b\n", "Content-Transfer-Encoding: base64\n", "=C3=A4 x\n", "- item\n"),
    *(
        "Content-Type: multipart/alternative; boundary=b\n",
        "Content-Disposition: attachment; filename*=x''%ff\n",
        "word ",
    ),
    *(
        'Content-Type: text/plain; charset="=?x?="\n',
        "Content-Type: message/rfc822\n",
        "YWJj\n",
        "<p>x</p>",
        "\xff\x00",
    ),
)


@given(pieces=st.lists(st.sampled_from(HEADERS + PARTS), max_size=25))
def test_any_message_gives_a_document_or_a_load_error(pieces: list[str]) -> None:
    check(load(EmailLoader(), "".join(pieces).encode("latin-1")))


# Mutations: a seeded generator, a tenth of them in every run.

PAGE = """<!doctype html><html lang=en><head><meta charset=utf-8><title>Berths</title></head><body><nav>
<a href=/>Home</a></nav><main><h1 id=top>Berths</h1><p>The harbour office lists every <b>free</b> berth,
f\u00fcr Boote bis 12 m.</p>
<table><thead><tr><th>Berth<th colspan=2>Depth</thead><tr><td rowspan=2>A1<td>2 m<td>3 m<tr><td>2.5 m<td>3.5 m</table>
<ol start=3><li>Moor<ul><li>two lines</ul><li>Pay</ol><pre><code class=language-sh>tide --now</code></pre>
<blockquote>Keep clear.</blockquote><dl><dt>Ring<dd>Iron, white.</dl></main><footer>Imprint</footer></body></html>"""
MESSAGE = (
    "From: =?utf-8?q?J=C3=B6rg?= <j@x.example>\r\nTo: a@x.example\r\nSubject: Berth A1\r\nMIME-Version: 1.0\r\n"
    'Date: Mon, 1 Jan 2024 10:00:00 +0100\r\nContent-Type: multipart/alternative; boundary="b"\r\n\r\n--b\r\n'
    "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nF=C3=BCr A1:\r\n"
    "- moor\r\n- pay\r\n\r\n> When?\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    "<p>For A1</p>\r\n--b--\r\n"
)


def book() -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("META-INF/container.xml", '<container><rootfile full-path="a.opf"/></container>')
        archive.writestr(
            "a.opf",
            "<package><metadata><title>Berths</title></metadata><manifest>"
            '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
            '<spine><itemref idref="a"/></spine></package>',
        )
        archive.writestr("a.xhtml", PAGE)
    return file.getvalue()


def mutated(data: bytes, seed: int) -> bytes:
    """The data with bits flipped, pieces cut out, repeated, or exchanged for hostile ones, or its end cut off."""
    chance = random.Random(seed)
    result = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at, size = chance.randrange(len(result)), chance.randint(1, 40)
        kind = chance.choice(["flip", "cut", "repeat", "nest", "end", "swap", "nul"])
        if kind == "flip":
            result[at] ^= 1 << chance.randrange(8)
        elif kind == "cut":
            del result[at : at + size]
        elif kind == "repeat":
            result[at:at] = bytes(result[at : at + size]) * chance.randint(2, 2000)
        elif kind == "nest":
            result[at:at] = (
                chance.choice([b"<div>", b"<table><tr><td colspan=99>", b"<ul><li>", b"<b><i x>", b"--b\r\n"]) * 3000
            )
        elif kind == "end":
            del result[max(at, 1) :]
        elif kind == "swap":
            result[at : at + size] = bytes(chance.randrange(256) for _ in range(size))
        else:
            result[at:at] = b"\0"
    return bytes(result)


def campaign(seeds: range) -> Iterator[tuple[Loader, bytes]]:
    originals: tuple[tuple[Loader, bytes], ...] = (
        (HtmlLoader(), PAGE.encode()),
        (EpubLoader(), book()),
        (EmailLoader(), MESSAGE.encode()),
    )
    for loader, data in originals:
        assert load(loader, data)
        for seed in seeds:
            yield loader, mutated(data, seed)


def test_twenty_mutations_of_each_format() -> None:
    for loader, data in campaign(range(20)):
        load(loader, data)


@pytest.mark.soak
def test_two_hundred_mutations_of_each_format() -> None:
    for loader, data in campaign(range(200)):
        load(loader, data)
