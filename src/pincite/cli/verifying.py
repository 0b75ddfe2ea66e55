"""``verify``: statements and quotes from anywhere, checked against the collection."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pincite.answer.claims import CheckedClaim, Claim
from pincite.cli import output
from pincite.cli.collections import open_collection, principal_of
from pincite.cli.listing import counted
from pincite.errors import CheckFailedError, UsageError
from pincite.model import VERDICTS

VERIFIED = frozenset({"verified"})


def verify(
    file: Path, *, accept: Sequence[str], groups: Sequence[str] | None, directory: Path | None, as_json: bool
) -> int:
    """Exit code 8 where a claim is neither verified nor has a verdict that is accepted."""
    accepted = VERIFIED | _verdicts(accept)
    principal = principal_of(groups)
    claims = read_claims(file)
    with open_collection(directory) as collection:
        checked = collection.verify(claims, principal=principal)
    for claim in checked:
        if as_json:
            output.write_json(claim.to_json())
        else:
            _print(claim)
    if not as_json:
        _print_summary(checked)
    return 0 if all(claim.verdict in accepted for claim in checked) else CheckFailedError.exit_code


def _verdicts(names: Sequence[str]) -> frozenset[str]:
    for name in names:
        if name not in VERDICTS:
            raise UsageError(f"no verdict {name!r}", cure=f"There are: {', '.join(VERDICTS)}.")
    return frozenset(names)


def read_claims(file: Path) -> list[Claim]:
    """The claims in order. Raises ``UsageError`` that names the file and the line of what is none."""
    claims: list[Claim] = []
    for number, line in enumerate(_lines_of(file), start=1):
        if not line.strip():
            continue
        try:
            claims.append(Claim.from_json(json.loads(line)))
        except (ValueError, RecursionError) as error:
            where = f"{file} line {number}"
            raise UsageError(f"is no claim ({error})", cure="Mend that line.", file=where) from error
    if not claims:
        raise UsageError("has no claim", cure="Write one JSON object a line.", file=str(file))
    return claims


def _lines_of(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise UsageError(f"cannot be read ({error.strerror})", cure="Check the path.", file=str(file)) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"is not UTF-8 (byte {error.start})", cure="Save it as UTF-8.", file=str(file)) from error


def _print(claim: CheckedClaim) -> None:
    output.write(f"{claim.verdict}: {output.safe(claim.claim.statement)}")
    if claim.span:
        where = f"{claim.document_id} [{claim.span.start}, {claim.span.end})"
        output.write("    " + output.safe(f"{where}, {claim.match}: {claim.quote}"))
    output.write("    " + output.safe(f"{claim.message} ({claim.reason})"))


def _print_summary(checked: Sequence[CheckedClaim]) -> None:
    counts = Counter(claim.verdict for claim in checked)
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    output.write(f"{counted(len(checked), 'claim')}: {said}")
