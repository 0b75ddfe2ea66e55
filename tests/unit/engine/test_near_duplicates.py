"""Near-duplicates: found by sketches, judged exactly."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.engine.near_duplicates import BANDS, ROWS, near_duplicates, signatures
from pincite.text.sameness import sameness, words

WORDS = st.lists(st.sampled_from(("a", "b", "c", "漢", "漢字", "é")), max_size=12).map(" ".join)


def some_text(chance: random.Random, length: int) -> list[str]:
    return [str(chance.randrange(5000)) for _ in range(length)]


def changed(chance: random.Random, text: list[str], *, number: int) -> list[str]:
    copy = list(text)
    for place in chance.sample(range(len(copy)), number):
        copy[place] = f"new{chance.random()}"
    return copy


def naive(first: str, second: str) -> float:
    """The same formula, counted out."""
    pairs = [list(zip(words(text), words(text)[1:], strict=False)) for text in (first, second)]
    rest, common = list(pairs[1]), 0
    for pair in pairs[0]:
        if pair in rest:
            rest.remove(pair)
            common += 1
    total = len(pairs[0]) + len(pairs[1])
    return 2 * common / total if pairs[0] and pairs[1] else 0.0


@given(WORDS, WORDS)
def test_sameness_is_the_formula(first: str, second: str) -> None:
    assert sameness(words(first), words(second)) == pytest.approx(naive(first, second))
    assert sameness(words(first), words(second)) == sameness(words(second), words(first))


@given(st.lists(WORDS, max_size=12))
def test_what_is_reported_is_true(texts: list[str]) -> None:
    for twin in near_duplicates(texts, above=0.8):
        assert twin.of < twin.index
        first, second = texts[twin.of], texts[twin.index]
        same = words(first) == words(second)
        assert twin.sameness == (1.0 if same else pytest.approx(naive(first, second)))
        assert twin.sameness > 0.8


@given(st.lists(WORDS, max_size=12))
def test_equal_words_are_always_found(texts: list[str]) -> None:
    found = {twin.index for twin in near_duplicates(texts, above=0.99)}
    for index, text in enumerate(texts):
        if any(words(text) == words(earlier) for earlier in texts[:index]):
            assert index in found


def test_near_ones_are_found_and_others_are_not() -> None:
    chance = random.Random(5)
    originals = [some_text(chance, 200) for _ in range(150)]
    near = [changed(chance, text, number=5) for text in originals]
    far = [changed(chance, text, number=30) for text in originals]
    texts = [" ".join(text) for text in (*originals, *near, *far)]
    found = {twin.index: twin for twin in near_duplicates(texts, above=0.9)}
    assert set(found) == set(range(150, 300))
    assert all(twin.of == twin.index - 150 and 0.9 < twin.sameness < 1 for twin in found.values())


def test_many_alike_all_name_the_first() -> None:
    chance = random.Random(6)
    text = some_text(chance, 200)
    texts = [" ".join(text), *(" ".join(changed(chance, text, number=2)) for _ in range(300))]
    assert {twin.of for twin in near_duplicates(texts, above=0.9)} == {0}
    assert len(list(near_duplicates(texts, above=0.9))) == 300


def test_scripts_without_blanks_are_compared_by_character() -> None:
    assert words("日本語 and ก็ดี") == ["日", "本", "語", "and", "ก", "็", "ด", "ี"]
    text = "".join(chr(0x4E00 + number) for number in range(300))
    (twin,) = near_duplicates([text, text[:150] + "一" + text[151:]], above=0.9)
    assert twin.sameness == pytest.approx(1 - 2 / 299)


def test_the_miss_rate_that_the_docstring_states() -> None:
    def missed(resemblance: float) -> float:
        return (1 - resemblance**ROWS) ** BANDS

    assert 1 / missed(0.9 / 1.1) == pytest.approx(13_000, rel=0.1)
    assert 1 / missed(0.95 / 1.05) == pytest.approx(5e7, rel=0.1)


def test_sketches_estimate_the_resemblance() -> None:
    chance = random.Random(7)
    text = some_text(chance, 400)
    other = changed(chance, text, number=40)
    pairs = [set(pairwise(one)) for one in (text, other)]
    resemblance = len(pairs[0] & pairs[1]) / len(pairs[0] | pairs[1])
    (_, first), (_, second) = signatures([" ".join(text), " ".join(other)])
    assert (first == second).mean() == pytest.approx(resemblance, abs=0.15)  # 64 draws: 2.4 standard deviations


def test_batches_do_not_matter() -> None:
    texts = ["", "one", "one two", "a b c d", "", "x y"]
    whole = [(digest, rows.tolist()) for digest, rows in signatures(texts)]
    assert [(digest, rows.tolist()) for digest, rows in signatures(texts, batch_words=2)] == whole
    assert [len(rows) for _, rows in whole] == [0, 0, BANDS, BANDS, 0, BANDS]


def test_another_process_gives_the_same() -> None:
    code = (
        "from pincite.engine.near_duplicates import signatures;"
        "print([(d.hex(), s.tolist()) for d, s in signatures(['one two three', '漢字 x'])])"
    )
    environment = {"PYTHONHASHSEED": "3", "PYTHONPATH": ":".join(sys.path)}
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={**environment, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_time_grows_with_the_text() -> None:
    """Also where all texts are alike, or so nearly alike that each is compared with several."""
    chance = random.Random(8)
    text = some_text(chance, 100)
    for number in (1, 9):
        times = []
        for count in (500, 2000):
            texts = [" ".join(changed(chance, text, number=number)) for _ in range(count)]
            start = time.process_time()
            list(near_duplicates(texts, above=0.9))
            times.append(time.process_time() - start)
        assert times[1] < 4 * 2 * times[0]
