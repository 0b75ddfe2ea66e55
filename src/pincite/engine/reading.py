"""Reads the members of a collection and tells which of them are still as the index has them."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pincite.config import Component, Settings
from pincite.engine.documents import loader_for, read_bytes
from pincite.engine.jobs import Job
from pincite.engine.members import Member, Plan
from pincite.engine.recipe import algorithm_of, fingerprint, options_of
from pincite.engine.side_files import side_metadata
from pincite.model import Metadata, metadata_to_json
from pincite.ports import Loader, Stored

APART = "-"
"""Stands between the two fingerprints by which a document was made."""


class Reader:
    """Makes each loader once, for its limits and the fingerprint of its settings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._loaders: dict[str, tuple[Component, Loader, str]] = {}

    def plan(self, member: Member) -> Plan:
        """What has to be done for that file if it has changed. Raises ``LoadError`` where it cannot be read."""
        component, _, made = self._loader(member.path)
        data = self._read(member)
        override = {**side_metadata(member.path), **member.rules}
        job = Job(member.path, member.document_id, data, component, member.chunk, override)
        return Plan(member, job, hashlib.sha256(data).hexdigest(), _made_by(member, made, override))

    def sha256(self, member: Member) -> str:
        """Raises ``LoadError``."""
        return hashlib.sha256(self._read(member)).hexdigest()

    def _read(self, member: Member) -> bytes:
        _, loader, _ = self._loader(member.path)
        return read_bytes(member.path, max_bytes=getattr(loader, "max_bytes", None))

    def _loader(self, path: Path) -> tuple[Component, Loader, str]:
        suffix = path.suffix.lower()
        if suffix not in self._loaders:
            component = loader_for(path, self.settings.load)
            loader = component.create()
            made = fingerprint(component.name, options_of(loader), algorithm_of(loader))
            self._loaders[suffix] = (component, loader, made)
        return self._loaders[suffix]


def _made_by(member: Member, loader: str, override: Metadata) -> str:
    """What is not in the recipe of the whole collection: that is the same for all documents of a store. What the
    metadata come from and how the text is cut are apart: rights are looked at without a look at the other."""
    chunk = [member.chunk.name, dict(member.chunk.options)]
    return f"{fingerprint(loader, metadata_to_json(override))}{APART}{fingerprint(chunk)}"


def is_made_alike(state: Stored, plan: Plan, *, rights_only: bool = False) -> bool:
    """Whether the stored document is the one that the file would give now; with ``rights_only`` however it is cut."""
    before, now = state.made_by, plan.made_by
    if rights_only:
        before, now = before.partition(APART)[0], now.partition(APART)[0]
    return (state.sha256, before, state.root) == (plan.sha256, now, plan.member.root)
