"""``lint``: bad chunks, a line each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pincite.cli import output
from pincite.cli.listing import counted
from pincite.cli.loading import Loading
from pincite.cli.strategy import Strategy
from pincite.engine.lint import Finding, LintReport, Rules, lint
from pincite.errors import CheckFailedError


def show_findings(
    paths: Sequence[Path],
    strategy: Strategy,
    limits: Mapping[str, Any],
    ignore: Sequence[str],
    *,
    password: str | None,
    as_json: bool,
) -> int:
    """Exit code 8 when there is any. ``limits`` are those of `Rules`, ``None`` for the usual one."""
    given = {name: limit for name, limit in limits.items() if limit is not None}
    rules = Rules(ignore=frozenset(ignore), **given)
    documents = Loading(paths, as_json=as_json, in_lines=False, keep_warnings=True, password=password)
    report = lint(documents, strategy=strategy.name, options=strategy.options, rules=rules)
    if as_json:
        _write_report(report, documents)
    elif report.documents:
        _print_report(report, documents)
    return CheckFailedError.exit_code if report.findings else documents.exit_code


def _write_report(report: LintReport, documents: Loading) -> None:
    if documents.failed and not report.documents:
        output.write_json({"error": documents.failed[0].to_json()})
        return
    failed = [{"file": error.file, "kind": error.kind, "message": error.problem} for error in documents.failed]
    warnings = [warning.to_json() for warning in documents.warnings]
    output.write_json({**report.to_json(), "failed": failed, "warnings": warnings})


def _print_report(report: LintReport, documents: Loading) -> None:
    """Paths as an editor or a terminal opens them, not the ids of the documents."""
    paths = {file.document_id: _shown(file.path) for file in documents.files}
    for finding in report.findings:
        output.write(
            output.safe(f"{_where(finding, paths)}: {finding.kind}: chunk {finding.number} {finding.message}.")
        )
        output.write(f"    {output.safe(finding.cure)}")
    looked_at = f"{counted(report.chunks, 'chunk')} of {counted(report.documents, 'document')}"
    if report.findings:
        kinds = ", ".join(f"{count} {kind}" for kind, count in report.counts.items() if count)
        output.write(f"{counted(len(report.findings), 'finding')} in {looked_at}: {kinds}")
    else:
        output.write(f"no bad chunks ({looked_at})")


def _where(finding: Finding, paths: Mapping[str, str]) -> str:
    path = paths.get(finding.document_id, finding.document_id)
    if finding.place.line:
        return f"{path}:{finding.place.line}"
    place = str(finding.place)
    return f"{path}, {place}" if place else path


def _shown(path: Path) -> str:
    """Relative to the current folder where it lies inside."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
