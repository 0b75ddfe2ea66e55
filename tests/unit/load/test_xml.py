"""XML from files of strangers: no document types, no entities, nothing from outside, no depth without end."""

from __future__ import annotations

import time

import pytest

from pincite.errors import LoadError
from pincite.load.xml import parse_xml

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BOMB = f'<!DOCTYPE a [<!ENTITY l0 "ha">{LAUGHS}]><a b="&l9;">&l9;</a>'


def kind_of(data: bytes, **limits: int) -> str:
    with pytest.raises(LoadError) as caught:
        parse_xml(data, path="a.docx", part="word/document.xml", **limits)
    assert caught.value.file == "a.docx"
    assert "word/document.xml" in caught.value.problem
    return caught.value.kind


def test_comments_and_instructions_are_no_elements() -> None:
    root = parse_xml(b"<?xml version='1.0'?><!-- <!DOCTYPE x> --><a><!-- c --><?p i?>t<b/></a>", path="a", part="p")
    assert [element.tag for element in root.iter()] == ["a", "b"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("prolog", ["", "  ", "<!-- c -->\n<?p i?>"])
def test_a_document_type_is_unsafe_in_every_encoding(encoding: str, prolog: str) -> None:
    start = time.process_time()
    assert kind_of(f"{prolog}{BOMB}".encode(encoding)) == "unsafe"
    assert time.process_time() - start < 1


def test_a_document_type_in_an_encoding_that_hides_it_is_unsafe() -> None:
    declared = b'<?xml version="1.0" encoding="utf-7"?>+ADwAIQ-DOCTYPE a [ ]+AD4APA-a/+AD4-'
    assert kind_of(declared) in ("unsafe", "corrupt")
    in_ebcdic = '<?xml version="1.0" encoding="cp037"?><!DOCTYPE a [ ]><a/>'.encode("cp037")
    assert kind_of(in_ebcdic) in ("unsafe", "corrupt")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "corrupt"),
        (b"<a>", "corrupt"),
        (b"<a>&b;</a>", "corrupt"),
        (b'<?xml version="1.0" encoding="no-such"?><a/>', "corrupt"),
        (b"\0\0\0\0", "corrupt"),
        (b"<a>" * 300 + b"</a>" * 300, "unsafe"),
        (b"<a>" + b"x" * 10_100_000 + b"</a>", "unsafe"),
        (b"<?" * 5000, "corrupt"),
    ],
    ids=["empty", "open", "entity", "encoding", "nul", "deep", "long", "instructions"],
)
def test_what_cannot_be_read_is_told_apart(data: bytes, kind: str) -> None:
    assert kind_of(data) == kind


def test_the_number_of_elements_is_limited() -> None:
    data = b"<a>" + b"<b/>" * 100 + b"</a>"
    assert kind_of(data, max_elements=50) == "too_large"
    assert len(parse_xml(data, path="a", part="p", max_elements=51)) == 100
