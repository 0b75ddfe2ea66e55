"""While an index waits for a rebuild: what must not be found in it any more is taken out all the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from pincite.engine.jobs import Loaded
from pincite.engine.roots import Root
from pincite.engine.sync import Syncer, fewer_may_see
from pincite.ports import Writer


def tighten(syncer: Syncer, roots: Sequence[Root], excluded: Iterable[Path], writer: Writer) -> list[str]:
    """Takes out the documents that are gone, that can no longer be loaded and that fewer people may see now; returns
    their ids. All others stay as they are, those that have changed too, and nothing is embedded.

    ``syncer`` is one with ``rights_only``.
    """
    stored = syncer.store.stored()
    members = syncer.members_of(roots, excluded, stored)
    syncer.find_moving(members)
    for plan, result in syncer.loaded(syncer.plans(members, stored)):
        name = plan.member.document_id
        state = stored.get(name if name in stored else syncer.gone.take(plan.sha256))  # none for a second copy
        if state and isinstance(result, Loaded) and not fewer_may_see(state.metadata, result.document.metadata):
            syncer.kept.add(state.document_id)
    return syncer.take_out(sorted(stored.keys() - syncer.kept), roots, writer)
