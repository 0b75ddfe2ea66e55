"""What was found out about one statement."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.model import Verdict


@dataclass(frozen=True, slots=True)
class Judged:
    """``reason`` is one word for programs, ``message`` a line for people."""

    verdict: Verdict
    reason: str
    message: str


def no(reason: str, message: str) -> Judged:
    return Judged("unsupported", reason, message)
