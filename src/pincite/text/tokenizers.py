"""The tokenizers behind `TokenCounter`: quicktok where it is installed, else bpe-openai, which is the reference.

Both make the tokens that tiktoken makes. quicktok is two to three times as fast, but for one sequence, which is why a
text with it goes to bpe-openai (``docs/decisions/0019-two-tokenizers.md``).
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from bpe_openai import Encoding

MISREAD: Final = "'\u017f"
"""What quicktok 0.4.0 may cut in another place of o200k_base: a long s after an apostrophe, which is a contraction to
the encoding's pattern, since it knows no case."""

SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


class Quick(Protocol):
    """What is used of quicktok, which has no annotations. Texts with surrogates are a ``TypeError``."""

    @property
    def max_token_value(self) -> int: ...

    def count(self, text: str) -> int: ...

    def encode_batch(self, texts: list[str], threads: int) -> tuple[Any, Any]:
        """The tokens of all texts, ``uint32`` of shape ``(n,)``, and where those of each begin."""
        ...

    def decode_single_token_bytes(self, token: int) -> bytes: ...


@cache
def loaded_encoding(name: str) -> Encoding:
    """bpe-openai's, which carries its ranks inside."""
    with warnings.catch_warnings():
        # bpe-openai 0.1.4 reads its ranks through a function that Python 3.11 and 3.12 call deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        import bpe_openai

        return bpe_openai.get_encoding(name)


@cache
def loaded_count(name: str) -> Callable[[str], int]:
    """Counts without making the list of tokens: a third faster than encoding, which is all that the front door of
    bpe-openai offers."""
    loaded_encoding(name)
    from bpe_openai import _bindings

    count: Callable[[str], int] = _bindings.tokenizer_for_encoding(name).count
    return count


@cache
def loaded_quick(name: str) -> Quick | None:
    """quicktok's, ``None`` where it is not installed."""
    try:
        quicktok: Any = importlib.import_module("quicktok")
    except ImportError:  # there are no wheels for every platform
        return None
    quick: Quick = quicktok.get_encoding(name)
    return quick


def count_tokens(name: str, text: str) -> int:
    """Number of tokens; a surrogate counts as U+FFFD. At most 50,000 code points at once."""
    quick = loaded_quick(name)
    try:
        return quick.count(text) if quick and MISREAD not in text else loaded_count(name)(text)
    except (TypeError, UnicodeEncodeError):
        return count_tokens(name, without_surrogates(text))


@lru_cache(maxsize=10_000)
def count_short(name: str, text: str) -> int:
    """The same for a word or some marks, of which the next documents have the same: it is remembered."""
    return count_tokens(name, text)


def without_surrogates(text: str) -> str:
    """One U+FFFD for each surrogate, which an encoder would merge, drop or refuse, so that offsets stay what they
    are."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return SURROGATE.sub("\ufffd", text)
    return text
