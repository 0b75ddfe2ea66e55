"""The encoding of a page: a byte order mark, else valid UTF-8, else what the page declares, else a guess."""

from __future__ import annotations

import codecs
import re

from pincite.load.decoding import Decoded, decode
from pincite.model import Notice, Source

_DECLARED_WITHIN = 4096
_LATIN_GUESSES = ("cp1250", "cp1254", "cp1257", "cp1258", "cp850", "cp852", "iso8859_2", "iso8859_15")
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']""")
_META = re.compile(rb"""<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

# Names that mean another encoding on the web than to Python (WHATWG Encoding Standard, section 4.2).
_LABELS = {
    **dict.fromkeys(("ascii", "us-ascii", "latin1", "l1", "cp819", "iso88591", "x-user-defined"), "cp1252"),
    **dict.fromkeys(("iso88599", "latin5", "l5"), "cp1254"),
    **dict.fromkeys(("iso885911", "tis-620", "dos-874", "windows-874"), "cp874"),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk", "chinese", "gb-2312-80", "gb18030"), "gb18030"),
    **dict.fromkeys(("shift-jis", "sjis", "x-sjis", "ms932", "ms-kanji", "windows-31j"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks-c-5601-1987", "ksc5601", "korean", "windows-949"), "cp949"),
    **dict.fromkeys(("big5", "big5-hkscs", "cn-big5", "x-x-big5"), "big5hkscs"),
    **dict.fromkeys(("macintosh", "mac", "x-mac-roman"), "mac_roman"),
    **dict.fromkeys(("x-mac-cyrillic", "x-mac-ukrainian"), "mac_cyrillic"),
    **dict.fromkeys(("iso88598-i", "logical", "iso88598-e", "visual"), "iso8859_8"),
    **dict.fromkeys(("euc-jp", "x-euc-jp"), "euc_jp"),
    **dict.fromkeys(("koi8-r", "koi8", "koi"), "koi8_r"),
    **dict.fromkeys(("koi8-u", "koi8-ru"), "koi8_u"),
    **dict.fromkeys(("ibm866", "cp866", "866"), "cp866"),
    "iso-2022-jp": "iso2022_jp",
    # A page that can be read up to its declaration as ASCII is not in UTF-16.
    **dict.fromkeys(("utf-8", "utf8", "unicode-1-1-utf-8", "utf-16", "utf-16le", "utf-16be", "unicode"), "utf-8"),
}
_WINDOWS = re.compile(r"(?:windows-|x-cp|cp)(125[0-8])")
_ISO = re.compile(r"iso8859(?:-)?(\d{1,2})|latin([2346])")


def codec_of(label: str) -> str:
    """Python's name of the encoding that the web calls so; empty where the web knows no such name.

    >>> codec_of("ISO-8859-1"), codec_of("iso_8859-2"), codec_of("Windows-1251"), codec_of("klingon")
    ('cp1252', 'iso8859_2', 'cp1251', '')
    """
    name = label.strip().lower().replace("_", "-")
    name = re.sub(r"^iso-?8859-?", "iso8859", name)
    if name in _LABELS:
        return _LABELS[name]
    if match := _WINDOWS.fullmatch(name):
        return "cp" + match[1]
    if match := _ISO.fullmatch(name):
        number = match[1] or {"2": "2", "3": "3", "4": "4", "6": "10"}[match[2]]
        return f"iso8859_{number}" if number in {*"2345678", "10", "13", "14", "15", "16"} else ""
    return ""


def declared_label(data: bytes) -> str:
    """What the XML declaration or the first ``meta`` element says, empty where nothing does."""
    start = _COMMENT.sub(b"", data[:_DECLARED_WITHIN])
    match = _XML.search(start) or _META.search(start)
    return match[1].decode("ascii") if match else ""


def decode_page(source: Source, *, max_bytes: int, loader: str) -> Decoded:
    """The text of a page. NUL characters are kept.

    A wrong declaration is told by the bytes: whole text that is UTF-8 beyond ASCII is UTF-8, whatever it declares.
    Raises ``LoadError`` as ``decode`` does.
    """
    data = source.data
    label = declared_label(data)
    codec = codec_of(label)
    notices: list[Notice] = []
    if label and not codec:
        message = f"the page declares the encoding {label!r}, which is not known"
        notices.append(Notice(kind="encoding", message=message, file=source.path))
    if len(data) <= max_bytes and codec not in ("", "utf-8") and not data.startswith(_MARKS):
        if not _is_utf8(data, codec):
            try:
                return Decoded(data.decode(codec), codec)
            except UnicodeDecodeError as error:
                message = f"the page declares {label}, but byte {error.start} does not fit"
                notices.append(Notice(kind="encoding", message=message, file=source.path))
        else:
            message = f"the page declares {label}, but is valid UTF-8, so it was read as UTF-8"
            notices.append(Notice(kind="encoding", message=message, file=source.path))
    decoded = decode(source, max_bytes=max_bytes, loader=loader, nul="keep")
    if not label and decoded.encoding in _LATIN_GUESSES:
        # The web's own default (WHATWG HTML, section 13.2.3.2), where the guess is no more than another Latin alphabet.
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            pass
        else:
            message = "the page is not UTF-8 and declares nothing, so it was read as cp1252; check its letters"
            return Decoded(text, "cp1252", (Notice(kind="encoding", message=message, file=source.path),))
    return Decoded(decoded.text, decoded.encoding, (*notices, *decoded.notices))


def _is_utf8(data: bytes, codec: str) -> bool:
    """Whether the bytes can only be meant as UTF-8: plain ASCII is as well of the other encoding."""
    if data.isascii():
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return codec != "iso2022_jp"
