"""What is done with a workbook in the process apart, done in this one."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
import xlsxwriter  # type: ignore[import-untyped] # ships no types

from pincite.errors import LoadError
from pincite.load.sheet_cells import parts

LIMITS = {"max_cells": 1000, "max_characters": 1000}


def workbook() -> bytes:
    buffer = BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    fish = book.add_worksheet("fish")
    fish.write_row(1, 2, ["Cod", 4.5])
    fish.write_row(3, 2, ["Eel", 6])
    fish.merge_range(5, 2, 5, 3, "All fish")
    book.add_worksheet("empty").hide()
    chart = book.add_chart({"type": "line"})
    chart.add_series({"values": "=fish!$D$2:$D$4"})
    book.add_chartsheet("drawn").set_chart(chart)
    book.close()
    return buffer.getvalue()


def test_the_head_of_each_sheet_and_its_rows() -> None:
    found = list(parts(LIMITS, workbook()))
    assert [part["name"] for part in found if isinstance(part, dict)] == ["fish", "empty", "drawn"]
    assert found[0]["first_column"] == 2
    assert found[1:4] == [[2, ["Cod", "4.5"]], [4, ["Eel", "6"]], [6, ["All fish", ""]]]
    assert [(part["hidden"], part["cells"]) for part in found if isinstance(part, dict)] == [
        (False, True),
        (True, True),
        (False, False),
    ]


@pytest.mark.parametrize(
    ("data", "limits", "kind", "words"),
    [
        (workbook(), {"max_cells": 9}, "too_large", "max_cells"),
        (workbook(), {"max_characters": 9}, "too_large", "max_characters"),
        (b"nothing of the kind", {}, "corrupt", "no workbook"),
    ],
    ids=range(3),
)
def test_refusals(data: bytes, limits: dict[str, Any], kind: str, words: str) -> None:
    with pytest.raises(LoadError) as caught:
        list(parts({**LIMITS, **limits}, data))
    assert (caught.value.kind, words in caught.value.problem) == (kind, True)
