import time

import pytest

from pincite.text.graphemes import border_after, border_before, is_border, next_border, trim

FARMER = "👩\u200d🌾"

# Clusters of a text, by rule of Unicode Standard Annex 29.
CLUSTERS = {
    "letters": ["a", "b"],
    "carriage return and line feed": ["a", "\r\n", "b"],
    "line feed and carriage return": ["\n", "\r"],
    "two carriage returns": ["\r", "\r\n"],
    "accent": ["e\u0301", "a"],
    "many accents": ["e" + "\u0301" * 50, "a"],
    "accent after a line end": ["\n", "\u0301"],
    "accent after carriage return and line feed": ["\r\n", "\u0301", "漢"],
    "accent at the beginning": ["\u0301", "a"],
    "soft hyphen": ["a", "\u00ad", "b"],
    "zero width space": ["a", "\u200b", "\u0301"],
    "zero width joiner between letters": ["a\u200d", "b"],
    "emoji sequence": ["x", FARMER, FARMER, "x"],
    "emoji with skin colour": ["👍🏽", "👍", "!"],
    "emoji and joiner without a second": ["👩\u200d", "a"],
    "joiner without a first emoji": ["a\u200d", "🌾"],
    "variation selector": ["❤\ufe0f", "a"],
    "keycap": ["1\ufe0f\u20e3", "2"],
    "flags": ["🇩🇪", "🇫🇷", "🇮🇹"],
    "flags and half a flag": ["🇩🇪", "🇫🇷", "🇮", "a"],
    "half a flag after a letter": ["a", "🇩", "b"],
    "flags after a letter": ["a", "🇩🇪", "🇫", "\n"],
    "flags with accents": ["🇩🇪\u0301", "🇫🇷\u200d", "🇮🇹"],
    "flags after a prepended sign": ["\u0600🇩🇪", "🇫🇷"],
    "flags after two prepended signs": ["a", "\u0600\u0600🇩🇪", "🇫🇷", "\u0600🇫", "a"],
    "flag of England": ["🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🏴"],
    "Hangul letters": ["\u1112\u1161\u11ab", "\u1100\u1173\u11af"],
    "Hangul syllables": ["한", "글", "가\u11a8"],
    "Devanagari conjunct": ["क्षि", "क", "ये"],
    "Devanagari vowel sign": ["हि", "न्दी"],
    "Tamil": ["நி", "லா"],
    "Thai": ["กำ", "ก"],
    "Arabic number sign": ["\u06001", "2"],
    "wide": ["漢", "字", "。\ufe00", "、"],
    "nul and surrogate": ["\x00", "\ud800", "a"],
}


def borders(clusters: list[str]) -> list[int]:
    found = [0]
    for cluster in clusters:
        found.append(found[-1] + len(cluster))
    return found


@pytest.mark.parametrize("clusters", CLUSTERS.values(), ids=CLUSTERS)
def test_borders(clusters: list[str]) -> None:
    text, expected = "".join(clusters), borders(clusters)
    places = range(len(text) + 1)
    assert [place for place in places if is_border(text, place)] == expected
    for place in places:
        assert border_before(text, place) == max(border for border in expected if border <= place)
        assert border_after(text, place) == min(border for border in expected if border >= place)
    assert [next_border(text, place) for place in expected[:-1]] == expected[1:]
    for known in expected:
        later = [place for place in places if place >= known]
        assert [place for place in later if is_border(text, place, known=known)] == [b for b in expected if b >= known]


def test_places_outside_are_brought_inside() -> None:
    assert (border_before("ab", -3), border_after("ab", -3), next_border("ab", -3)) == (0, 0, 0)
    assert (border_before("ab", 9), border_after("ab", 9), next_border("ab", 9)) == (2, 2, 2)
    assert is_border("ab", -1)
    assert is_border("ab", 3)
    assert is_border("", 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("word", "word"),
        (" \t word\u00a0\u3000\r\n", "word"),
        (" \u0301word \u0301", " \u0301word \u0301"),
        ("  \u0301word", " \u0301word"),
        ("a\u0600 ", "a\u0600 "),
        ("a\u0600  ", "a\u0600 "),
        ("\u200bword", "\u200bword"),
        ("\x1cword\x1f", "word"),
        ("", ""),
        (" \r\n ", ""),
    ],
)
def test_trim_drops_blank_clusters(text: str, expected: str) -> None:
    start, end = trim(text, 0, len(text))
    assert text[start:end] == expected
    if not expected:
        assert (start, end) == (0, 0)


def test_trim_stays_in_its_range() -> None:
    assert trim("a  b  c", 1, 6) == (3, 4)
    assert trim("a  b", 1, 3) == (1, 1)
    assert trim("a\u0301 ", 0, 2) == (0, 2)


FAMILIES = {
    "flags": "🇩🇪" * 50_000,
    "flags with joiners": "🇩🇪\u200d" * 30_000,
    "flags with signs": "\u0600🇩🇪\u0301" * 20_000,
    "emoji": FARMER * 30_000,
    "conjuncts": "क्षि" * 30_000,
    "Hangul": "\u1112\u1161\u11ab" * 30_000,
    "letters": "äa" * 50_000,
    "line ends": "\r\n" * 50_000,
}


@pytest.mark.parametrize("text", FAMILIES.values(), ids=FAMILIES)
def test_a_walk_is_linear(text: str) -> None:
    """A quadratic walk would take minutes here."""
    before = time.process_time()
    place = steps = 0
    while place < len(text):
        place = next_border(text, place, known=place)
        steps += 1
    assert steps >= 30_000 or "\u0600" in text
    assert time.process_time() - before < 5


def test_one_endless_cluster_is_found_at_once() -> None:
    text = "x" + "\u0301" * 200_000 + "y"
    before = time.process_time()
    assert border_before(text, 200_000) == 0
    assert border_after(text, 1) == 200_001
    assert not is_border(text, 100_000)
    assert time.process_time() - before < 2
