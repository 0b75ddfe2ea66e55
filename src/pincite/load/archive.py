"""Zip archives (Office files, EPUB), read in memory and within limits. A member's name is a key, never a path."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO

from pincite.errors import LoadError
from pincite.load.limits import at_least_one, check_size
from pincite.load.signatures import OLE, misnamed
from pincite.model import Source

# The stream that holds the real file when Office has encrypted it, as its name stands in the OLE directory.
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
OPEN_AND_SAVE = "Open it in its own program and save it again."
"""The cure of an Office file that is damaged."""
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
    """What an archive may cost. ``max_expanded_bytes`` is the sum over everything that is read; ``max_ratio`` (expanded
    to packed bytes) is that of one member."""

    max_bytes: int = 256 * 1024 * 1024
    max_members: int = 20_000
    max_expanded_bytes: int = 512 * 1024 * 1024
    max_ratio: int = 200

    def __post_init__(self) -> None:
        at_least_one(self, "max_bytes", "max_members", "max_expanded_bytes", "max_ratio")


DEFAULT_LIMITS = Limits()


@dataclass(slots=True)
class _Budget:
    """How many bytes have been expanded so far."""

    spent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """The members of an archive by name; made by ``open_archive``. Every read counts against the limits."""

    source: Source
    limits: Limits
    _file: zipfile.ZipFile = field(repr=False)
    _members: dict[str, zipfile.ZipInfo] = field(repr=False)
    _budget: _Budget = field(default_factory=_Budget, repr=False)

    @property
    def path(self) -> str:
        return self.source.path

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
        return self._expanded(name, member, self._allowed(name, member))

    def _expanded(self, name: str, member: zipfile.ZipInfo, size: int) -> bytes:
        try:
            with self._file.open(member) as stream:
                # A bounded read expands no more than that, whatever the member's header says.
                return stream.read(size + 1)
        except _DAMAGE as error:
            raise self._error(f"{name!r} is damaged ({error})", "corrupt") from error

    def rewritten(self, changed: Mapping[str, bytes]) -> bytes:
        """The archive, not packed, with other content for some members; only those that are XML, and the one that says
        what the archive is. They have been read before, so that they count no more."""
        buffer = BytesIO()
        with zipfile.ZipFile(buffer, "w") as file:
            for name, member in self._members.items():
                if name in changed:
                    file.writestr(name, changed[name])
                elif name.endswith((".xml", ".rels")) or name == "mimetype":
                    file.writestr(name, self._expanded(name, member, member.file_size))
        return buffer.getvalue()

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

    def _error(self, problem: str, kind: str, cure: str = "") -> LoadError:
        return LoadError(problem, cure=cure or "Check where the file comes from.", kind=kind, file=self.path)


def open_archive(source: Source, *, limits: Limits = DEFAULT_LIMITS) -> Archive:
    """The archive in those bytes. Nothing is expanded yet, and nothing is ever written.

    Raises ``LoadError``: ``too_large`` (the file, or the number of its members), ``encrypted`` (an Office file with a
    password), ``unsupported`` (plainly something else, such as an Office file from before 2007), ``corrupt``.
    """
    check_size(source, limits.max_bytes)
    if source.data.startswith(OLE):
        raise _encrypted(source) or misnamed(source) or _damaged(source, "not a ZIP archive")
    # Counted before zipfile makes an object of each; a few may be chance or belong to archives inside.
    if source.data.count(_ENTRY) > limits.max_members:
        raise LoadError(
            f"the archive has more than {limits.max_members:,} members",
            cure="Raise max_members or leave the file out.",
            kind="too_large",
            file=source.path,
        )
    try:
        file = zipfile.ZipFile(BytesIO(source.data))
    except _DAMAGE as error:
        raise misnamed(source) or _damaged(source, str(error)) from error
    members = {member.filename: member for member in file.infolist() if not member.is_dir()}
    return Archive(source=source, limits=limits, _file=file, _members=members)


def is_encrypted(source: Source) -> bool:
    """Whether Office has encrypted the file."""
    return source.data.startswith(OLE) and _ENCRYPTED_STREAM in source.data


def _encrypted(source: Source) -> LoadError | None:
    if not is_encrypted(source):
        return None
    cure = "Remove the password in Office and save it again."
    return LoadError("the file is encrypted", cure=cure, kind="encrypted", file=source.path)


def _damaged(source: Source, reason: str) -> LoadError:
    problem = f"the file is damaged or no archive ({reason})" if source.data else "the file is empty"
    return LoadError(problem, cure=OPEN_AND_SAVE, kind="corrupt", file=source.path)
