import subprocess
import sys
import time

import pytest

from pincite.ports import Counter
from pincite.text.counters import (
    ENCODINGS,
    PIECE_CHARACTERS,
    CharacterCounter,
    TokenCounter,
    WordCounter,
    additive_border,
)
from pincite.text.tokenizers import loaded_encoding

COUNTERS: list[Counter] = [
    CharacterCounter(),
    WordCounter(),
    *(TokenCounter(name) for name in ENCODINGS),
]
names = [counter.name for counter in COUNTERS]


def test_names() -> None:
    assert names == ["characters", "words", "o200k_base", "cl100k_base"]
    assert TokenCounter() == TokenCounter(name="o200k_base")


@pytest.mark.parametrize("name", ["", "O200K_BASE", "gpt-4", "words", "p50k_base"])
def test_an_unknown_encoding_is_an_error_at_once(name: str) -> None:
    with pytest.raises(ValueError, match=f"unknown encoding '{name}'; known are o200k_base, cl100k_base"):
        TokenCounter(name)


COUNTS = {
    "empty": ("", 0, 0, 0, 0),
    "blank": (" \n ", 3, 0, 2, 2),
    "greeting": ("Hello world", 11, 2, 2, 2),
    "special": ("<|endoftext|>", 13, 1, 7, 7),
    "surrogate": ("a\ud800b", 3, 1, 3, 3),
    "nul": ("a\x00b", 3, 1, 3, 3),
}


@pytest.mark.parametrize(("text", "characters", "words", "o200k", "cl100k"), COUNTS.values(), ids=COUNTS)
def test_counts(text: str, characters: int, words: int, o200k: int, cl100k: int) -> None:
    assert [counter.count(text) for counter in COUNTERS] == [characters, words, o200k, cl100k]


@pytest.mark.parametrize("counter", COUNTERS, ids=names)
@pytest.mark.parametrize("text", ["", " ", "a b", "\x00", "\ud83d\ude00x", "é 漢字 👩\u200d🌾", "\ufeffa"])
def test_there_is_one_start_for_each_unit(counter: Counter, text: str) -> None:
    starts = counter.starts(text)
    assert len(starts) == counter.count(text)
    assert starts == sorted(starts)
    assert all(0 <= start < len(text) for start in starts)


def test_words_are_those_of_split() -> None:
    text = "\x1fa\u00a0b\u200bc\u2003 d\x85"
    starts = WordCounter().starts(text)
    assert [text[start] for start in starts] == [word[0] for word in text.split()]


def test_tokens_of_one_character_share_its_start() -> None:
    assert TokenCounter("cl100k_base").starts("a𒀀b") == [0, 1, 1, 1, 1, 2]


@pytest.mark.parametrize("name", ENCODINGS)
def test_starts_are_those_of_the_encoder(name: str) -> None:
    encoding = loaded_encoding(name)
    text = "Grüße, 漢字かな 👩\u200d🌾 क्षि \u0301\u0301 𒀀𒀁\n\n  x = 'é'"
    decoded, offsets = encoding.decode_with_offsets(encoding.encode_ordinary(text))
    assert decoded == text
    assert TokenCounter(name).starts(text) == offsets


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_long_text_is_counted_in_pieces_and_exactly(name: str) -> None:
    text = "Grüße, it's 漢字。\n\n  def f(x): return x/2\r\n/path\t  \n" * 4_000
    assert len(text) > PIECE_CHARACTERS * 3
    assert TokenCounter(name).count(text) == len(loaded_encoding(name).encode_ordinary(text))
    assert TokenCounter(name).starts(text)[-1] < len(text)


# No token reaches over a place of the kind that ends a piece; these have none, or hardly any.
ENDLESS = {
    "letters": "a" * 320_001,
    "blanks": " " * 320_001,
    "line ends": "\n" * 320_001,
    "stops": "." * 320_001,
    "signs of four bytes": "𒀀" * 220_001,
    "ideographs": "漢字" * 110_000,
    "ideographs with stops": "漢字漢字漢字。" * 50_000,
    "emoji": "👩\u200d🌾" * 80_000,
    "a million": "ab" * 600_000,
}


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_a_text_without_any_border_is_counted(name: str, text: str) -> None:
    before = time.process_time()
    count = TokenCounter(name).count(text)
    assert 0 < count <= len(text.encode())
    assert time.process_time() - before < 10


@pytest.mark.parametrize("name", ENCODINGS)
def test_cuts_in_an_endless_word_do_not_depend_on_what_stands_around(name: str) -> None:
    counter = TokenCounter(name)
    before, endless, after = "So it\n" * 3_000, "abc" * 60_000, " is it" * 3_000
    assert counter.count(before + endless + after) == sum(map(counter.count, (before, endless, after)))
    assert len(counter.starts(before + endless + after)) == counter.count(before + endless + after)


BORDERS = {
    "both ends": ("a", {0, 1}),
    "before a blank": ("a b", {0, 1, 3}),
    "only the first blank": ("a  b", {0, 1, 4}),
    "no-break and wide blanks": ("a\u00a0b\u3000c", {0, 1, 3, 5}),
    "after a line end": ("a\nb", {0, 2, 3}),
    "after carriage return and line feed": ("a\r\nb", {0, 3, 4}),
    "after a blank line": ("a.\n\nb", {0, 4, 5}),
    "not before a slash": ("a.\n/b", {0, 5}),
    "before an indent": ("a\n  b", {0, 2, 5}),
    "not before a blank line": ("a\n \nb", {0, 4, 5}),
    "not before blanks at the end": ("a\n  ", {0, 4}),
    "an indent too long to look at": ("a\n" + " " * 201 + "b", {0, 204}),
    "an indent just short enough": ("a\n" + " " * 200 + "b", {0, 2, 203}),
    "no line end before a letter": ("a\u2028b\x85c", {0, 1, 3, 5}),
    "a control is no blank": ("a\x1cb", {0, 3}),
    "after a stop": ("a.b, c", {0, 4, 6}),
}


@pytest.mark.parametrize(("text", "expected"), BORDERS.values(), ids=BORDERS)
def test_additive_borders(text: str, expected: set[int]) -> None:
    assert {index for index in range(len(text) + 1) if additive_border(text, index)} == expected
    for index in expected:
        for counter in COUNTERS:
            assert counter.count(text[:index]) + counter.count(text[index:]) == counter.count(text)


def test_places_outside_are_additive() -> None:
    assert additive_border("ab", -1)
    assert additive_border("ab", 3)


def test_importing_loads_no_encoder() -> None:
    code = "import pincite.text.counters, pincite.text.graphemes, pincite.text.sentences, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"bpe_openai", "regex", "numpy"} & set(done.stdout.split())
