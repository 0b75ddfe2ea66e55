"""Which lines of a hit `pincite search` prints."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.cli.finding import LINES_SHOWN, print_hit, telling
from pincite.model import Chunk, Hit, Located, Place, Span
from pincite.text.terms import Analyser

ANALYSER = Analyser()
WORDS = ["ferry", "noon", "pier", "bread", "salt"]


def hit_of(lines: Sequence[str]) -> Hit:
    text = "\n".join(lines)
    chunk = Chunk(id="a", document_id="a.md", number=1, span=Span(0, len(text)), text=text, tokens=9)
    return Hit(located=Located(chunk=chunk, place=Place(line=1)), rank=1, score=0.5)


def shown(lines: Sequence[str], query: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    print_hit(hit_of(lines), query, ANALYSER)
    return [line.removeprefix("   | ") for line in capsys.readouterr().out.splitlines() if line.startswith("   | ")]


def test_what_was_asked_for_is_shown_though_it_stands_far_down(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [*(f"Bread {number}" for number in range(6)), "The ferry leaves", "at noon.", "Salt.", "Butter.", "Oil."]
    assert shown(lines, "ferries at noon", capsys) == ["… 6 lines before", *lines[6:10], "… 1 more line"]
    assert shown(lines, "oil", capsys) == ["… 7 lines before", *lines[7:]]


def test_the_beginning_is_shown_where_nothing_says_more(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["# Ferries", "", *(f"Ferry {number}" for number in range(6))]
    assert shown(lines, "ferry", capsys) == ["# Ferries", "Ferry 0", "Ferry 1", "Ferry 2", "… 3 more lines"]
    assert shown(lines, "lighthouse", capsys)[0] == shown(lines, "?", capsys)[0] == "# Ferries"
    assert shown(lines[:4], "ferry", capsys) == ["# Ferries", "Ferry 0", "Ferry 1"]
    print_hit(hit_of([*lines, "lighthouse"]))
    assert "   | # Ferries\n" in capsys.readouterr().out


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join), min_size=1, max_size=12))
def test_no_other_lines_have_more_of_the_query(lines: list[str]) -> None:
    query = ["ferry", "noon", "pier"]
    start = telling(lines, ANALYSER.query_terms(" ".join(query)), ANALYSER)

    def had(at: int) -> int:
        return len(set(query) & set(" ".join(lines[at : at + LINES_SHOWN]).split()))

    assert 0 <= start <= max(len(lines) - LINES_SHOWN, 0)
    assert had(start) == max(map(had, range(len(lines) + 1)))
