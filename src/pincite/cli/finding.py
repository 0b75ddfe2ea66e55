"""``search`` and ``ask``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli import output
from pincite.cli.collections import open_collection, principal_of
from pincite.errors import UsageError
from pincite.model import MODES, PATH_SEPARATOR, Mode

if TYPE_CHECKING:
    from pincite.model import Citation, Hit

LINES_SHOWN = 4


def show_hits(
    query: str,
    k: int | None,
    mode: str | None,
    directory: Path | None,
    *,
    where: str | None,
    groups: Sequence[str] | None,
    as_json: bool,
) -> int:
    with open_collection(directory) as collection:
        ranking = collection.search(query, principal=principal_of(groups), k=k, mode=_mode(mode), where=where)
    output.warn(ranking.warnings, as_json=as_json)
    for hit in ranking.hits:
        if as_json:
            output.write_json(hit.to_json())
        else:
            _print_hit(hit)
    if not ranking.hits and not as_json:
        output.write("no hits")
    return 0


def show_answer(
    question: str,
    model: str | None,
    directory: Path | None,
    *,
    where: str | None,
    groups: Sequence[str] | None,
    as_json: bool,
) -> int:
    with open_collection(directory) as collection:
        answer = collection.ask(question, principal=principal_of(groups), answerer=model, where=where)
    if as_json:
        output.write_json(answer.to_json())
        return 0
    output.warn(answer.warnings)
    if not answer.answered:
        output.write(output.safe(answer.reason))
    for statement in answer.statements:
        for line in statement.text.splitlines():
            output.write(output.printable(line))
        for citation in statement.citations:
            output.write(f"    {_source(citation)}")
    return 0


def _mode(name: str | None) -> Mode | None:
    for mode in MODES:
        if name == mode:
            return mode
    if name is None:
        return None
    raise UsageError(f"no mode is called {name!r}", cure=f"There are: {', '.join(MODES)}.")


def _print_hit(hit: Hit) -> None:
    place = str(hit.located.place)
    where = ", ".join(part for part in (hit.chunk.document_id, place) if part)
    headings = PATH_SEPARATOR.join(hit.chunk.headings)
    output.write(f"{hit.rank}. {output.safe(where)}   score {hit.score:.3f}")
    width = output.terminal_width() - 4
    if headings:
        output.write(f"   {output.first_line(headings, width)}")
    lines = [line for line in hit.chunk.text.splitlines() if line.strip()]
    for line in lines[:LINES_SHOWN]:
        output.write(f"   | {output.first_line(line, width - 2)}")
    if len(lines) > LINES_SHOWN:
        output.write(f"   | … {len(lines) - LINES_SHOWN} more lines")
    output.write()


def _source(citation: Citation) -> str:
    where = ", ".join(part for part in (citation.document_id, str(citation.place)) if part)
    headings = PATH_SEPARATOR.join(citation.headings)
    return output.safe(f"[{where}] {headings}")
