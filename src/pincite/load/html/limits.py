"""What a page may have at most."""

from __future__ import annotations

from pincite.errors import LoadError


class TooMuchError(Exception):
    """A page has more of something than ``option`` of its loader allows."""

    def __init__(self, problem: str, option: str) -> None:
        super().__init__(problem)
        self.option = option


def too_large(error: TooMuchError, loader: object, file: str, *, page: str = "") -> LoadError:
    """The error of a loader that has the option; ``page`` is the one of the file's pages that it is about."""
    where = f"{page}: " if page else ""
    return LoadError(
        f"{where}{error}, over {getattr(loader, error.option):,} ({error.option})",
        cure=f"Raise {error.option}, or leave the file out.",
        kind="too_large",
        file=file,
    )
