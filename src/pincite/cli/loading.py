"""Documents for commands that look at files, without a collection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pincite.cli import output
from pincite.engine.documents import load_files
from pincite.engine.files import File, find_files
from pincite.errors import LoadError
from pincite.model import Document, Notice


class Loading:
    """Documents one at a time; tells what it meets as it goes and remembers whether every file could be loaded."""

    def __init__(
        self,
        paths: Sequence[Path],
        *,
        as_json: bool,
        in_lines: bool = True,
        keep_warnings: bool = False,
        password: str | None = None,
    ) -> None:
        """``in_lines``: stdout holds JSON lines, so that an error can be one of them. ``keep_warnings``: with JSON
        they go into ``warnings`` for the one document on stdout, not to stderr."""
        self._as_json = as_json
        self._in_lines = in_lines
        self._keep_warnings = keep_warnings and as_json
        self._password = password
        self._found = find_files(paths)
        self.files: tuple[File, ...] = self._found.files
        self.warnings: list[Notice] = []
        self.failed: list[LoadError] = []

    def __iter__(self) -> Iterator[Document]:
        for notice in self._found.notices:
            if notice.kind in ("link", "side_file"):
                self.warn([notice])
            else:
                self._fail(LoadError(notice.message, cure="", kind=notice.kind, file=notice.file))
        for result in load_files(self.files, password=self._password):
            if isinstance(result, LoadError):
                self._fail(result)
            else:
                self.warn(result.located_warnings())
                yield result

    def leave_out(self, path: Path) -> bool:
        """Does not load the file at that path, whatever it is called among the documents; says whether it is one."""
        kept = tuple(file for file in self.files if not _is_same(file.path, path))
        found, self.files = len(kept) < len(self.files), kept
        return found

    def warn(self, notices: Sequence[Notice]) -> None:
        self.warnings.extend(notices)
        if not self._keep_warnings:
            output.warn(notices, as_json=self._as_json)

    def _fail(self, error: LoadError) -> None:
        self.failed.append(error)
        output.report_error(error, as_json=self._as_json and self._in_lines)

    @property
    def exit_code(self) -> int:
        return LoadError.exit_code if self.failed else 0


def _is_same(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except OSError:  # one that has gone meanwhile
        return False
