"""Units of text and where they start: characters, words, and the tokens of the encodings that models use."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from typing import Final

from pincite.text.tokenizers import count_tokens

ENCODINGS: Final = ("o200k_base", "cl100k_base")
"""The encodings that `TokenCounter` knows."""

PIECE_CHARACTERS: Final = 50_000
"""The most that is encoded at once, in code points: four tokens each at worst, and the encoder stops at 200,000."""

# White_Space of the Unicode standard, which is what the encodings mean by \s. Python's isspace has U+001C to U+001F
# besides.
WHITE_SPACE: Final = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
IS_WHITE_SPACE: Final = re.compile(rf"[{WHITE_SPACE}]").match
LINE_INDENT: Final = re.compile(rf"(?:(?![\r\n])[{WHITE_SPACE}]){{1,200}}+(?=[^{WHITE_SPACE}])").match

# Places where no token reaches over (see `additive_border`), and besides them those between a letter or digit and a
# punctuation mark, except the apostrophe ("it's"); only characters whose category has never changed are listed.
TOKEN_BORDER: Final = re.compile(
    rf"(?<=[^{WHITE_SPACE}])(?=[^\S\r\n\x1c-\x1f])"
    rf"|(?<=[\r\n])(?=[^{WHITE_SPACE}/])"
    r"|(?<=[A-Za-z0-9\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3])"
    r"(?=[!-&(-/:-@\[-`{-~，。、；：！？「」『』（）《》【】…—–“”])"
)

WORD: Final = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class CharacterCounter:
    """Counts Unicode code points.

    >>> CharacterCounter().count("né😀"), CharacterCounter().starts("né😀")
    (3, [0, 1, 2])
    """

    name: str = "characters"

    def count(self, text: str) -> int:
        """Number of code points."""
        return len(text)

    def starts(self, text: str) -> list[int]:
        """Code point offset of each code point: all of them, ascending."""
        return list(range(len(text)))


@dataclass(frozen=True, slots=True)
class WordCounter:
    """Counts words: what white space sets apart, as ``str.split`` does.

    >>> WordCounter().count(" Nr. 5 "), WordCounter().starts(" Nr. 5 ")
    (2, [1, 5])
    """

    name: str = "words"

    def count(self, text: str) -> int:
        """Number of words."""
        return len(text.split())

    def starts(self, text: str) -> list[int]:
        """Code point offset at which each word begins, ascending."""
        return [match.start() for match in WORD.finditer(text)]


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """Counts the tokens of a named encoding, exactly as its model does; ``name`` is one of `ENCODINGS`.

    Nothing in the text is special: ``<|endoftext|>`` is counted as the characters that it is made of. A surrogate
    counts as U+FFFD. A stretch of more than `PIECE_CHARACTERS` without any place that no token reaches over (blanks
    only, one endless word) is counted in pieces of that size, which may give a few tokens more or less per cut.

    >>> TokenCounter().count("Hello, 😀 world"), TokenCounter().starts("Hi 𒀀!")
    (4, [0, 2, 3, 3, 3, 3, 4])
    """

    name: str = "o200k_base"

    def __post_init__(self) -> None:
        if self.name not in ENCODINGS:
            raise ValueError(f"unknown encoding {self.name!r}; known are {', '.join(ENCODINGS)}")

    def count(self, text: str) -> int:
        """Number of tokens."""
        if len(text) > PIECE_CHARACTERS:
            return sum(count_tokens(self.name, text[start:end]) for start, end in pieces_of(text))
        return count_tokens(self.name, text)

    def starts(self, text: str) -> list[int]:
        """Code point offset at which each token begins, ascending; tokens that share a character share its offset."""
        return self.places(text).tolist()

    def places(self, text: str, start: int = 0) -> array[int]:
        """As `starts`, for ``text[start:]``, in four bytes each; the offsets are those into ``text``."""
        from pincite.text.token_starts import encode, loaded_starts

        starts = loaded_starts(self.name)
        places = array("I")
        for begin, end in pieces_of(text, start):
            places.frombytes(starts.of(encode(self.name, text[begin:end]), begin).tobytes())
        return places


def adds_up(counter: object) -> bool:
    """Whether `additive_border` speaks of this counter: another package's may count in any way.

    >>> adds_up(WordCounter()), adds_up(len)
    (True, False)
    """
    return isinstance(counter, (TokenCounter, CharacterCounter, WordCounter))


def additive_border(text: str, index: int) -> bool:
    r"""Whether each counter's count of ``text`` is the sum of its counts of the parts before and after ``index``.

    True only where that is provable from the characters near ``index``, so false says nothing. It then holds as well
    in every slice that reaches from before ``index`` to the first character after it that is no white space.

    Why it holds for tokens: the encodings first cut a text by a regular expression, from left to right and without
    looking back, then encode each cut by itself. No cut but those of white space alone has white space other than
    line ends after its first character; hence a cut begins at white space (no line end) after anything else. And a cut
    with a line end in it ends with the last line end of a run of white space, unless a slash follows (o200k_base);
    hence a cut begins at the indent or first character of a line that is not blank. Neither place is changed by
    the one rule that looks ahead, which parts a run of white space from its last character before other text. Words
    are additive at white space anyway, characters everywhere.

    >>> [index for index in range(len("an x\n y")) if additive_border("an x\n y", index)]
    [0, 2, 5]
    """
    if not 0 < index < len(text):
        return True
    before, after = text[index - 1], text[index]
    if before in "\r\n":
        return bool(LINE_INDENT(text, index)) if IS_WHITE_SPACE(after) else after != "/"
    return after not in "\r\n" and bool(IS_WHITE_SPACE(after)) and not IS_WHITE_SPACE(before)


def pieces_of(text: str, start: int = 0, most: int = PIECE_CHARACTERS) -> list[tuple[int, int]]:
    """Half-open ranges that tile ``text[start:]``, each of at most ``most`` code points.

    They end where no token reaches over. Only a stretch that is too long and has no such place is cut at fixed
    distances from its start, so that the cuts, and with them the counts, do not depend on what stands around it.
    """
    pieces = []
    while start < len(text):
        end = min(start + most, len(text))
        if end < len(text):
            end = last_token_border(text, start, end)
        pieces.append((start, end))
        start = end
    return pieces


def last_token_border(text: str, start: int, end: int) -> int:
    """Last place in ``(start, end]`` that no token reaches over; ``end`` where there is none."""
    for width in (200, 5_000, end - start):
        place = start
        # One character past the end is in view for the look-ahead.
        for match in TOKEN_BORDER.finditer(text, max(start + 1, end - width), end + 1):
            place = match.start()
        if place > start:
            return place
    return end


def is_token_border(text: str, index: int) -> bool:
    """Whether no token reaches over that place, as far as the characters around it prove it; false says nothing."""
    return bool(TOKEN_BORDER.match(text, index))
