"""``ask --chat``: one question a line, each in the light of those before it."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pincite.cli import output
from pincite.cli.asking import Streamed, Wish, print_answer, show_failure
from pincite.cli.collections import open_collection, principal_of
from pincite.cli.tracing import print_trace
from pincite.engine.conversation import Conversation, Turn
from pincite.engine.rewriting import rewriter
from pincite.errors import PinciteError, RemoteError, UsageError
from pincite.model import Answer

PROMPT = "> "
LEAVING = frozenset(["exit", "quit", ":q", "/exit", "/quit"])


def chat(first: str | None, wish: Wish, directory: Path | None, *, groups: Sequence[str] | None, as_json: bool) -> int:
    """Asks ``first``, then each line of standard input until it ends; blank lines are passed over.

    With ``as_json`` each answer is one line of JSON. A question that fails is told and the next one is taken. Leaves
    with the exit code of the last question.
    """
    if wish.stream and as_json:
        raise UsageError("--stream prints text, --json one document a question", cure="Leave out one of them.")
    if wish.trace:
        raise UsageError("--trace writes one answer, and --chat has many", cure="Use --json --explain instead.")
    code = 0
    with open_collection(directory) as collection:
        principal = principal_of(groups)

        heard: list[Streamed] = []

        def ask(question: str) -> Answer:
            heard[:] = [Streamed()] if wish.stream else []
            return collection.ask(
                question,
                principal=principal,
                answerer=wish.model,
                answerer_options=wish.answerer_options,
                where=wish.where,
                without=wish.without,
                explain=wish.explain,
                listener=heard[0] if heard else None,
            )

        parts = {"embedder": collection.embedder, "analyser": collection.analyser}
        rewrite = rewriter(wish.model, collection.settings.answer, options=wish.answerer_options, parts=parts)
        conversation = Conversation(ask=ask, analyser=collection.analyser, rewrite=rewrite)
        for question in _questions(first):
            try:
                _show(conversation.put(question), wish, heard, as_json=as_json)
                code = 0
            except RemoteError as error:
                code = show_failure(error, wish, as_json=as_json, streamed=heard[0] if heard else None)
            except PinciteError as error:
                output.report_error(error, as_json=as_json)
                code = error.exit_code
            output.flush()
    return code


def _questions(first: str | None) -> Iterator[str]:
    if first is not None:
        yield first
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are part of a question, not the end of it
    interactive = sys.stdin.isatty()
    while True:
        if interactive:
            sys.stderr.write(PROMPT)
            sys.stderr.flush()
        line = sys.stdin.readline()
        if not line or line.strip().casefold() in LEAVING:
            return
        if line.strip():
            yield line.strip()


def _show(turn: Turn, wish: Wish, heard: Sequence[Streamed], *, as_json: bool) -> None:
    answer = turn.answer
    if as_json:
        told = (answer if wish.explain else replace(answer, trace=None)).to_json()
        output.write_json({**told, "asked": turn.standalone})
        return
    if turn.standalone != turn.question:
        output.say(f"asked as: {output.safe(turn.standalone)}")
    print_answer(answer, streamed=heard[0] if heard else None)
    output.write()
    if wish.explain and answer.trace:
        print_trace(answer.trace)
