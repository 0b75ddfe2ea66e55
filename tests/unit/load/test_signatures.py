"""A file under a wrong name is told from a damaged one, and what it seems to be is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tools.make_golden_docx import archive, docx, paragraph
from tools.make_golden_office import berths, notebook, ole, presentation, workbook, xls

from pincite import catalogue
from pincite.errors import LoadError
from pincite.load.signatures import binary_format, misnamed
from pincite.model import Source

GOLDEN = Path(__file__).parents[2] / "golden"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)
PDF = (GOLDEN / "pdf/hyphens.pdf").read_bytes()
BOOK = (GOLDEN / "epub/quay.epub").read_bytes()
DOCX = docx(paragraph("a"))
XLSX = workbook(berths)
PPTX = presentation()
# Its first member says what it is, and is not packed.
ODT = b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/vnd.oasis.opendocument.text" + archive({"content.xml": b"x"})
PAGE = b"\xef\xbb\xbf\n<!DOCTYPE html><p>x"


def refusal(data: bytes, path: str) -> LoadError:
    name = next(row.name for row in catalogue.rows("load") if path[path.rindex(".") :] in row.suffixes)
    loader: Any = catalogue.create("load", name)
    with pytest.raises(LoadError) as caught:
        loader.load(Source(path, data))
    assert caught.value.file == path
    return caught.value


@pytest.mark.parametrize("path", ["a.docx", "a.xlsx", "a.pptx"])
@pytest.mark.parametrize(
    ("data", "seems", "cure"),
    [
        (PNG, "a PNG picture", "Leave it out."),
        (PDF, "a PDF document", "Rename it to .pdf."),
        (BOOK, "an EPUB book", "Rename it to .epub."),
        (b"Dear all,\n\nplease \xc3\xa4", "plain text", "Rename it to .txt."),
        (PAGE, "an HTML page", "Rename it to .html."),
        (ole("WordDocument", b"x"), "a Word document from before 2007", "Save it as .docx."),
        (ole("__substg1.0_0037001F", b"x"), "an Outlook message", "Save it as .eml."),
        (b"{\\rtf1 text}", "an RTF document", "Save it as .docx."),
    ],
    ids=["png", "pdf", "epub", "text", "html", "doc", "msg", "rtf"],
)
def test_a_wrong_suffix_of_an_office_file(path: str, data: bytes, seems: str, cure: str) -> None:
    error = refusal(data, path)
    assert error.kind == "unsupported"
    assert str(error) == f"{path}: is no {path[2:].upper()} file; it looks like {seems}. {cure}"


@pytest.mark.parametrize(
    ("path", "data", "seems"),
    [
        ("a.docx", XLSX, "an Excel workbook"),
        ("a.docx", PPTX, "a PowerPoint presentation"),
        ("a.docx", ODT.replace(b"text", b"spreadsheet"), "an OpenDocument spreadsheet"),
        ("a.docx", ODT, "an OpenDocument text"),
        ("a.pptx", DOCX, "a Word document"),
        ("a.pptx", XLSX, "an Excel workbook"),
        ("a.pptx", xls([(0, 0, "a")]), "an Excel workbook from before 2007"),
        ("a.xlsx", DOCX, "a Word document"),
        ("a.xlsx", PPTX, "a PowerPoint presentation"),
        ("a.xls", PAGE, "an HTML page"),
        ("a.md", PNG, "a PNG picture"),
        ("a.txt", PDF, "a PDF document"),
        ("a.csv", XLSX, "an Excel workbook"),
        ("a.py", DOCX, "a Word document"),
        ("a.ipynb", PPTX, "a PowerPoint presentation"),
        ("a.json", b"\x1f\x8b\x08" + bytes(10), "a gzip archive"),
        ("a.rst", archive({"a": b"x"}), "a ZIP archive"),
        ("a.eml", ole("__substg1.0_0037001F", b"x"), "an Outlook message"),
        ("a.eml", PDF, "a PDF document"),
    ],
)
def test_other_wrong_suffixes(path: str, data: bytes, seems: str) -> None:
    error = refusal(data, path)
    assert error.problem == f"is no {path[2:].upper()} file; it looks like {seems}"
    assert error.kind in ("unsupported", "binary")


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("a.docx", DOCX[:-30]),
        ("a.docx", b"\x00\x01 \xff"),
        ("a.docx", b""),
        ("a.xlsx", archive({"a.xml": b"<a/>"})),
        ("a.xls", xls([(0, 0, "a")])[:600]),
        ("a.xls", ole("Other", b"x")),
        ("a.docm", DOCX),
    ],
)
def test_what_may_be_damaged_is_not_called_something_else(path: str, data: bytes) -> None:
    assert misnamed(Source(path, data)) is None


def test_members_of_archives_inside_do_not_count() -> None:
    inner = archive({"word/document.xml": b"x"})
    found = binary_format(archive({"ppt/presentation.xml": b"x", "ppt/embeddings/a.docx": inner}))
    assert found
    assert found.noun == "a PowerPoint presentation"
    cut = binary_format(DOCX[: DOCX.rindex(b"PK\x05\x06")])
    assert cut
    assert cut.noun == "a Word document"


def test_a_file_without_a_suffix() -> None:
    error = misnamed(Source("README", PDF))
    assert error
    assert error.problem == "is no text file; it looks like a PDF document"


def test_text_that_begins_like_nothing_else() -> None:
    for data in (b"GIF is a format", b"# PK\x03\x04", notebook(), b"\xd0\x9f\xd1\x80", b""):
        assert binary_format(data) is None
