"""How an answer came about, for people."""

from __future__ import annotations

from pincite.cli import output
from pincite.cli.listing import counted
from pincite.model import Context, Exchange, Ranking, Trace


def print_trace(trace: Trace) -> None:
    output.write()
    output.write(f"how: {trace.answerer}, {trace.seconds:.2f} s")
    if trace.ranking:
        _print_ranking(trace.ranking)
    if trace.context:
        _print_context(trace.context)
    for number, exchange in enumerate(trace.exchanges, start=1):
        _print_exchange(exchange, number)


def _print_ranking(ranking: Ranking) -> None:
    output.write(f"found: {counted(len(ranking.hits), 'passage')}")
    for hit in ranking.hits:
        scores = {"lexical": hit.lexical, "dense": hit.dense, "relevance": hit.relevance}
        told = "".join(f" · {name} {score:.3f}" for name, score in scores.items() if score is not None)
        output.write(f"   {hit.rank}. {output.safe(hit.chunk.document_id)}   score {hit.score:.3f}{told}")


def _print_context(context: Context) -> None:
    read = counted(len(context.passages), "passage")
    output.write(f"read: {read}, {context.tokens} of {context.budget} tokens ({context.counter})")
    for passage in context.passages:
        span = f"[{passage.span.start}, {passage.span.end})"
        output.write(f"   {passage.number}. {output.safe(passage.document_id)} {span}   {passage.tokens} tokens")
    for cut in context.cut:
        into = f", now in {cut.into}" if cut.into else ""
        span = f"[{cut.span.start}, {cut.span.end})"
        output.write(f"   left out: {output.safe(cut.document_id)} {span}: {cut.reason}{into}")


def _print_exchange(exchange: Exchange, number: int) -> None:
    counted_by = "about " if exchange.estimated else ""
    cost = "" if exchange.cost is None else f", {exchange.cost:.6f} US dollars"
    tries = "" if exchange.attempts == 1 else f", at try {exchange.attempts}"
    tokens = f"{counted_by}{exchange.input_tokens} tokens in, {exchange.output_tokens} out"
    who = f"{output.safe(exchange.model)} ({exchange.api})"
    output.write(f"asked {number}: {who}, {tokens}{cost}, {exchange.seconds:.2f} s{tries}")
    if exchange.problem:
        output.write(f"   of no use: {output.safe(exchange.problem)}")
    for statement in exchange.statements:
        why = output.safe(f"{statement.message} ({statement.reason})")
        output.write(f"   {statement.verdict}: {output.safe(statement.text)}")
        output.write(f"      {why}")
    texts = {"instructions": exchange.instructions, "prompt": exchange.prompt, "wrote": exchange.output}
    for name, text in texts.items():
        output.write(f"   {name}:")
        for line in text.splitlines():
            output.write(f"   | {output.printable(line)}")
