"""Side files: ``report.pdf.meta.toml`` holds the metadata of the ``report.pdf`` beside it.

The keys are typed as TOML types them: text, number, boolean, date, list of texts. What decides who may see a document
must not be lost by a slip, so a side file that cannot be read or understood fails its document.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Collection
from pathlib import Path

from pincite.config import parse_metadata
from pincite.errors import LoadError, UsageError
from pincite.model import Metadata

SUFFIX = ".meta.toml"
MAX_BYTES = 64 * 1024


def is_side_file(name: str) -> bool:
    """In small letters or not: what decides who may see a document must not be taken for one by a slip."""
    return name.lower().endswith(SUFFIX) and len(name) > len(SUFFIX)


def problem_with_side_file(name: str, neighbours: Collection[str]) -> str:
    """Why the side file is read for no document, empty where it is; ``neighbours`` are the names in its folder."""
    if document_of(name) not in neighbours:
        return f"there is no document {document_of(name)} that this metadata is for"
    return "" if name.endswith(SUFFIX) else f"metadata that is not read; end its name in {SUFFIX}, in small letters"


def document_of(name: str) -> str:
    """The name of the document that a side file is for.

    >>> document_of("report.pdf.meta.toml")
    'report.pdf'
    """
    return name[: -len(SUFFIX)]


def side_metadata(path: Path) -> Metadata:
    """What the side file of the document at ``path`` says, nothing where there is none. Raises ``LoadError`` of the
    kind ``side_file``."""
    file = path.with_name(path.name + SUFFIX)
    try:
        if not os.path.lexists(file):
            return {}
        details = file.lstat()
        if not stat.S_ISREG(details.st_mode):
            raise _error(file, "is not a regular file")
        if details.st_size > MAX_BYTES:
            raise _error(file, f"has more than {MAX_BYTES:,} bytes")
        return parse_metadata(tomllib.loads(file.read_bytes().decode("utf-8-sig")), "metadata")
    except OSError as error:
        raise _error(file, f"cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise _error(file, f"is not UTF-8 (byte {error.start})") from error
    except ValueError as error:  # tomllib's own, and a number of thousands of digits
        raise _error(file, f"is not valid TOML: {error}") from error
    except RecursionError as error:
        raise _error(file, "is nested too deeply") from error
    except UsageError as error:
        raise _error(file, error.problem, error.cure) from error


def _error(file: Path, problem: str, cure: str = "") -> LoadError:
    cure = cure or "Mend it, or take it away; until then the document is left out."
    return LoadError(f"its metadata file {file.name} {problem}", cure=cure, kind="side_file", file=str(file))
