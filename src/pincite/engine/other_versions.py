"""Whether a question that was asked of one version, by a condition, has its answer in the documents of another one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pincite.answer.refusal import of_another_version
from pincite.answer.versions import Edition
from pincite.model import Answer, Principal
from pincite.model.condition import comparisons
from pincite.ports import Snapshot
from pincite.retrieve.where import parse


def asks_one_version(where: str | None) -> bool:
    """Whether the condition speaks of the version and of nothing else.

    >>> asks_one_version("version = '3.0'"), asks_one_version("version = '3.0' and 'api' in tags")
    (True, False)
    """
    return bool(where) and {part.field for part in comparisons(parse(where or ""))} == {"version"}


def said_elsewhere(
    refused: Answer, where: str, ask: Callable[[str], Answer], snapshot: Snapshot, *, principal: Principal
) -> Answer:
    """The refusal, or one that names the other version. ``ask`` asks the same of the documents that fulfil another
    condition; what the principal may not see is not among them either."""
    found = ask(f"not ({where})")
    citations = [citation for statement in found.statements for citation in statement.citations]
    versions = set()
    for name in dict.fromkeys(citation.document_id for citation in citations):
        document = snapshot.document(name, principal=principal)
        versions.add(Edition.of(document).version if document else "")
    if not versions or "" in versions:
        return refused
    told = of_another_version(refused.question, citations, condition=where, versions=versions)
    return replace(told, warnings=refused.warnings, confidence=refused.confidence, trace=refused.trace)
