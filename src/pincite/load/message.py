"""E-mail (``.eml``): the headers as metadata, the best of the bodies as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.errors import HeaderParseError, MessageError
from email.header import decode_header
from email.message import Message
from email.policy import Compat32
from email.utils import getaddresses, parsedate_to_datetime

from pincite.errors import LoadError
from pincite.load.decoding import decode
from pincite.load.html.charset import codec_of, decode_page
from pincite.load.html.limits import TooMuchError, too_large
from pincite.load.html.page import Page, read_page, write_page
from pincite.load.html.steps import Leaf, Open
from pincite.load.limits import at_least_one, check_size
from pincite.load.normalise import one_line
from pincite.load.notices import listed, unseen
from pincite.load.plain_message import write_plain
from pincite.load.signatures import binary_format, wrong_format
from pincite.load.writer import MarkdownWriter
from pincite.model import Document, MetadataValue, Notice, Place, Source

_MOST_HEADER = 10_000  # characters: the standard library takes its time over longer ones
_MOST_NAMED = 20
_MOST_PARTS = 10_000
_MOST_NESTED = 100
_BOUNDARY = re.compile(
    rb"""(?<![^\r\n])(?:--(?P<line>[^\r\n]++)|content-type:[^\r\n]*?(?:(?:\r\n?|\n)[ \t][^\r\n]*?)*?"""
    rb"""\bboundary[*0-9]*\s*=\s*"?(?P<declared>[^"\r\n;]++))""",
    re.IGNORECASE,
)
_ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_SIGNED = ("signed-data", "certs-only", "compressed-data")
# What the standard library raises on headers and payloads that are not what they say.
_DAMAGE = (
    *(MessageError, HeaderParseError, ValueError, LookupError, TypeError, AttributeError, AssertionError),
    RecursionError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailLoader:
    """Loads messages of at most ``max_bytes`` bytes. ``max_elements``, ``max_blocks`` and ``max_cells`` limit each body
    that is a page.

    The subject is the only heading that is not the body's own. Of alternative bodies the plain one is taken, the HTML
    one where there is no other or where it has structure (headings, lists, tables, code). Replies are quote blocks.
    Attachments are named in a notice and not loaded.
    """

    max_bytes: int = 64 * 1024 * 1024
    max_elements: int = 2_000_000
    max_blocks: int = 1_000_000
    max_cells: int = 2_000_000
    name: str = "email"

    def __post_init__(self) -> None:
        at_least_one(self, "max_bytes", "max_elements", "max_blocks", "max_cells")

    def load(self, source: Source) -> Document:
        message = self._parsed(source)
        reading = _Reading(source.path, self.max_bytes, self.max_elements, self.max_blocks)
        writer = MarkdownWriter()
        metadata = _metadata(message)
        writer.heading(str(metadata.get("title", "")), level=1, place=Place(element="Subject"))
        try:
            reading.read(message)
            paragraphs = 0
            for body in reading.bodies:
                if isinstance(body, Page):
                    write_page(body, writer, most_cells=self.max_cells)
                else:
                    paragraphs = write_plain(body.text, writer, flowed=body.flowed, paragraphs=paragraphs)
        except TooMuchError as error:
            raise too_large(error, self, source.path) from error
        return writer.document(
            id=source.path,
            source=source.path,
            media_type="message/rfc822",
            metadata=metadata,
            warnings=tuple(reading.all_notices()),
        )

    def _parsed(self, source: Source) -> Message:
        check_size(source, self.max_bytes, loader=self.name)
        if found := binary_format(source.data):
            raise wrong_format(source, found, kind="binary")
        if _is_nested_too_deep(source.data):
            cure = "Check where the file comes from."
            raise LoadError("its parts are nested too deep", cure=cure, kind="unsafe", file=source.path)
        try:
            return message_from_bytes(source.data, policy=_ShortHeaders())
        except _DAMAGE as error:
            cure = "Save the message again."
            raise LoadError(f"it cannot be read ({error})", cure=cure, kind="corrupt", file=source.path) from error


class _ShortHeaders(Compat32):
    """The standard library takes quadratic time over long headers, some of it while it parses the message."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:_MOST_HEADER]


def _is_nested_too_deep(data: bytes) -> bool:
    """The parser looks at each line once for every part around it. Boundaries that end no part are counted, too."""
    if data.lower().count(b"boundary") <= _MOST_NESTED:
        return False
    open_boundaries: dict[bytes, None] = {}
    for match in _BOUNDARY.finditer(data):
        if declared := match["declared"]:
            open_boundaries[declared.rstrip()] = None
            if len(open_boundaries) > _MOST_NESTED:
                return True
            continue
        line = match["line"].rstrip()
        ended = line if line in open_boundaries else line.removesuffix(b"--")
        if ended in open_boundaries:
            while next(reversed(open_boundaries)) != ended:
                open_boundaries.popitem()
            if ended != line:
                open_boundaries.popitem()
    return False


@dataclass(frozen=True, slots=True)
class _Plain:
    text: str
    flowed: bool = False


@dataclass(slots=True)
class _Reading:
    """Reads the parts of one message. ``refusal`` is why a body could not be read."""

    file: str
    max_bytes: int
    max_elements: int
    max_blocks: int
    bodies: list[_Plain | Page] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    refusal: LoadError | None = None

    def read(self, message: Message) -> None:
        """Takes the bodies that a reader is shown, in order. Raises ``LoadError`` where there is none that can be read
        and one that cannot, or where the message is encrypted."""
        waiting = [message]
        parts = 0
        while waiting:
            part = waiting.pop()
            parts += 1
            kind = part.get_content_type()
            if kind in _ENCRYPTED and _parameter(part, "smime-type") not in _SIGNED:
                cure = "Decrypt it in your mail program and save it again."
                raise LoadError("the message is encrypted", cure=cure, kind="encrypted", file=self.file)
            inner = _parts(part)
            if parts > _MOST_PARTS:
                message_ = f"only the first {_MOST_PARTS:,} parts were read"
                self.notices.append(Notice(kind="cut", message=message_, file=self.file))
                break
            if _is_attachment(part, kind):
                self.attachments.append(_name(part, kind))
            elif kind == "multipart/alternative":
                waiting.extend(reversed(self._best(inner)))
            elif kind in ("multipart/related", "multipart/signed") and inner:
                waiting.append(inner[0])
                self.attachments += [_name(other, other.get_content_type()) for other in inner[1:]]
            elif kind.startswith("multipart/") and inner:
                waiting.extend(reversed(inner))
            else:
                body = self._body(part, kind)
                self.bodies += [body] if body else []
        if not self.bodies and self.refusal:
            raise self.refusal

    def _best(self, alternatives: list[Message]) -> list[Message]:
        """The one to read, and what is no body itself; a plain text that is not blank is preferred to an HTML one
        without structure."""
        by_kind: dict[str, Message] = {}
        for part in alternatives:
            kind = part.get_content_type()
            by_kind["html" if kind == "text/html" or _holds_html(part) else kind] = part
        plain, html = by_kind.get("text/plain"), by_kind.get("html")
        rest = [part for kind, part in by_kind.items() if kind not in ("html", "text/plain", "text/calendar")]
        if plain is None or html is None:
            return [part for part in (plain, html) if part is not None] or rest[-1:]
        text = self._body(plain, "text/plain")
        rich = html.get_content_type() == "text/html" and _has_structure(self._body(html, "text/html"))
        return [html] if rich or text is None else [plain]

    def _body(self, part: Message, kind: str) -> _Plain | Page | None:
        """The text of a part, ``None`` where it has none or cannot be read."""
        label = _parameter(part, "charset")
        try:
            payload = part.get_payload(decode=True)
            data = payload if isinstance(payload, bytes) else b""
            text = self._text(data, label, html=kind == "text/html")
        except LoadError as error:
            self.refusal = error
            self.notices.append(Notice(kind=error.kind, message=f"a body: {error.problem}", file=self.file))
            return None
        except _DAMAGE as error:
            self.notices.append(Notice(kind="corrupt", message=f"a body cannot be read ({error})", file=self.file))
            return None
        if kind == "text/html":
            page = read_page(text, main_content=False, most_elements=self.max_elements, most_blocks=self.max_blocks)
            if page.unseen:
                self.notices.append(unseen(page.unseen, self.file))
            return page if page.steps else None
        return _Plain(text, _parameter(part, "format").lower() == "flowed") if one_line(text) else None

    def _text(self, data: bytes, label: str, *, html: bool) -> str:
        codec = codec_of(label) if label else ""
        if codec and codec != "utf-8":
            try:
                return data.decode(codec)
            except UnicodeDecodeError as error:
                message = f"a body declares {label}, but its byte {error.start} does not fit"
                self.notices.append(Notice(kind="encoding", message=message, file=self.file))
        source = Source(self.file, data)
        if html and not codec:
            decoded = decode_page(source, max_bytes=self.max_bytes, loader="email")
        else:
            decoded = decode(source, max_bytes=self.max_bytes, loader="email", nul="keep")
        self.notices += decoded.notices
        return decoded.text

    def all_notices(self) -> Iterator[Notice]:
        yield from dict.fromkeys(self.notices)
        if self.attachments:
            message = f"attachments were not loaded: {listed(self.attachments, most=_MOST_NAMED)}"
            yield Notice(kind="attachments", message=message, file=self.file)
        if not self.bodies:
            yield Notice(kind="empty", message="the message has no text", file=self.file)


def _parts(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [inner for inner in payload if isinstance(inner, Message)] if isinstance(payload, list) else []


def _holds_html(part: Message) -> bool:
    """Whether it is an HTML body with its pictures."""
    inner = _parts(part)
    return part.get_content_type() == "multipart/related" and bool(inner) and inner[0].get_content_type() == "text/html"


def _has_structure(body: _Plain | Page | None) -> bool:
    steps = body.steps if isinstance(body, Page) else []
    kinds = {step.kind for step in steps if isinstance(step, (Open, Leaf))}
    return not kinds.isdisjoint({"list", "heading", "table", "code"})


def _is_attachment(part: Message, kind: str) -> bool:
    if kind.startswith("multipart/"):
        return False
    disposition = str(part.get("Content-Disposition", "")).strip().lower()
    return kind not in ("text/plain", "text/html") or disposition.startswith("attachment") or bool(_filename(part))


def _name(part: Message, kind: str) -> str:
    """What an attachment is called: its file name, a forwarded message's subject, or its type."""
    subjects = [_header(inner, "Subject") for inner in _parts(part)[:1]] if kind == "message/rfc822" else []
    return _filename(part) or "".join(subjects) or kind


def _filename(part: Message) -> str:
    try:
        return one_line(_decoded(part.get_filename() or ""))[:100]
    except _DAMAGE:
        return ""


def _parameter(part: Message, name: str) -> str:
    try:
        value = part.get_param(name)
    except _DAMAGE:
        return ""
    return str(value[2] if isinstance(value, tuple) else value or "")


def _stated(message: Message, name: str) -> list[str]:
    """The values of a header as they stand in the file; bytes beyond ASCII are UTF-8 or, failing that, cp1252."""
    values = []
    for own, value in message.raw_items():
        if own.lower() == name.lower():
            raw = str(value)[:_MOST_HEADER].encode("utf-8", "surrogateescape")
            try:
                values.append(raw.decode("utf-8"))
            except UnicodeDecodeError:
                values.append(raw.decode("cp1252", errors="replace"))
    return values


def _header(message: Message, name: str) -> str:
    return next((one_line(_decoded(value)) for value in _stated(message, name)), "")


def _decoded(text: str) -> str:
    """A header with its encoded words read; what cannot be read stays as it is."""
    try:
        pieces = decode_header(text)
    except _DAMAGE:
        return text
    words = []
    for piece, label in pieces:
        if isinstance(piece, str):
            words.append(piece)
            continue
        codec = codec_of(label or "") or "utf-8"
        try:
            words.append(piece.decode(codec))
        except UnicodeDecodeError:
            words.append(piece.decode("cp1252", errors="replace"))
    return "".join(words)


def _metadata(message: Message) -> dict[str, MetadataValue]:
    senders = _people(message, "From")
    found: dict[str, MetadataValue] = {
        "title": _header(message, "Subject"),
        "authors": tuple(name or address for name, address in senders),
        "from": tuple(address for _, address in senders if address),
        "to": tuple(address or name for name, address in _people(message, "To")),
        "cc": tuple(address or name for name, address in _people(message, "Cc")),
        "date": _date(message),
        "language": _header(message, "Content-Language").split("-")[0].split(",")[0].lower(),
        "message_id": _header(message, "Message-ID"),
    }
    return {name: value for name, value in found.items() if value}


def _people(message: Message, header: str) -> list[tuple[str, str]]:
    """Names and addresses; a name may be encoded and hold commas, so it is decoded last."""
    stated = _stated(message, header)
    try:
        pairs = getaddresses(stated[:_MOST_NAMED])
    except _DAMAGE:
        pairs = [("", value) for value in stated]
    people = [(one_line(_decoded(name)), one_line(_decoded(address))) for name, address in pairs]
    return [person for person in people if any(person)] or [(_header(message, header), "")] * bool(stated)


def _date(message: Message) -> str:
    try:
        return parsedate_to_datetime(_header(message, "Date")).isoformat()
    except (*_DAMAGE, OverflowError):
        return ""
