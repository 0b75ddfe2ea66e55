"""What is done in the process apart, done in this one."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest
from tools.make_golden_pdf import GOLDEN, manual, pdf, raw_pdf, text_page

from pincite.errors import LoadError
from pincite.load.pdf import worker
from pincite.load.pdf.loader import PdfLoader
from pincite.load.pdf.transfer import packed, unpacked
from pincite.model import Source

ARGUMENTS: dict[str, Any] = {
    "path": "a.pdf",
    "password": "",
    "max_pages": 100,
    "max_characters": 1_000_000,
    "ocr": "",
    "recognised": {},
}


@pytest.mark.parametrize("name", ["manual", "statement", "rotated"])
def test_a_document_comes_out_whole(name: str) -> None:
    data = (GOLDEN / f"{name}.pdf").read_bytes()
    (found,) = worker.load(ARGUMENTS, data)
    document = unpacked(json.loads(json.dumps(found["document"])))
    assert packed(document) == found["document"]
    assert document == PdfLoader().load(Source("a.pdf", data))


def test_pages_that_wait_for_a_recognition() -> None:
    data = pdf(text_page("Words."), lambda canvas: canvas.rect(100, 100, 50, 50), lang="de")
    (found,) = worker.load({**ARGUMENTS, "ocr": "dots"}, data)
    assert found == {"unread": (2,), "language": "de"}
    read = {"2": {"words": [["Tide", 10, 10, 60, 18, 0.5, 1]], "scale": 1.0}}
    (found,) = worker.load({**ARGUMENTS, "ocr": "dots", "recognised": read}, data)
    assert found["document"]["text"] == "Words.\n\nTide\n"


def test_a_page_in_grey() -> None:
    data = pdf(lambda canvas: canvas.rect(0, 0, 300, 842, stroke=0, fill=1))
    (drawn,) = worker.render({"path": "a.pdf", "password": "", "page": 1, "scale": 0.5}, data)
    pixels = zlib.decompress(base64.b64decode(drawn["pixels"]))
    assert (drawn["width"], drawn["height"], len(pixels)) == (298, 421, 298 * 421)
    assert {*pixels[:140], *pixels[-298:-158]} == {0}
    assert {*pixels[160:298], *pixels[-138:]} == {255}


def test_a_page_that_cannot_be_drawn() -> None:
    objects: dict[int, str | bytes] = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: "<< /Type /Pages /Kids [9 0 R] /Count 1 >>",
    }
    with pytest.raises(LoadError, match="page 1 cannot be read"):
        list(worker.render({"path": "a.pdf", "password": "", "page": 1, "scale": 1.0}, raw_pdf(objects)))


def test_a_page_with_outlines() -> None:
    request = {"path": "a.pdf", "password": "", "page": 1, "scale": 1.0, "boxes": [["heading", 10, 20, 60, 50]]}
    (picture,) = worker.draw(request, manual())
    assert base64.b64decode(picture).startswith(b"\x89PNG")


def test_the_sample_is_read() -> None:
    worker.warm_up()
