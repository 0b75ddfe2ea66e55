"""What becomes of the statements of a model that the passages do not support."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, get_args

from pincite.model import Notice, Statement

Policy = Literal["drop", "mark", "retry"]
"""Leave them out and say how many; keep them with their verdict; or ask once more with the verdicts, then leave them
out."""
POLICIES: tuple[Policy, ...] = get_args(Policy)


def settle(statements: Sequence[Statement], policy: Policy) -> tuple[tuple[Statement, ...], tuple[Notice, ...]]:
    """The statements that the answer has, each text once, and a notice for each kind of fault of those left out."""
    by_text: dict[str, Statement] = {}
    for statement in statements:
        by_text.setdefault(statement.text, statement)
    single = list(by_text.values())
    if policy == "mark":
        return tuple(single), ()
    left_out = Counter(statement.verdict for statement in single if not statement.supported)
    notices = [
        Notice(
            kind="dropped",
            message=f"{_counted(count)} of the model {'was' if count == 1 else 'were'} left out: {verdict}",
        )
        for verdict, count in sorted(left_out.items())
    ]
    return tuple(statement for statement in single if statement.supported), tuple(notices)


def _counted(count: int) -> str:
    return "1 statement" if count == 1 else f"{count} statements"
