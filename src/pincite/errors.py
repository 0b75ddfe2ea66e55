"""Every error that pincite raises on purpose.

    PinciteError                 1  500  internal: a bug in pincite
    ├── UsageError               2  400  the call or an option is wrong
    │   ├── UnknownNameError     2  400  no component of that name
    │   ├── ConfigError          2  400  pincite.toml is wrong
    │   └── MissingExtraError    2  400  an optional package is not installed
    ├── LoadError                3  422  a document could not be loaded
    ├── NothingFoundError        4  404  what was asked for by name does not exist
    ├── CollectionError          5  409  the collection is missing or damaged
    ├── LockedError              6  423  another process writes to the collection
    ├── DeniedError              7  403  the principal may not see this
    └── CheckFailedError         8  422  a check that the user asked for did not pass

The numbers are the exit code of the command and the HTTP status. Every error has a ``kind`` (one
word that programs can test), a ``problem``, a ``cure`` and, where there is one, the ``file``.
"""

from __future__ import annotations

from typing import Any


class PinciteError(Exception):
    """Base of every error raised on purpose; its text is one line, written for the user.

    >>> str(UsageError("the overlap (800) must be smaller than the size (800)", cure="Pass a smaller overlap."))
    'the overlap (800) must be smaller than the size (800). Pass a smaller overlap.'
    """

    exit_code = 1
    http_status = 500
    default_kind = "internal"

    def __init__(self, problem: str, *, cure: str, kind: str = "", file: str = "") -> None:
        where = f"{file}: " if file else ""
        end = "" if problem.endswith(("?", "!")) else "."
        super().__init__(f"{where}{problem.rstrip('.')}{end} {cure}".rstrip())
        self.problem = problem
        self.cure = cure
        self.kind = kind or self.default_kind
        self.file = file

    def to_json(self) -> dict[str, str]:
        return {"kind": self.kind, "message": self.problem, "cure": self.cure, "file": self.file}


class UsageError(PinciteError):
    exit_code = 2
    http_status = 400
    default_kind = "usage"


class UnknownNameError(UsageError):
    """No component of that name; the message lists those that exist."""

    default_kind = "unknown_name"


class ConfigError(UsageError):
    default_kind = "config"


class MissingExtraError(UsageError):
    """A component needs a package that is not installed; the cure is the install line."""

    default_kind = "missing_extra"


class LoadError(PinciteError):
    """One document could not be loaded.

    ``kind`` is one of ``unsupported``, ``unreadable``, ``binary``, ``encoding``, ``front_matter``,
    ``too_large``, ``encrypted``, ``corrupt``, ``no_text``, ``unsafe``, ``missing``, ``side_file`` (the metadata beside
    it are wrong).
    """

    exit_code = 3
    http_status = 422
    default_kind = "unreadable"


class NothingFoundError(PinciteError):
    exit_code = 4
    http_status = 404
    default_kind = "not_found"


class CollectionError(PinciteError):
    """The collection cannot be used.

    ``kind`` is one of ``missing``, ``damaged``, ``mismatch`` (another embedder or other settings), ``newer`` (made by a
    newer pincite), ``disk`` (full or read-only).
    """

    exit_code = 5
    http_status = 409
    default_kind = "damaged"


class LockedError(PinciteError):
    exit_code = 6
    http_status = 423
    default_kind = "locked"


class DeniedError(PinciteError):
    exit_code = 7
    http_status = 403
    default_kind = "denied"


class CheckFailedError(PinciteError):
    exit_code = 8
    http_status = 422
    default_kind = "check_failed"


class RemoteError(PinciteError):
    """A model server did not give what was asked of it.

    ``kind`` is one of ``unreachable``, ``timeout``, ``overloaded``, ``denied`` (the key), ``refused``, ``too_long``,
    ``answer`` (it makes no sense), ``stopped``. ``finished`` has what came before the failure: of an embedder the unit
    vectors by their texts, of a question the ``ranking`` and, where a language model was asked, the ``trace``.
    """

    http_status = 502
    default_kind = "unreachable"

    def __init__(self, problem: str, *, cure: str, kind: str = "", file: str = "") -> None:
        super().__init__(problem, cure=cure, kind=kind, file=file)
        self.finished: dict[str, Any] = {}
