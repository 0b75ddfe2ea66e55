"""``add``, ``sync``, ``status`` and ``remove``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pincite import catalogue
from pincite.cli import output
from pincite.cli.collections import nearest, open_collection, principal_of
from pincite.cli.listing import counted
from pincite.engine.collection import Collection
from pincite.engine.files import problem_with
from pincite.engine.report import SyncReport
from pincite.errors import CollectionError, LoadError, MissingExtraError, PinciteError, UsageError

COUNTED = ("added", "changed", "moved", "removed", "unchanged", "failed")


def add_paths(paths: Sequence[Path], directory: Path | None, *, dry_run: bool, as_json: bool) -> int:
    problems = [problem_with(path) for path in paths]
    if all(problems):  # no reason to make a collection
        return show_report(SyncReport(failed=[problem for problem in problems if problem]), as_json=as_json)
    with (
        _to_add_to(directory, dry_run=dry_run) as collection,
        output.progress_on_stderr(quiet=as_json) as progress,
    ):
        report = collection.add(paths, dry_run=dry_run, progress=progress)
    return show_report(report, as_json=as_json)


@contextmanager
def _to_add_to(directory: Path | None, *, dry_run: bool) -> Iterator[Collection]:
    """The collection, made where there is none; for a dry run in memory, so that none is left behind."""
    try:
        opened = open_collection(directory, create=not dry_run)
    except CollectionError as error:
        if not dry_run or error.kind != "missing":
            raise
        opened = Collection(directory or nearest(), store=catalogue.create("store", "memory"))
    with opened as collection:
        yield collection


def sync_collection(directory: Path | None, *, dry_run: bool, rebuild: bool, as_json: bool) -> int:
    with open_collection(directory) as collection, output.progress_on_stderr(quiet=as_json) as progress:
        report = collection.sync(dry_run=dry_run, rebuild=rebuild, progress=progress)
    return show_report(report, as_json=as_json)


def watch_collection(directory: Path | None, *, alone: bool, as_json: bool) -> int:
    """Ends with Ctrl-C; a file or a setting that is wrong is told and does not end it."""
    if not alone:
        raise UsageError("--watch goes with neither --dry-run nor --rebuild", cure="Run these before.")
    try:
        from pincite.engine.watch import Watch
    except ImportError as error:
        raise MissingExtraError(
            "--watch needs the package watchfiles", cure="Run `pip install 'pincite[watch]'`."
        ) from error

    def tell(result: SyncReport | PinciteError) -> None:
        if isinstance(result, PinciteError):
            output.report_error(result, as_json=as_json)
        else:
            show_report(result, as_json=as_json)
        output.flush()

    with open_collection(directory) as collection:
        folder = collection.directory
    try:
        output.say(f"following {output.safe(str(folder))} until Ctrl-C")
        with output.progress_on_stderr(quiet=as_json) as progress:
            Watch(folder, tell, progress=progress).run()
    except KeyboardInterrupt:
        output.say("ended")
    return 0


def show_report(report: SyncReport, *, as_json: bool) -> int:
    if as_json:
        output.write_json(report.to_json())
    else:
        output.warn(report.warnings)
        for notice in report.failed:
            output.say(f"failed ({notice.kind}): {output.safe(f'{notice.file}: {notice.message}')}")
        if report.dry_run:
            _print_plan(report)
        output.write(summary(report))
    return LoadError.exit_code if report.failed else 0


def _print_plan(report: SyncReport) -> None:
    lines = [f"{verb} {name}" for verb in ("added", "changed") for name in getattr(report, verb)]
    lines += [f"moved {old} to {new}" for old, new in report.moved]
    lines += [f"removed {name}" for name in report.removed]
    for line in lines:
        output.write(f"  {output.safe(line)}")


def summary(report: SyncReport) -> str:
    """
    >>> summary(SyncReport(added=["a.md"], embedded=1, ignored=2))
    '1 added, 0 changed, 0 moved, 0 removed, 0 unchanged, 0 failed, 2 ignored; 1 text embedded'
    """
    counts = ", ".join(f"{len(getattr(report, name))} {name}" for name in COUNTED)
    ignored = f", {report.ignored} ignored" if report.ignored else ""
    if report.dry_run:
        return f"dry run: {counts}{ignored}; nothing was written"
    texts = f"{counted(report.embedded, 'text')} embedded" if report.embedded else "nothing had to be embedded"
    return f"{counts}{ignored}; {texts}"


def show_status(directory: Path | None, *, groups: Sequence[str] | None, as_json: bool) -> int:
    """Without groups for whoever runs the collection: every document."""
    with open_collection(directory) as collection:
        status = collection.status(principal=principal_of(groups) if groups else None)
    data = status.to_json()
    if as_json:
        output.write_json(data)
        return 0
    output.write(f"collection  {data['collection']}")
    output.write(f"strategy    {data['strategy']}")
    output.write(f"embedder    {data['embedder']}")
    output.write(f"documents   {data['documents']}, {data['chunks']} chunks")
    for root in data["roots"]:
        output.write(f"root        {output.safe(root)}")
    for name in data["excluded"]:
        output.write(f"left out    {output.safe(name)}")
    for reason in data["redo"]:
        output.write(f"to do       `pincite sync --rebuild`: {output.safe(reason)}")
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
