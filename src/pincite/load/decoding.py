"""Bytes to text. No byte is dropped or replaced: a file is decoded as a whole, or it is refused.

The order: a byte order mark decides; without one, strict UTF-8; without that, the encoding that
charset-normalizer finds for the bytes around the first one that is not UTF-8, if it can decode the whole file. That
last step is a guess, so it leaves a notice.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Literal

from charset_normalizer import CharsetMatch, from_bytes

from pincite.errors import LoadError
from pincite.load.limits import check_size
from pincite.load.signatures import binary_format, wrong_format
from pincite.model import Notice, Source

# The marks of UTF-32 come first: the little-endian one begins with that of UTF-16.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_SAMPLE_BYTES = 64 * 1024
# What text files without a mark are written in. Left out are encodings that take almost any bytes for text (UTF-16
# without a mark, EBCDIC) or hardly occur in files.
_LEGACY = [f"cp125{number}" for number in range(9)]
_LEGACY += ["iso8859_2", "iso8859_7", "iso8859_15", "koi8_r", "koi8_u"]
_LEGACY += ["cp850", "cp852", "cp866", "cp874", "cp932", "euc_jp", "iso2022_jp", "gb18030", "big5", "cp949"]
# Legacy text has tabs, line ends, form feeds, an end-of-file mark (1A) or escape sequences (1B), no other controls.
_CONTROL_BYTE = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f]")
# What a wrong guess is made of: C1 controls, surrogates (from UTF-7), noncharacters.
_UNLIKELY = re.compile("[\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
# What words have in a wrong Western encoding: a sign between two letters, a capital after a small letter.
_ODD = re.compile(r"(?<=[^\W\d_])[^\w\s\x00-\x7f“”„‘’‚–—…«»·](?=[^\W\d_])|(?<=[a-zß-öø-ÿ])[À-ÖØ-ÞŠŒŽŸ]")
_MOST_NULS = 0.1


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text, without its byte order mark, and what had to be decided on the way."""

    text: str
    encoding: str
    notices: tuple[Notice, ...] = ()


def decode(source: Source, *, max_bytes: int, loader: str, nul: Literal["refuse", "keep"] = "refuse") -> Decoded:
    """The text of a file of at most ``max_bytes`` bytes.

    ``loader`` is named in the cure of a file that is too large. ``nul="keep"`` leaves single NUL characters in the
    text; a file in which more than a tenth of the characters are NUL is binary all the same.

    Raises ``LoadError``: ``too_large``, ``binary`` (a known signature, a NUL, control bytes in a file that is not
    UTF-8) or ``encoding`` (a byte that does not fit), the last two with the offset of the byte.
    """
    data = source.data
    check_size(source, max_bytes, loader=loader)
    if found := binary_format(data):
        raise wrong_format(source, found, kind="binary")
    decoded = _decode(source)
    nuls = decoded.text.count("\0")
    if nuls and (nul == "refuse" or nuls > _MOST_NULS * len(decoded.text)):
        before = decoded.text[: decoded.text.index("\0")]
        mark = next((mark for mark, _ in _MARKS if data.startswith(mark)), b"")
        raise _binary(source, f"the character at byte {len(mark) + len(before.encode(decoded.encoding))} is NUL")
    return decoded


def _decode(source: Source) -> Decoded:
    for mark, encoding in _MARKS:
        if source.data.startswith(mark):
            try:
                return Decoded(source.data[len(mark) :].decode(encoding), encoding)
            except UnicodeDecodeError as error:
                problem = f"the byte order mark says {encoding}, but byte {len(mark) + error.start} does not fit"
                raise _undecodable(source, problem) from error
    try:
        return Decoded(source.data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        return _guess(source, error.start)


def _guess(source: Source, first_bad: int) -> Decoded:
    """Decodes what is not UTF-8 from the byte ``first_bad`` on."""
    data = source.data
    if control := _CONTROL_BYTE.search(data):
        raise _binary(source, f"byte {control.start()} is a control character, and byte {first_bad} is not UTF-8")
    if _is_damaged_utf8(data):
        # Another encoding would decode it, and spoil every character that is whole.
        raise _undecodable(source, f"the file is UTF-8, but byte {first_bad} does not fit")
    for encoding in _candidates(_around(data, first_bad)):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not _UNLIKELY.search(text):
            encoding = _commonest(data, text, encoding)
            message = f"byte {first_bad} is not UTF-8, so the file was read as {encoding}; check its letters"
            return Decoded(text, encoding, (Notice(kind="encoding", message=message, file=source.path),))
    raise _undecodable(source, f"byte {first_bad} is not UTF-8, and no other encoding fits the whole file")


def _commonest(data: bytes, text: str, encoding: str) -> str:
    """Of encodings that give the very same text, the one that files are mostly written in."""
    try:
        return "cp1252" if data.decode("cp1252") == text else encoding
    except UnicodeDecodeError:
        return encoding


def _candidates(sample: bytes) -> list[str]:
    """Encodings that may fit, the likeliest first; Western European before what is exactly as likely."""
    matches = list(from_bytes(sample, cp_isolation=_LEGACY))
    tied = [match.encoding for match in matches if _likelihood(match) == _likelihood(matches[0])]
    names = [match.encoding for match in matches]
    if "cp1252" in tied:
        names.remove("cp1252")
        names.insert(0, "cp1252")
    return sorted(names, key=lambda name: len(_ODD.findall(sample.decode(name, errors="ignore"))))


def _likelihood(match: CharsetMatch) -> tuple[float, float]:
    return match.chaos, match.coherence


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether more characters beyond ASCII are whole UTF-8 than bytes are not.

    In text of another encoding such sequences come about by chance only, and far less often than misfits.
    """
    replaced = data.decode("utf-8", errors="replace")
    misfits = replaced.count("\ufffd") - data.count("\ufffd".encode())
    beyond_ascii = len(replaced) - len(replaced.encode("ascii", errors="ignore"))
    return beyond_ascii - misfits > misfits


def _around(data: bytes, offset: int) -> bytes:
    """Whole lines around the offset where that is possible, at most ``_SAMPLE_BYTES`` bytes."""
    start = max(0, offset - _SAMPLE_BYTES // 2)
    if start:
        line = data.find(b"\n", start, offset)
        start = line + 1 if line >= 0 else start
    end = min(len(data), start + _SAMPLE_BYTES)
    if end < len(data):
        line = data.rfind(b"\n", offset, end)
        end = line + 1 if line >= 0 else end
    return data[start:end]


def _binary(source: Source, problem: str) -> LoadError:
    cure = "Leave it out, or give it the suffix of its format; text must be saved as UTF-8."
    return LoadError(problem, cure=cure, kind="binary", file=source.path)


def _undecodable(source: Source, problem: str) -> LoadError:
    return LoadError(problem, cure="Save the file as UTF-8.", kind="encoding", file=source.path)
