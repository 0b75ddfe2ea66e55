"""Zip archives (Office files, EPUB), read in memory and within limits. A member's name is a key, never a path."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO

from pincite.errors import LoadError
from pincite.model import Source

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# The stream that holds the real file when Office has encrypted it, as its name stands in the OLE directory.
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
_ENTRY = b"PK\x01\x02"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # zipfile bounds what it expands at a time for these two only
_ENCRYPTED_FLAG = 0x1
# Below this size no ratio is suspicious: a page of a table whose cells are all alike packs extremely well.
_RATIO_FREE_BYTES = 4 * 1024 * 1024
# What zipfile raises on bytes that are not what they say, found by mutating archives.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    IndexError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What an archive may cost. ``max_expanded_bytes`` is the sum over everything that is read, nested archives
    included; ``max_ratio`` (expanded to packed bytes) is that of one member; ``max_nesting`` counts archives inside
    the file itself."""

    max_bytes: int = 256 * 1024 * 1024
    max_members: int = 20_000
    max_expanded_bytes: int = 512 * 1024 * 1024
    max_ratio: int = 200
    max_nesting: int = 1

    def __post_init__(self) -> None:
        for name in ("max_bytes", "max_members", "max_expanded_bytes", "max_ratio"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.max_nesting < 0:
            raise ValueError(f"max_nesting must be at least 0, got {self.max_nesting}")


DEFAULT_LIMITS = Limits()


@dataclass(slots=True)
class _Budget:
    """How many bytes have been expanded so far, over an archive and those inside it."""

    spent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """The members of an archive by name; made by ``open_archive``. Every read counts against the limits."""

    path: str
    limits: Limits
    _file: zipfile.ZipFile = field(repr=False)
    _members: dict[str, zipfile.ZipInfo] = field(repr=False)
    _budget: _Budget = field(repr=False)
    _depth: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """In the order of the archive, each once, without folders."""
        return tuple(self._members)

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def read(self, name: str) -> bytes:
        """The expanded member. Raises ``LoadError``: ``corrupt`` (missing or damaged), ``encrypted``, ``too_large``,
        ``unsafe`` (an implausible ratio), ``unsupported`` (packed by another method than ZIP's own)."""
        member = self._members.get(name)
        if member is None:
            raise self._error(f"the archive has no member {name!r}", "corrupt")
        size = self._allowed(name, member)
        try:
            with self._file.open(member) as stream:
                # A bounded read expands no more than that, whatever the member's header says.
                return stream.read(size + 1)
        except _DAMAGE as error:
            raise self._error(f"{name!r} is damaged ({error})", "corrupt") from error

    def check(self) -> None:
        """Raises ``LoadError`` as ``read`` does when all members together would break a limit: for those who hand the
        archive to a library that expands what it wants."""
        for name, member in self._members.items():
            self._allowed(name, member)

    def _allowed(self, name: str, member: zipfile.ZipInfo) -> int:
        """The expanded size, counted against the limits."""
        if member.flag_bits & _ENCRYPTED_FLAG:
            raise self._error(f"{name!r} is encrypted", "encrypted", "Remove the password and save it again.")
        if member.compress_type not in _METHODS:
            raise self._error(f"{name!r} is packed by method {member.compress_type}", "unsupported", "Pack it as ZIP.")
        size, packed = member.file_size, max(member.compress_size, 1)
        if self._budget.spent + size > self.limits.max_expanded_bytes:
            allowed = f"{self.limits.max_expanded_bytes:,}"
            raise self._error(f"it expands to more than {allowed} bytes", "too_large", "Raise max_expanded_bytes.")
        if size > _RATIO_FREE_BYTES and size > packed * self.limits.max_ratio:
            raise self._error(f"{name!r} expands to {size // packed} times its packed size", "unsafe")
        self._budget.spent += size
        return size

    def open(self, name: str) -> Archive:
        """The archive that is a member of this one; ``unsafe`` when it is nested too deep."""
        if self._depth >= self.limits.max_nesting:
            raise self._error(f"archives are nested more than {self.limits.max_nesting} deep", "unsafe")
        return _open(f"{self.path}", self.read(name), self.limits, self._budget, self._depth + 1)

    def _error(self, problem: str, kind: str, cure: str = "") -> LoadError:
        return LoadError(problem, cure=cure or "Check where the file comes from.", kind=kind, file=self.path)


def open_archive(source: Source, *, limits: Limits = DEFAULT_LIMITS) -> Archive:
    """The archive in those bytes. Nothing is expanded yet, and nothing is ever written.

    Raises ``LoadError``: ``too_large`` (the file, or the number of its members), ``encrypted`` (an Office file with a
    password), ``unsupported`` (an Office file from before 2007), ``corrupt`` (anything else that is no archive).
    """
    if len(source.data) > limits.max_bytes:
        raise LoadError(
            f"the file has {len(source.data):,} bytes, more than {limits.max_bytes:,}",
            cure="Raise max_bytes or leave the file out.",
            kind="too_large",
            file=source.path,
        )
    return _open(source.path, source.data, limits, _Budget(), 0)


def _open(path: str, data: bytes, limits: Limits, budget: _Budget, depth: int) -> Archive:
    if data.startswith(_OLE):
        raise _not_an_archive(path, data)
    # Counted before zipfile makes an object of each; a few may be chance or belong to archives inside.
    if data.count(_ENTRY) > limits.max_members:
        raise LoadError(
            f"the archive has more than {limits.max_members:,} members",
            cure="Raise max_members or leave the file out.",
            kind="too_large",
            file=path,
        )
    try:
        file = zipfile.ZipFile(BytesIO(data))
    except _DAMAGE as error:
        problem = "the file is empty" if not data else f"the file is damaged or no archive ({error})"
        raise LoadError(problem, cure="Open it in its own program and save it again.", kind="corrupt", file=path) from (
            error
        )
    members = {member.filename: member for member in file.infolist() if not member.is_dir()}
    return Archive(path=path, limits=limits, _file=file, _members=members, _budget=budget, _depth=depth)


def _not_an_archive(path: str, data: bytes) -> LoadError:
    if _ENCRYPTED_STREAM in data:
        cure = "Remove the password in Office and save it again."
        return LoadError("the file is encrypted", cure=cure, kind="encrypted", file=path)
    cure = "Save it in the format of Office 2007 or later (.docx, .xlsx, .pptx)."
    return LoadError("this is an Office file from before 2007", cure=cure, kind="unsupported", file=path)
