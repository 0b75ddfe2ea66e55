"""The checker of the chunking bench finds what is wrong, and only that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest
from bench.chunking_invariants import COLUMNS, applicable, check
from bench.chunking_rows import Cut, Row
from bench.chunking_truth import read
from bench.chunking_verdicts import smallest

TABLE = "| name | size |\n|---|---|\n| one | 1 |\n| two | 2 |\n"
FENCE = "```sh\n# no heading\nls\n```\n"
TEXT = (
    f"# Guide\n\n## Cutting\n\nIt cuts. Nothing is lost.\n\n{FENCE}\n## Tables\n\n{TABLE}\n- an item\n  on two lines\n"
)
EMOJI = "👩\u200d🌾"


def row(**options: object) -> Row:
    settings: dict[str, object] = {"name": "x", "family": "x", "make": list, "counter": "characters", "limit": 200}
    return Row(**{**settings, **options})  # type: ignore[arg-type] # each test gives what it needs


def own(**options: object) -> Row:
    return row(own=True, traits=frozenset({"capped", "whole-blocks"}), **options)


def cut_at(
    text: str, *borders: int, headings: Sequence[tuple[str, ...] | None] = (), prefixes: Sequence[str] = ()
) -> list[Cut]:
    """The text cut at those places, with true sizes."""
    bounds = [0, *borders, len(text)]
    cuts = []
    for index, (start, end) in enumerate(pairwise(bounds)):
        prefix = prefixes[index] if index < len(prefixes) else ""
        path = headings[index] if index < len(headings) else None
        size = end - start + (len(prefix) + 2 if prefix else 0)
        cuts.append(Cut(text[start:end], start, end, path, prefix, size))
    return cuts


def found(text: str, cuts: Sequence[Cut], chunker: Row) -> Counter[str]:
    return Counter(finding.column for finding in check(read(text), cuts, chunker).findings)


def test_one_chunk_that_is_the_text_breaks_nothing() -> None:
    assert found(TEXT, cut_at(TEXT, headings=[("Guide",)]), own(limit=len(TEXT))) == {}


def test_the_same_without_offsets() -> None:
    result = check(read(TEXT), [Cut(TEXT)], row(limit=len(TEXT)))
    assert not result.findings
    assert result.totals["no offset"] == 1
    assert result.totals["fence"] == 1
    assert result.totals["block"] == 3


@pytest.mark.parametrize("offsets", [True, False])
def test_lost_lines_are_counted(offsets: bool) -> None:
    place = TEXT.index("It cuts.")
    cuts = [Cut(TEXT[:place], 0, place), Cut(TEXT[place + 26 :], place + 26, len(TEXT))]
    if not offsets:
        cuts = [Cut(cut.text) for cut in cuts]
    assert found(TEXT, cuts, row())["lost"] == 1


def test_front_matter_need_not_be_in_a_chunk() -> None:
    text = "---\ntitle: T\n# not: this\n---\n\n# One\n\nText.\n"
    start = text.index("# One")
    assert found(text, [Cut(text[start:], start, len(text), ("One",), "", len(text) - start)], own()) == {}


def test_headings_may_be_in_paths_only_where_the_strategy_says_so() -> None:
    text = "# One\n\nText.\n"
    cuts = [Cut("Text.", 7, 12, ("One",), "One", 10)]
    assert found(text, cuts, row(own=True, limit=None))["lost"] == 1
    assert found(text, cuts, row(own=True, limit=None, traits=frozenset({"headings-apart"}))) == {}


def test_offsets_that_are_no_slice_are_counted() -> None:
    assert found("one two", [Cut("one", 0, 3), Cut("two", 3, 6)], row())["offsets"] == 1


def test_order_blanks_and_overlap() -> None:
    assert found("one two", [Cut("one ", 0, 4), Cut("e two", 2, 7)], row())["order"] == 1
    assert found("one two", [Cut("two", 4, 7), Cut("one ", 0, 4)], row())["order"] == 1
    assert found("a  b", [Cut("a", 0, 1), Cut("  ", 1, 3), Cut("b", 3, 4)], row())["order"] == 1


def test_sizes_and_limits() -> None:
    assert found("word", [Cut("word", 0, 4, (), "", 5)], own()) == {"tokens": 1}
    assert found("word", [Cut("word", 0, 4, (), "", 4)], own(limit=3)) == {"over": 1}
    assert found("word", [Cut("word", 0, 4, (), "pre", 9)], own(limit=9)) == {}
    assert found("word", [Cut("word", 0, 4, (), "pre", 9)], own(limit=8)) == {"over": 1}
    assert found("word", [Cut("word", 0, 4, (), "longer", 12)], own(limit=11)) == {"over": 1}
    assert found("a", [Cut("a", 0, 1, (), "longer", 9)], own(limit=10)) == {"over": 1}, "a prefix over half the limit"


def test_one_cluster_may_be_over_the_limit() -> None:
    assert found(EMOJI, [Cut(EMOJI, 0, 3, (), "", 3)], own(limit=2)) == {}


@pytest.mark.parametrize("offsets", [True, False])
@pytest.mark.parametrize(("inside", "column"), [("# no heading", "fence"), ("on two lines", "block")])
def test_blocks_that_fit_are_not_cut(inside: str, column: str, *, offsets: bool) -> None:
    cuts = cut_at(TEXT, TEXT.index(inside))
    if not offsets:
        cuts = [Cut(cut.text) for cut in cuts]
    assert found(TEXT, cuts, row())[column] == 1
    assert found(TEXT, cuts, row(limit=8))[column] == 0, "it does not fit"


def test_a_row_is_not_cut() -> None:
    cuts = cut_at(TEXT, TEXT.index("| 2 |"))
    assert found(TEXT, cuts, row())["block"] == 1


def test_the_marker_counts_with_its_item() -> None:
    text = "> - ab\n>   cd\n"
    cuts = cut_at(text, text.index("cd"))
    assert found(text, cuts, row(limit=13))["block"] == 1
    assert found(text, cuts, row(limit=12))["block"] == 0


def test_sentences_are_cut_at_their_ends_only() -> None:
    text = "It cuts here. Nothing is lost, etc. at all."
    assert found(text, cut_at(text, 14), row())["sentence"] == 0
    assert found(text, cut_at(text, 17), row())["sentence"] == 1
    assert found(text, cut_at(text, 17), row(limit=10))["sentence"] == 0, "it does not fit"


def test_a_table_goes_on_with_its_header() -> None:
    border = TEXT.index("| two")
    without = cut_at(TEXT, border)
    assert found(TEXT, without, row())["table"] == 1
    assert found(TEXT, [Cut(cut.text) for cut in without], row())["table"] == 1
    with_header = cut_at(TEXT, border, prefixes=["", TABLE[: TABLE.index("| one")].strip()])
    assert found(TEXT, with_header, row())["table"] == 0
    assert found(TEXT, without, row(limit=40))["table"] == 0, "the header is over half the limit"


@pytest.mark.parametrize("offsets", [True, False])
def test_chunks_of_nothing_but_headings(offsets: bool) -> None:
    text = "# Guide\n\n## Cutting\n\nIt cuts.\n\n## Empty\n\n## End\n"
    cuts = cut_at(text, text.index("It cuts"), text.index("## Empty"))
    if not offsets:
        cuts = [Cut(cut.text) for cut in cuts]
    assert found(text, cuts, row())["only"] == 1, "no text follows the last heading"
    assert found(text, cuts, row(limit=12))["only"] == (0 if offsets else 1), "heading and text do not fit together"


def test_replacement_characters_count_where_the_text_has_none() -> None:
    assert found("中文", [Cut("中\ufffd"), Cut("\ufffd")], row())["damaged"] == 2
    assert found("a\ufffd", [Cut("a\ufffd", 0, 2)], row())["damaged"] == 0


@pytest.mark.parametrize(
    ("text", "border"), [("a\r\nb", 2), ("e\u0301x", 1), (f"{EMOJI}!", 1), ("🇩🇪🇫🇷", 1), ("\u1100\u1161", 1)]
)
def test_borders_inside_a_grapheme(text: str, border: int) -> None:
    assert found(text, cut_at(text, border), row())["grapheme"] == 2, "the end of one chunk, the start of the next"


def test_borders_between_graphemes() -> None:
    assert found("🇩🇪🇫🇷中文 e\u0301x", cut_at("🇩🇪🇫🇷中文 e\u0301x", 2, 4, 5, 9), row())["grapheme"] == 0


def test_a_chunk_that_begins_with_a_mark_without_offsets() -> None:
    assert found("e\u0301x", [Cut("e"), Cut("\u0301x")], row())["grapheme"] == 1


def test_paths() -> None:
    text = (
        "# Guide\n\n## `Cut` it {#cut}\n\nIt cuts, in many words.\n\n## Other\n\nMore words follow than in that one.\n"
    )
    border = text.index("It cuts")
    border_after = text.index("## Other")
    paths = [("Guide",), ("Guide", "Cut it"), ("Guide", "Other")]
    assert found(text, cut_at(text, border, border_after, headings=paths), own()) == {"only": 1}
    wrong = [("Guide",), ("Guide",), ("Guide", "Other")]
    assert found(text, cut_at(text, border, border_after, headings=wrong), own())["path"] == 2, (
        "of the chunk itself, and of the section whose words it has"
    )
    over_both = cut_at(text, border, headings=[("Guide",), ("Guide", "Cut it")])
    assert found(text, over_both, own())["path"] == 1, "its text is of both sections, its path of one"
    peer = [
        Cut("It cuts, in many words.", headings=("Guide", "Cut it")),
        Cut("More words follow than in that one.", headings=("Guide",)),
    ]
    assert found(text, peer, row())["path"] == 1


def test_false_headings() -> None:
    cuts = cut_at(TEXT, headings=[("Guide", "no heading")])
    assert found(TEXT, cuts, row(limit=None)) == {"false": 1}


def test_the_reading_of_a_text() -> None:
    text = (
        "Top\n===\n\n~~~\n# code\n~~~\n\n> ## quoted\n\n<!--\n# comment\n-->\n\n    # indented\n\n"
        "### `A` [b](c) #\n\n| h |\n|---|\n| r |\n"
    )
    truth = read(text)
    assert [heading.names for heading in truth.headings] == [("Top",), ("Top", "A b")]
    assert [(unit.kind, text[unit.start : unit.end]) for unit in truth.units] == [
        ("fence", "~~~\n# code\n~~~"),
        ("indented code", "# indented"),
        ("row", "| r |"),
    ]


def test_every_column_applies_to_some_row() -> None:
    assert applicable(own()) | {"sentence"} == set(COLUMNS)
    assert applicable(row(own=True, limit=None)).isdisjoint({"over", "fence", "only"})
    assert "tokens" not in applicable(row())


def test_the_smallest_input_still_shows_the_fault() -> None:
    def work(item: object) -> list[Cut]:
        text: str = item.text  # type: ignore[attr-defined] # an Item
        return [Cut(part) for part in text.split("x")]

    def cuts(result: list[Cut]) -> list[Cut]:
        return result

    text = "One line.\n\nA line with x in it.\n\nAnother one.\n"
    assert smallest(text, row(make=lambda: work, cuts=cuts), "lost") == "x"
