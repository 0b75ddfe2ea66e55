"""Books: the order of the spine, what the package says, and books that are damaged or protected."""

from __future__ import annotations

import time
import zipfile
from io import BytesIO
from typing import Any

import pytest

from pincite.errors import LoadError
from pincite.load.epub import EpubLoader
from pincite.model import Document, Source

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)
METADATA = (
    '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title> The  Quay </dc:title>'
    "<dc:creator>A. Lind</dc:creator><dc:creator>B. Roe</dc:creator><dc:language>de-AT</dc:language>"
    "<dc:date>1999</dc:date></metadata>"
)
PAGE = '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><title/><body>{}</body></html>'
XHTML = "application/xhtml+xml"


def package(items: list[tuple[str, str, str]], spine: list[str], metadata: str = METADATA) -> str:
    """``items`` are id, address, and further attributes."""
    manifest = "".join(f'<item id="{name}" href="{href}" {more}/>' for name, href, more in items)
    references = "".join(f'<itemref idref="{name}"/>' for name in spine)
    return (
        f'<package xmlns="http://www.idpf.org/2007/opf">{metadata}<manifest>{manifest}</manifest>'
        f"<spine>{references}</spine></package>"
    )


def packed(members: dict[str, str | bytes]) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def book(pages: dict[str, str | bytes], *, more: dict[str, str | bytes] | None = None, **options: Any) -> Document:
    items = [(f"i{number}", name, f'media-type="{XHTML}"') for number, name in enumerate(pages)]
    members: dict[str, str | bytes] = {
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": package(items, [name for name, _, _ in items]),
        **{f"OEBPS/{name}": page for name, page in pages.items()},
        **(more or {}),
    }
    return EpubLoader(**options).load(Source("a.epub", packed(members)))


def refused(data: bytes) -> LoadError:
    with pytest.raises(LoadError) as caught:
        EpubLoader().load(Source("folder/a.epub", data))
    assert caught.value.file == "folder/a.epub"
    return caught.value


def test_pages_are_read_in_the_order_of_the_spine() -> None:
    items = [
        ("nav", "nav.xhtml", f'media-type="{XHTML}" properties="nav"'),
        ("two", "text/two%20b.xhtml", f'media-type="{XHTML}"'),
        ("one", "text/one.xhtml", f'media-type="{XHTML}"'),
        ("pic", "pic.svg", 'media-type="image/svg+xml"'),
    ]
    data = packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER,
            "OEBPS/book.opf": package(items, ["nav", "one", "two", "pic", "one", "missing"]),
            "OEBPS/nav.xhtml": PAGE.format("<nav><ol><li>One</ol></nav>"),
            "OEBPS/text/two b.xhtml": PAGE.format("<h1>Two</h1><p>Second."),
            "OEBPS/text/one.xhtml": PAGE.format('<a id="top"/><h1 id="one">One</h1><p>First.<p hidden="">no'),
        }
    )
    document = EpubLoader().load(Source("folder/a.epub", data))
    assert document.text == "# One\n\nFirst.\n\n# Two\n\nSecond.\n"
    assert document.metadata == {
        "title": "The Quay",
        "authors": ("A. Lind", "B. Roe"),
        "language": "de",
        "date": "1999",
    }
    assert [section.path for section in document.sections] == [("One",), ("Two",)]
    assert [place.place.element for place in document.places] == [
        "OEBPS/text/one.xhtml#one",
        "OEBPS/text/one.xhtml/body/p[1]",
        "OEBPS/text/two b.xhtml/body/h1[1]",
        "OEBPS/text/two b.xhtml/body/p[1]",
    ]
    hidden, unsupported = document.warnings
    assert (hidden.kind, unsupported.kind) == ("hidden_text", "unsupported")
    assert "characters that nobody sees" in hidden.message
    assert "pic.svg" in unsupported.message
    assert (document.id, document.media_type) == ("folder/a.epub", "application/epub+zip")


def test_a_page_that_cannot_be_read_leaves_a_notice() -> None:
    document = book({"a.xhtml": PAGE.format("<p>good"), "b.xhtml": b"%PDF-1.7"})
    assert document.text == "good\n"
    assert [notice.kind for notice in document.warnings] == ["binary"]
    assert "OEBPS/b.xhtml" in document.warnings[0].message


def test_notices_of_a_page_name_it() -> None:
    document = book({"a.xhtml": "<meta charset=iso-8859-1><p>Größe".encode()})
    assert document.warnings[0].message.startswith("OEBPS/a.xhtml: the page declares")


def test_a_book_without_text_warns() -> None:
    document = book({"a.xhtml": PAGE.format("<img src='a.png'/>")})
    assert (document.text, [notice.kind for notice in document.warnings]) == ("", ["empty"])


def test_a_book_of_which_nothing_can_be_read_is_refused() -> None:
    with pytest.raises(LoadError) as caught:
        book({"a.xhtml": b"%PDF-1.7"})
    assert caught.value.kind == "corrupt"


def test_protected_pages_are_told_from_obscured_fonts() -> None:
    def encryption(name: str) -> dict[str, str | bytes]:
        return {"META-INF/encryption.xml": f'<encryption><CipherReference URI="{name}"/></encryption>'}

    assert book({"a.xhtml": PAGE.format("x")}, more=encryption("OEBPS/font.otf")).text == "x\n"
    with pytest.raises(LoadError) as caught:
        book({"a.xhtml": PAGE.format("x")}, more=encryption("OEBPS/a.xhtml"))
    assert caught.value.kind == "encrypted"


@pytest.mark.parametrize(
    ("members", "kind"),
    [
        ({}, "corrupt"),
        ({"META-INF/container.xml": "<container"}, "corrupt"),
        ({"META-INF/container.xml": "<container/>"}, "corrupt"),
        ({"META-INF/container.xml": CONTAINER}, "corrupt"),
        ({"META-INF/container.xml": CONTAINER, "OEBPS/book.opf": "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"}, "unsafe"),
    ],
)
def test_damaged_and_unsafe_books_are_refused(members: dict[str, str | bytes], kind: str) -> None:
    assert refused(packed(members)).kind == kind


def test_names_that_climb_are_names_only() -> None:
    assert book({"../../a.xhtml": PAGE.format("x")}, more={"../a.xhtml": PAGE.format("climbed")}).text == "climbed\n"


def test_limits() -> None:
    assert refused(b"").kind == "corrupt"
    with pytest.raises(LoadError) as caught:
        book({"a.xhtml": PAGE.format("x" * 1000)}, max_expanded_bytes=1500)
    assert caught.value.kind == "too_large"
    with pytest.raises(LoadError) as caught:
        book({"a.xhtml": PAGE.format("x" * 1000)}, max_page_bytes=500)
    assert caught.value.kind == "too_large"
    table = "<table><tr><th>a</th><th>b</th></tr><tr><td colspan='900'>c</td></tr></table>"
    with pytest.raises(LoadError) as caught:
        book({"a.xhtml": PAGE.format(table)}, max_cells=100)
    assert caught.value.kind == "too_large"
    assert "OEBPS/a.xhtml" in str(caught.value)


@pytest.mark.parametrize(("option", "limit"), [("max_elements", 3), ("max_blocks", 1)])
def test_large_pages_are_refused(option: str, limit: int) -> None:
    options: dict[str, Any] = {option: limit}
    with pytest.raises(LoadError, match=f"OEBPS/a.xhtml: .*{option}") as caught:
        book({"a.xhtml": PAGE.format("<p>one</p><p>two</p>")}, **options)
    assert caught.value.kind == "too_large"


BOMB = "".join(f"<!ENTITY e{number} '{f'&e{number - 1};' * 10}'>" for number in range(1, 10))
DOCTYPES = {
    "bomb": f"<!DOCTYPE x [<!ENTITY e0 'boom'>{BOMB}]>",
    "file": "<!DOCTYPE x [<!-- ]> ' --><!ENTITY e9 SYSTEM 'file:///etc/passwd'>]>",
    "parameter": "<!DOCTYPE x [<!ENTITY % p SYSTEM 'http://127.0.0.1:9/p.dtd'> %p; <?pi ]>?>]>",
    "address": "<!DOCTYPE x SYSTEM 'http://127.0.0.1:9/x.dtd'>",
    "strict": "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.1//EN' 'http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd'>",
}


@pytest.mark.parametrize("name", DOCTYPES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("part", ["META-INF/container.xml", "OEBPS/book.opf", "META-INF/encryption.xml"])
def test_document_types_in_what_describes_a_book_are_refused(name: str, encoding: str, part: str) -> None:
    contents = {
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": package([("a", "a.xhtml", f'media-type="{XHTML}"')], ["a"]),
        "META-INF/encryption.xml": "<encryption/>",
        "OEBPS/a.xhtml": PAGE.format("<p>text</p>"),
    }
    declared = f'<?xml version="1.0" encoding="{encoding}"?>{DOCTYPES[name]}{contents[part].replace("A. Lind", "&e9;")}'
    assert refused(packed({**contents, part: declared.encode(encoding)})).kind == "unsafe"


@pytest.mark.parametrize("name", DOCTYPES)
@pytest.mark.parametrize(
    "page", ["<p>{}&nbsp;&eacute;&e9;</p>", PAGE.partition("?>")[2].format("<p>{}&nbsp;&eacute;&e9;</p>")]
)
def test_document_types_of_pages_are_not_believed(name: str, page: str) -> None:
    """Nothing that they declare is read; the names that HTML knows are."""
    start = time.process_time()
    text = f'<?xml version="1.0"?>\n{DOCTYPES[name]}{page.format("one")}'
    ncx = f"{DOCTYPES[name]}<ncx><text>&e9;</text></ncx>"
    assert book({"a.xhtml": text}, more={"OEBPS/toc.ncx": ncx}).text == "one é&e9;\n"
    assert time.process_time() - start < 1


@pytest.mark.parametrize("start", ["", "<?xml version='1.0'?>", "<!DOCTYPE html>"])
def test_short_forms_are_those_of_xhtml_whatever_the_start_of_a_page(start: str) -> None:
    assert book({"a.xhtml": f"{start}<html><body><p><b/>one<i/></p><script/>two</body></html>"}).text == "one\n\ntwo\n"


@pytest.mark.parametrize(
    "option", ["max_bytes", "max_expanded_bytes", "max_page_bytes", "max_elements", "max_blocks", "max_cells"]
)
def test_options_are_checked(option: str) -> None:
    options: dict[str, Any] = {option: 0}
    with pytest.raises(ValueError, match=option):
        EpubLoader(**options)
