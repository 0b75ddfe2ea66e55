"""``ask``: the answer, as it is written or whole, how it came about, and the passages where there is none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pincite.cli import output
from pincite.cli.collections import open_collection, principal_of
from pincite.cli.finding import print_hit
from pincite.cli.listing import counted
from pincite.cli.tracing import print_trace
from pincite.errors import RemoteError, UsageError
from pincite.model import PATH_SEPARATOR, Answer, Citation, Ranking, Statement, Trace

PASSAGES_SHOWN = 5
"""Where there is no answer; with --json all are there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What ``ask`` was called with. ``trace`` is the file that it is written to."""

    model: str | None = None
    base_url: str | None = None
    policy: str | None = None
    budget_tokens: int | None = None
    timeout_s: float | None = None
    where: str | None = None
    without: Sequence[str] = ()
    explain: bool = False
    stream: bool = False
    trace: Path | None = None

    @property
    def answerer_options(self) -> dict[str, Any]:
        options = {
            "base_url": self.base_url,
            "policy": self.policy,
            "budget_tokens": self.budget_tokens,
            "timeout_s": self.timeout_s,
        }
        return {name: value for name, value in options.items() if value is not None}


def show_answer(
    question: str, wish: Wish, directory: Path | None, *, groups: Sequence[str] | None, as_json: bool
) -> int:
    """Where a language model fails the passages that were found are shown, and the exit code is the error's."""
    if wish.stream and as_json:
        raise UsageError("--stream prints text, --json one document at the end", cure="Leave out one of them.")
    _check_trace(wish)
    streamed = Streamed() if wish.stream else None
    try:
        with open_collection(directory) as collection:
            answer = collection.ask(
                question,
                principal=principal_of(groups),
                answerer=wish.model,
                answerer_options=wish.answerer_options,
                where=wish.where,
                without=wish.without,
                explain=wish.explain or wish.trace is not None,
                listener=streamed,
            )
    except RemoteError as error:
        return show_failure(error, wish, as_json=as_json, streamed=streamed)
    _write_trace(answer.trace, wish)
    if as_json:
        output.write_json((answer if wish.explain else replace(answer, trace=None)).to_json())
        return 0
    print_answer(answer, streamed=streamed)
    if wish.explain and answer.trace:
        print_trace(answer.trace)
    return 0


@dataclass(slots=True)
class Streamed:
    """Prints each statement as soon as it is complete and checked."""

    heard: list[Statement] = field(default_factory=list)

    def hear(self, statement: Statement) -> None:
        self.heard.append(statement)
        _print_statement(statement)
        output.flush()

    def wants_more(self) -> bool:
        return True


def print_answer(answer: Answer, *, streamed: Streamed | None = None) -> None:
    """Warnings on stderr, then what was not printed yet; what was printed and does not hold any more is taken back."""
    heard = streamed.heard if streamed else []
    output.warn(answer.warnings)
    for statement in heard:
        if statement.text not in [kept.text for kept in answer.statements]:
            output.write(f"withdrawn: {output.safe(statement.text)}")
    if not answer.answered:
        output.write(output.safe(answer.reason))
    for citation in answer.nearest:
        output.write(f"    {_source(citation)}")
        output.write(f'      "{output.safe(citation.quote)}"')
    for statement in answer.statements:
        if statement.text not in [told.text for told in heard]:
            _print_statement(statement)


def _print_statement(statement: Statement) -> None:
    for line in statement.text.splitlines():
        output.write(output.printable(line))
    if statement.verdict != "verified":
        output.write(f"    {statement.verdict}: {output.safe(statement.message)}")
    for citation in statement.citations:
        output.write(f"    {_source(citation)}")
        if citation.quote.strip() != statement.text.strip():
            quote = output.safe(citation.quote)
            output.write(f'      "{quote}"' + ("" if citation.match in ("exact", None) else f" ({citation.match})"))


def _source(citation: Citation) -> str:
    if not citation.found:
        said = f", not in {citation.document_id}" if citation.document_id else ""
        return output.safe(f"[not found{said}]")
    where = ", ".join(part for part in (citation.document_id, str(citation.place)) if part)
    return output.safe(f"[{where}] {PATH_SEPARATOR.join(citation.headings)}")


def show_failure(error: RemoteError, wish: Wish, *, as_json: bool, streamed: Streamed | None = None) -> int:
    """One line that says what failed; the passages are an answer of their own. What was streamed is checked and stands,
    but is not all."""
    ranking, trace = error.finished.get("ranking"), error.finished.get("trace")
    hits = ranking.hits if isinstance(ranking, Ranking) else ()
    trace = replace(trace, ranking=ranking) if isinstance(trace, Trace) else None
    _write_trace(trace, wish)
    if as_json:
        told = {"trace": trace.to_json()} if trace and wish.explain else {}
        output.say(f"error: {output.safe(str(error))}")
        output.write_json({"error": error.to_json(), "hits": [hit.to_json() for hit in hits], **told})
        return error.exit_code
    if hits:
        shown = counted(min(PASSAGES_SHOWN, len(hits)), "passage")
        begun = "No more" if streamed and streamed.heard else "No answer"
        output.write(f"{begun}; {shown} that may hold it, of {len(hits)} that were found:")
        for hit in hits[:PASSAGES_SHOWN]:
            print_hit(replace(hit, explanation=None))
    if trace and wish.explain:
        print_trace(trace)
    output.say(f"error: {output.safe(str(error))}")
    return error.exit_code


def _write_trace(trace: Trace | None, wish: Wish) -> None:
    if wish.trace and trace:
        told = trace.to_json()
        try:
            data = json.dumps(told, ensure_ascii=False, sort_keys=True, indent=2).encode()
        except UnicodeEncodeError:  # half characters, which JSON can say and UTF-8 cannot
            data = json.dumps(told, sort_keys=True, indent=2).encode()
        output.write_file(wish.trace, data + b"\n")


def _check_trace(wish: Wish) -> None:
    """Before a model is paid for an answer that would then be lost. Raises ``UsageError``."""
    if wish.trace and (wish.trace.is_dir() or not wish.trace.parent.is_dir()):
        reason = "it is a folder" if wish.trace.is_dir() else "there is no such folder"
        raise UsageError(f"cannot be written ({reason})", cure="Name another file.", file=str(wish.trace))
