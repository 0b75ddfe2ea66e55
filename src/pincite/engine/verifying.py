"""Claims checked against the documents of a collection that one principal may see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pincite.answer.claims import CheckedClaim, Claim, check
from pincite.errors import UsageError
from pincite.model import Principal
from pincite.ports import Store
from pincite.store.entry import groups_of


def verify(claims: Iterable[Claim | Mapping[str, Any]], *, store: Store, principal: Principal) -> list[CheckedClaim]:
    """The claims with their verdicts, in their order; a document that the principal may not see is as if it were not
    there. Raises ``UsageError`` for what makes no claim."""
    if not isinstance(principal, Principal):
        raise UsageError(f"the principal is {principal!r}", cure="Say who asks: principal=Principal({'public'}).")
    checked = [_claim(claim, number) for number, claim in enumerate(claims, start=1)]
    with store.snapshot() as snapshot:
        visible = (name for name, state in store.stored().items() if principal.may_see(groups_of(state.metadata)))
        return check(checked, visible, lambda name: snapshot.document(name, principal=principal))


def _claim(claim: Claim | Mapping[str, Any], number: int) -> Claim:
    if isinstance(claim, Claim):
        return claim
    try:
        return Claim.from_json(claim)
    except ValueError as error:
        raise UsageError(f"number {number} is no claim ({error})", cure="Give a statement and a quote.") from error
