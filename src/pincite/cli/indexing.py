"""``add``, ``sync``, ``status`` and ``remove``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pincite.cli import output
from pincite.cli.collections import open_collection
from pincite.engine.documents import problem_with
from pincite.engine.report import SyncReport
from pincite.errors import LoadError


def add_paths(paths: Sequence[Path], directory: Path | None, *, as_json: bool) -> int:
    problems = [problem_with(path) for path in paths]
    if all(problems):  # no reason to make a collection
        return show_report(SyncReport(failed=[problem for problem in problems if problem]), as_json=as_json)
    with open_collection(directory, create=True) as collection, output.progress_on_stderr(quiet=as_json) as progress:
        report = collection.add(paths, progress=progress)
    return show_report(report, as_json=as_json)


def sync_collection(directory: Path | None, *, as_json: bool) -> int:
    with open_collection(directory) as collection, output.progress_on_stderr(quiet=as_json) as progress:
        report = collection.sync(progress=progress)
    return show_report(report, as_json=as_json)


def show_report(report: SyncReport, *, as_json: bool) -> int:
    if as_json:
        output.write_json(report.to_json())
    else:
        output.warn(report.warnings)
        for notice in report.failed:
            output.say(f"failed ({notice.kind}): {output.safe(f'{notice.file}: {notice.message}')}")
        counts = ", ".join(
            f"{len(getattr(report, name))} {name}"
            for name in ("added", "changed", "moved", "removed", "unchanged", "failed")
        )
        texts = f"{report.embedded} texts embedded" if report.embedded else "nothing had to be embedded"
        output.write(f"{counts}; {texts}")
    return LoadError.exit_code if report.failed else 0


def show_status(directory: Path | None, *, as_json: bool) -> int:
    with open_collection(directory) as collection:
        status = collection.status()
    if as_json:
        output.write_json(status.to_json())
        return 0
    data = status.to_json()
    output.write(f"collection  {data['collection']}")
    output.write(f"strategy    {data['strategy']}")
    output.write(f"embedder    {data['embedder']}")
    output.write(f"documents   {data['documents']}, {data['chunks']} chunks")
    for root in data["roots"]:
        output.write(f"root        {output.safe(root)}")
    for name in data["excluded"]:
        output.write(f"left out    {output.safe(name)}")
    for document in status.documents:
        output.write(f"  {document.chunks:>5} chunks  {output.safe(document.document_id)}")
    return 0


def remove_documents(documents: Sequence[str], directory: Path | None, *, as_json: bool) -> int:
    with open_collection(directory) as collection:
        removed = collection.remove(documents)
    if as_json:
        output.write_json({"removed": removed})
    else:
        output.write(f"{len(removed)} documents removed; add them by name to have them back")
    return 0
