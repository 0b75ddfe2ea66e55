"""What a sync tells: while it runs and when it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pincite.model import Notice

Progress = Callable[[str, int, int], None]
"""Called with a document's id, how many are done and how many there are."""


@dataclass(slots=True)
class SyncReport:
    """What a sync did, or with ``dry_run`` would do; ids in order.

    ``moved`` holds pairs of old and new id, ``embedded`` counts texts, ``ignored`` files and folders that ignore rules
    and excludes left out.
    """

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    moved: list[tuple[str, str]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    failed: list[Notice] = field(default_factory=list)
    warnings: list[Notice] = field(default_factory=list)
    embedded: int = 0
    ignored: int = 0
    dry_run: bool = False

    def to_json(self) -> dict[str, Any]:
        """Counts under the names of the design, and the ids under ``documents``."""
        return {
            "added": len(self.added),
            "changed": len(self.changed),
            "moved": len(self.moved),
            "removed": len(self.removed),
            "unchanged": len(self.unchanged),
            "failed": [notice.to_json() for notice in self.failed],
            "embedded": self.embedded,
            "ignored": self.ignored,
            "dry_run": self.dry_run,
            "documents": {
                "added": self.added,
                "changed": self.changed,
                "moved": [list(pair) for pair in self.moved],
                "removed": self.removed,
            },
            "warnings": [notice.to_json() for notice in self.warnings],
        }
