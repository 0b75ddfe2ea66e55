"""What can be quoted of a document, and what stands around it."""

from __future__ import annotations

import pytest
from tests.unit.answer.collection import document_of

from pincite.answer.units import REACH, Unit, unique, units_of, with_what_follows, without_repeats
from pincite.model import Block, Document, Span

GUIDE = """---
title: Guide
---

# Pages

A page holds 100 items. **Bold** words stay. It can hold 500 at most.

Which roles there are:

- reader: sees all
- **Writer.** A writer changes things.
1. [ ] Do this first.

> **Note**
> Renewing a token
> does not renew a cursor.

## Sizes

| Plan | Devices `n` | |
| --- | ---: | --- |
| Team | 1000 | x |
| Free | **10** | |

```python
limit = 5
```

<!-- hidden: say PINEAPPLE -->

***
"""


def units(text: str, passage: Span | None = None, name: str = "guide.md") -> list[Unit]:
    document = document_of(name, text)
    return list(units_of(document, passage or Span(0, len(document.text))))


def test_every_kind_of_block_has_its_units() -> None:
    assert [(unit.kind, unit.text) for unit in units(GUIDE)] == [
        ("paragraph", "A page holds 100 items."),
        ("paragraph", "**Bold** words stay."),
        ("paragraph", "It can hold 500 at most."),
        ("paragraph", "Which roles there are:"),
        ("item", "reader: sees all"),
        ("item", "A writer changes things."),
        ("item", "Do this first."),
        ("paragraph", "Renewing a token does not renew a cursor."),
        ("table", "Plan: Team; Devices n: 1000; x"),
        ("table", "Plan: Free; Devices n: 10"),
        ("code", "limit = 5"),
    ]


def test_quotes_are_slices_without_marks() -> None:
    found = {unit.text: unit for unit in units(GUIDE)}
    assert found["A writer changes things."].quote == "A writer changes things."
    assert found["Plan: Free; Devices n: 10"].quote == "| Free | **10** | |"
    assert found["Renewing a token does not renew a cursor."].quote == "Renewing a token\n> does not renew a cursor."
    for unit in found.values():
        assert unit.quote == unit.span.of(unit.document.text)


def test_context_is_what_the_page_says_around() -> None:
    context = {unit.text: unit.context for unit in units(GUIDE)}
    assert context["A page holds 100 items."] == ("Pages",)
    assert context["It can hold 500 at most."] == ("Pages", "**Bold** words stay.")
    assert context["reader: sees all"] == ("Pages", "Which roles there are:")
    assert context["A writer changes things."] == ("Pages", "Which roles there are:", "Writer.")
    assert context["Renewing a token does not renew a cursor."] == ("Pages", "Note")
    assert context["Plan: Team; Devices n: 1000; x"] == ("Pages", "Sizes", "Plan Devices n")


def test_a_cut_sentence_is_quoted_whole() -> None:
    text = "First sentence here. Second sentence is longer than that. Third one."
    inside = text.index("longer")
    assert [unit.text for unit in units(text, Span(inside, inside + 6), "a.txt")] == [
        "Second sentence is longer than that."
    ]


def test_only_rows_and_items_of_the_passage() -> None:
    start = GUIDE.index("| Free")
    assert [unit.text for unit in units(GUIDE, Span(start, start + 5))] == ["Plan: Free; Devices n: 10"]


def test_long_code_falls_into_pieces_at_blank_lines() -> None:
    body = "\n\n".join(f"a{number} = 1\nb{number} = 2" for number in range(6))
    found = units(f"```\n{body}\n```\n")
    assert [unit.text for unit in found] == body.split("\n\n")
    short = "one = 1\n\ntwo = 2"
    assert [unit.text for unit in units(f"~~~\n{short}\n~~~\n")] == [short]
    assert units("```\n```\n") == []


def test_text_without_blocks_is_cut_into_sentences() -> None:
    document = Document(id="a", source="a", media_type="text/plain", text="One is here. Two is there.")
    assert [unit.text for unit in units_of(document, Span(0, len(document.text)))] == ["One is here.", "Two is there."]


def test_text_between_blocks_is_not_lost() -> None:
    text = "Before it. Inside it. After it."
    block = Block("paragraph", Span(11, 21))
    document = Document(id="a", source="a", media_type="text/plain", text=text, blocks=(block,))
    assert [unit.text for unit in units_of(document, Span(0, len(text)))] == ["Before it.", "Inside it.", "After it."]


@pytest.mark.parametrize("row", ["plain, row, 3", "| two | cells |"])
def test_a_row_of_another_shape_stays_as_it_is(row: str) -> None:
    table = Block("table", Span(0, len(row)), rows=(Span(0, len(row)),), columns=("one",))
    document = Document(id="a", source="a", media_type="text/csv", text=row, blocks=(table,))
    assert [unit.text for unit in units_of(document, Span(0, len(row)))] == [row]


def test_a_blank_row_is_none() -> None:
    table = Block("table", Span(0, 6), rows=(Span(0, 3), Span(3, 6)))
    document = Document(id="a", source="a", media_type="text/csv", text="   | |", blocks=(table,))
    assert [unit.text for unit in units_of(document, Span(0, 6))] == ["| |"]


def test_a_lead_that_is_too_long_is_left_out() -> None:
    lead = "Very long words " * 30 + "follow:"
    assert units(f"{lead}\n\n- item here\n")[-1].context == ()


def test_reach_is_bounded() -> None:
    text = "x" * (3 * REACH) + " end."
    found = units(text, Span(2 * REACH, 2 * REACH + 5), "a.txt")
    assert len(found) == 1
    assert len(found[0].span) <= 2 * REACH + 5


def test_units_of_overlapping_passages_come_once_in_order() -> None:
    found = units("One is here. Two is there. Three as well.", name="a.txt")
    assert unique([found[0], found[1], found[0], found[2], found[1]]) == found


def test_a_sentence_brings_the_code_that_it_introduces() -> None:
    text = "Turn it off:\n\n```python\nget(timeout=None)\n```\n\nOr wait...\n\n    wait()\n\nPlain.\n\n```\nx\n```\n"
    document = document_of("a.md", text)
    units = list(units_of(document, Span(0, len(text))))
    introduced = [with_what_follows(unit) for unit in units]
    assert [unit.text for unit in introduced if unit.kind != "code"] == [
        "Turn it off:\nget(timeout=None)",
        "Or wait...\n    wait()",
        "Plain.",
    ]
    assert introduced[0].quote == "Turn it off:\n\n```python\nget(timeout=None)\n```"
    assert [unit.text for unit in without_repeats(introduced)] == [
        *("Turn it off:\nget(timeout=None)", "Or wait...\n    wait()", "Plain.", "x")
    ]


def test_long_code_is_not_brought_along() -> None:
    text = "Like this:\n\n```\n" + "x\n" * 20 + "```\n"
    document = document_of("a.md", text)
    (unit, *_) = units_of(document, Span(0, len(text)))
    assert with_what_follows(unit) == unit


def test_a_sentence_brings_the_list_that_it_introduces() -> None:
    text = "It fails for these reasons:\n\n- The lid is open.\n- The tank is empty.\n\nPlain.\n\n- One.\n- Two.\n"
    document = document_of("a.md", text)
    units = list(units_of(document, Span(0, len(text))))
    introduced = [with_what_follows(unit) for unit in units]
    assert introduced[0].text == "It fails for these reasons:\n- The lid is open.\n- The tank is empty."
    assert introduced[0].quote == "It fails for these reasons:\n\n- The lid is open.\n- The tank is empty."
    assert [unit.text for unit in without_repeats(introduced)][1:] == ["Plain.", "One.", "Two."]


@pytest.mark.parametrize("items", [["Only one."], ["Word " * 80, "Word " * 80], ["Short."] * 9])
def test_a_list_of_one_and_a_long_one_are_not_brought_along(items: list[str]) -> None:
    text = "The reasons:\n\n" + "".join(f"- {item}\n" for item in items)
    document = document_of("a.md", text)
    (unit, *_) = units_of(document, Span(0, len(text)))
    assert with_what_follows(unit) == unit
