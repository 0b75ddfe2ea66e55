"""The commands. Each parses its arguments, calls the engine and prints."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli import output

app = typer.Typer(
    name="pincite",
    help="Passages that know exactly where they stand: cut, index, search and answer from your own documents.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Paths = Annotated[list[Path], typer.Argument(help="Files and folders.", readable=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
Groups = Annotated[
    list[str] | None,
    typer.Option(
        "--as",
        metavar="GROUP",
        help="Ask as a member of this group, besides `public`; may be given more than once.",
        show_default=False,
    ),
]
Where = Annotated[
    str | None,
    typer.Option(
        metavar="CONDITION",
        help="Only documents whose metadata fulfil it: \"version = '3.0' and date >= 2025-01-01 and 'api' in tags\".",
    ),
]
CollectionFolder = Annotated[
    Path | None,
    typer.Option(
        "--collection",
        metavar="DIR",
        help="The collection's folder; by default the nearest one upwards, else this one.",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Only say what would be done; a file that cannot be loaded shows later."),
]
Not = Annotated[
    list[str] | None,
    typer.Option("--not", metavar="WORD", help="Leave out passages with this word in any form; repeat for several."),
]
K = Annotated[int | None, typer.Option("-k", help="How many hits (default 5).")]
SearchMode = Annotated[str | None, typer.Option(help="hybrid (default), lexical or dense.")]
MinRelevance = Annotated[float | None, typer.Option(help="Leave out what is less relevant than this, from 0 to 1.")]
Rerank = Annotated[str | None, typer.Option(help="Have the best candidates ordered by this reranker; `none` by none.")]
Password = Annotated[str | None, typer.Option(help="Opens files that are encrypted.")]
Counter = Annotated[str | None, typer.Option("--counter", help="The unit of sizes: o200k_base, characters, words, …")]
StrategyName = Annotated[str, typer.Option(help="How to cut; `pincite doctor` lists the strategies.")]
MaxTokens = Annotated[int | None, typer.Option(help="The limit of a chunk, prefix included.")]
OverlapTokens = Annotated[int | None, typer.Option(help="How much of a chunk the next one repeats.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="Any other option of the strategy.")
]


def _version(wanted: bool) -> None:
    if wanted:
        from pincite import __version__

        output.write(f"pincite {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
    env_file: Annotated[
        Path | None,
        typer.Option(
            "--env-file",
            metavar="FILE",
            help="Read keys of model servers from a file of lines NAME=value; what is set already stays.",
        ),
    ] = None,
) -> None:
    del version
    if env_file is not None:
        from pincite.remote.env_file import use_env_file

        use_env_file(env_file)


@app.command()
def chunk(
    paths: Paths,
    strategy: StrategyName = "structure",
    max_tokens: MaxTokens = None,
    overlap_tokens: OverlapTokens = None,
    counter: Counter = None,
    option: Options = None,
    full: Annotated[
        bool, typer.Option("--full", help="Print the whole text of each chunk; with --diff, every line.")
    ] = False,
    diff: Annotated[
        str | None,
        typer.Option(
            metavar="STRATEGY",
            help="Show the borders of a second strategy beside: NAME or NAME:OPTION=VALUE,OPTION=VALUE.",
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write a page with the chunks as coloured bands instead; it needs no network."
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say why each chunk begins where it does (strategy adaptive).")
    ] = False,
    embedder: Annotated[
        str | None, typer.Option(help="Warn of chunks that this embedder would not read to their end.")
    ] = None,
    password: Password = None,
    as_json: AsJson = False,
) -> int:
    """Look at the chunks of files: number, length, headings above, first line."""
    from pincite.cli.looking import show_chunks
    from pincite.cli.strategy import strategy as chosen
    from pincite.cli.strategy import strategy_options

    options = strategy_options(option, max_tokens=max_tokens, overlap_tokens=overlap_tokens, counter=counter)
    return show_chunks(
        paths,
        chosen(strategy, options),
        other=diff,
        page=html,
        explain=explain,
        embedder=embedder,
        full=full,
        password=password,
        as_json=as_json,
    )


@app.command()
def lint(
    paths: Paths,
    strategy: StrategyName = "structure",
    max_tokens: MaxTokens = None,
    overlap_tokens: OverlapTokens = None,
    counter: Counter = None,
    option: Options = None,
    tiny_share: Annotated[
        float | None, typer.Option(help="A chunk is tiny below this share of the strategy's limit (default 0.05).")
    ] = None,
    same_share: Annotated[
        float | None, typer.Option(help="Two chunks are the same above this share of their word pairs (default 0.9).")
    ] = None,
    boilerplate_chunks: Annotated[
        int | None, typer.Option(help="A line in more chunks than this is boilerplate (default 10).")
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="KIND", help="A kind of finding to leave out; repeat for several.")
    ] = None,
    password: Password = None,
    as_json: AsJson = False,
) -> int:
    """Find bad chunks: only a heading, tiny, the same twice, cut code or tables, long prefixes, boilerplate.

    Leaves with exit code 8 when it finds any.
    """
    from pincite.cli.linting import show_findings
    from pincite.cli.strategy import strategy as chosen
    from pincite.cli.strategy import strategy_options

    options = strategy_options(option, max_tokens=max_tokens, overlap_tokens=overlap_tokens, counter=counter)
    rules = {"tiny_share": tiny_share, "same_share": same_share, "boilerplate_chunks": boilerplate_chunks}
    return show_findings(paths, chosen(strategy, options), rules, ignore or [], password=password, as_json=as_json)


@app.command()
def stats(
    paths: Paths,
    strategy: Annotated[list[str] | None, typer.Option(help="A strategy; repeat for several. Default: all.")] = None,
    counter: Counter = None,
    as_json: AsJson = False,
) -> int:
    """Count chunks and their lengths, strategy by strategy."""
    from pincite.cli.looking import show_statistics

    return show_statistics(paths, strategy or [], counter or "characters", as_json=as_json)


@app.command()
def show(
    document: Annotated[str, typer.Argument(help="A file, or the id of a document in the collection.")],
    blocks: Annotated[bool, typer.Option("--blocks", help="Its blocks.")] = False,
    sections: Annotated[bool, typer.Option("--sections", help="Its sections.")] = False,
    chunks: Annotated[bool, typer.Option("--chunks", help="Its chunks.")] = False,
    text: Annotated[bool, typer.Option("--text", help="Its text (the default).")] = False,
    page: Annotated[int | None, typer.Option(help="With --blocks or --image: only this page.")] = None,
    image: Annotated[Path | None, typer.Option(help="Draw the page of a PDF with its blocks into this PNG.")] = None,
    password: Password = None,
    groups: Groups = None,
    collection: CollectionFolder = None,
    as_json: AsJson = False,
) -> int:
    """Show what was understood of one document."""
    from pincite.cli.looking import draw, show_document

    if image:
        return draw(document, page or 1, image, password or "")
    views = [
        name for name, on in (("blocks", blocks), ("sections", sections), ("chunks", chunks), ("text", text)) if on
    ]
    return show_document(document, views, collection, page=page, password=password, groups=groups, as_json=as_json)


@app.command()
def add(paths: Paths, dry_run: DryRun = False, collection: CollectionFolder = None, as_json: AsJson = False) -> int:
    """Add files and folders to the collection and index them."""
    from pincite.cli.indexing import add_paths

    return add_paths(paths, collection, dry_run=dry_run, as_json=as_json)


@app.command()
def sync(
    dry_run: DryRun = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make every document anew; the old index is searched until that is done.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on: sync whenever something has changed, until Ctrl-C.")
    ] = False,
    collection: CollectionFolder = None,
    as_json: AsJson = False,
) -> int:
    """Make the index equal to the folders; only what changed is embedded again."""
    from pincite.cli.indexing import sync_collection, watch_collection

    if watch:
        return watch_collection(collection, alone=not (dry_run or rebuild), as_json=as_json)
    return sync_collection(collection, dry_run=dry_run, rebuild=rebuild, as_json=as_json)


@app.command()
def status(groups: Groups = None, collection: CollectionFolder = None, as_json: AsJson = False) -> int:
    """Say what the collection holds and whether it has to be made anew; with --as only what that group may see."""
    from pincite.cli.indexing import show_status

    return show_status(collection, groups=groups, as_json=as_json)


@app.command()
def remove(
    documents: Annotated[
        list[str], typer.Argument(metavar="DOCUMENT…", help="Ids of documents, or folders that were added.")
    ],
    collection: CollectionFolder = None,
    as_json: AsJson = False,
) -> int:
    """Take documents out of the collection; later syncs leave them out."""
    from pincite.cli.indexing import remove_documents

    return remove_documents(documents, collection, as_json=as_json)


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    k: K = None,
    mode: SearchMode = None,
    where: Where = None,
    without: Not = None,
    min_relevance: MinRelevance = None,
    budget_tokens: Annotated[
        int | None, typer.Option(help="How many tokens all hits together may have; what does not fit is left out.")
    ] = None,
    expand: Annotated[str | None, typer.Option(help="Show what stands around each hit: parent or neighbours.")] = None,
    rerank: Rerank = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each hit stands where it stands.")] = False,
    groups: Groups = None,
    collection: CollectionFolder = None,
    as_json: AsJson = False,
) -> int:
    """Find the passages that fit a query best. A phrase in quotes has to stand in them as such."""
    from pincite.cli.finding import show_hits
    from pincite.engine.finding import Options

    options = Options(
        k=k,
        mode=mode,
        where=where,
        without=tuple(without or ()),
        min_relevance=min_relevance,
        budget_tokens=budget_tokens,
        expand=expand,
        rerank=rerank,
        explain=explain,
    )
    return show_hits(query, options, collection, groups=groups, as_json=as_json)


@app.command()
def why(
    document: Annotated[
        str, typer.Argument(metavar="DOCUMENT[:LINE]", help="The id of a document; with a line, the passage there.")
    ],
    query: Annotated[str, typer.Argument(help="The query that was to find it.")],
    k: K = None,
    mode: SearchMode = None,
    where: Where = None,
    without: Not = None,
    min_relevance: MinRelevance = None,
    rerank: Rerank = None,
    groups: Groups = None,
    collection: CollectionFolder = None,
    as_json: AsJson = False,
) -> int:
    """Say where a passage ranks for a query, what kept it out and what would bring it up.

    Leaves with exit code 4 where there is no such passage.
    """
    from pincite.cli.finding import show_reason
    from pincite.engine.finding import Options

    options = Options(
        k=k, mode=mode, where=where, without=tuple(without or ()), min_relevance=min_relevance, rerank=rerank
    )
    return show_reason(document, query, options, collection, groups=groups, as_json=as_json)


@app.command()
def ask(
    question: Annotated[str | None, typer.Argument(help="A question in whole words.", show_default=False)] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who answers: `extractive`, or a language model such as gpt-4.1-mini, openai:NAME, anthropic:NAME.",
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option("--base-url", metavar="URL", help="A server with OpenAI's API that has the language model."),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(help="What becomes of statements of a model that are not supported: drop (default), mark, retry."),
    ] = None,
    budget_tokens: Annotated[
        int | None, typer.Option(help="How many tokens of passages a language model reads (default 6000).")
    ] = None,
    timeout_s: Annotated[
        float | None, typer.Option("--timeout", metavar="SECONDS", help="How long one try may take (default 120).")
    ] = None,
    stream: Annotated[
        bool, typer.Option("--stream", help="Print each statement of a language model once it is written and checked.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say how the answer came about: passages, prompt, verdicts, cost.")
    ] = False,
    trace: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the same as JSON into this file.")] = None,
    chat: Annotated[
        bool,
        typer.Option("--chat", help="Go on: each line of standard input is a question, in the light of those before."),
    ] = False,
    where: Where = None,
    without: Not = None,
    groups: Groups = None,
    collection: CollectionFolder = None,
    as_json: AsJson = False,
) -> int:
    """Answer a question from the documents, every statement with its source.

    Where a language model fails the passages that were found are shown, and the exit code is 1.
    """
    from pincite.cli.asking import Wish, show_answer

    wish = Wish(
        model=model,
        base_url=base_url,
        policy=policy,
        budget_tokens=budget_tokens,
        timeout_s=timeout_s,
        where=where,
        without=tuple(without or ()),
        explain=explain,
        stream=stream,
        trace=trace,
    )
    if chat:
        from pincite.cli.chatting import chat as chatted

        return chatted(question, wish, collection, groups=groups, as_json=as_json)
    if question is None:
        from pincite.errors import UsageError

        raise UsageError("there is no question", cure="Write it behind `pincite ask`, in quotes, or use --chat.")
    return show_answer(question, wish, collection, groups=groups, as_json=as_json)


@app.command("fake-llm")
def fake_llm(
    mode: Annotated[str, typer.Option(help="How it behaves; an unknown one lists them all.")] = "good",
    port: Annotated[int, typer.Option(help="The port on the loopback interface; 0 takes a free one.")] = 0,
    wait_s: Annotated[float, typer.Option("--wait", metavar="SECONDS", help="How long the mode slow waits.")] = 5.0,
    refusals: Annotated[int, typer.Option(help="How often the mode overloaded refuses before it answers.")] = 1,
    retry_after_s: Annotated[
        float, typer.Option("--retry-after", metavar="SECONDS", help="What the mode overloaded asks to wait.")
    ] = 0.0,
    chat_only: Annotated[
        bool, typer.Option("--chat-only", help="Have Chat Completions, but not the Responses API.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Serve a language model that is none: it answers from the passages in the prompt, or misbehaves as it is told."""
    from pincite.cli.fake_llm import serve

    return serve(
        port=port,
        mode=mode,
        wait_s=wait_s,
        refusals=refusals,
        retry_after_s=retry_after_s,
        responses=not chat_only,
        as_json=as_json,
    )


@app.command()
def verify(
    claims: Annotated[
        Path, typer.Argument(metavar="CLAIMS.jsonl", help="Lines {statement, quote, document?}.", readable=False)
    ],
    accept: Annotated[
        list[str] | None,
        typer.Option(metavar="VERDICT", help="Do not leave with code 8 for this one (paraphrase, …); may be repeated."),
    ] = None,
    groups: Groups = None,
    collection: CollectionFolder = None,
    as_json: AsJson = False,
) -> int:
    """Check statements and their quotes, from anywhere, against the documents; no language model is asked.

    Leaves with exit code 8 where one is not verified.
    """
    from pincite.cli.verifying import verify as verified

    return verified(claims, accept=accept or [], groups=groups, directory=collection, as_json=as_json)


@app.command()
def compare(
    paths: Paths,
    questions: Annotated[
        Path | None, typer.Option(help="The questions, JSON lines; by default questions.jsonl beside the documents.")
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(help="A strategy, NAME or NAME:OPTION=VALUE,OPTION=VALUE; repeat for several."),
    ] = None,
    chunks: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FILE", help="Chunks that something else has cut, as JSON lines; repeat for several."
        ),
    ] = None,
    mode: Annotated[list[str] | None, typer.Option(help="hybrid, lexical or dense; repeat for several.")] = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="The headline (default recall@1000t), then any others; repeat for several.")
    ] = None,
    cache: Annotated[
        Path | None, typer.Option(help="Where vectors and measurements are kept; by default the user's cache folder.")
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report with plots and passages.")] = None,
    table: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write every score as CSV.")] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the plots as a picture.")] = None,
    trec: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write judgements and rankings of documents for TREC's tools.")
    ] = None,
    question: Annotated[
        str | None, typer.Option(help="Ask only this, and show the best passages of each side by side.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Compare ways of cutting and searching on your own documents and questions, with the uncertainty."""
    from pincite.cli.comparing import compare as compared

    return compared(
        paths,
        questions=questions,
        strategies=strategy or [],
        chunks=chunks or [],
        modes=mode or [],
        metrics=metric or [],
        cache=cache,
        html=html,
        table=table,
        png=png,
        trec=trec,
        question=question,
        as_json=as_json,
    )


@app.command()
def tune(
    paths: Paths,
    questions: Annotated[
        Path | None, typer.Option(help="The questions, JSON lines; by default questions.jsonl beside the documents.")
    ] = None,
    minutes: Annotated[float, typer.Option(help="About how long to search.")] = 10.0,
    metric: Annotated[str, typer.Option(help="What shall be high.")] = "recall@1000t",
    cache: Annotated[
        Path | None, typer.Option(help="Where vectors and measurements are kept; by default the user's cache folder.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Put the winner into pincite.toml, where it is proven better.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Search for better settings on a part of the questions, and confirm them on the other part."""
    from pincite.cli.tuning import tune as tuned

    return tuned(paths, questions=questions, minutes=minutes, metric=metric, cache=cache, write=write, as_json=as_json)


@app.command()
def evaluate(
    questions: Annotated[
        Path | None, typer.Option(help="The questions, JSON lines; by default questions.jsonl beside the documents.")
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="The headline (default recall@1000t), then any others; repeat for several.")
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRIC=VALUE", help="Leave with exit code 8 when the metric is lower; repeat for several."
        ),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the checks of --fail-under as JUnit XML.")
    ] = None,
    answers: Annotated[
        bool, typer.Option("--answers", help="Also ask for answers, and compare them where a question carries one.")
    ] = False,
    fit_answers: Annotated[
        bool,
        typer.Option("--fit-answers", help="Instead fit the confidence that an answer needs, on the odd questions."),
    ] = False,
    most_refused: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="With --fit-answers: refuse at most this share of answerable questions."),
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="With --fit-answers: keep it in pincite.toml.")] = False,
    collection: CollectionFolder = None,
    as_json: AsJson = False,
) -> int:
    """Measure how well the collection finds what its questions ask for, and whether it changed since the last run."""
    if fit_answers:
        from pincite.cli.fitting import fit_answers as fitted

        return fitted(collection, questions=questions, write=write, most_refused=most_refused, as_json=as_json)
    from pincite.cli.evaluating import evaluate as evaluated

    return evaluated(
        collection,
        questions=questions,
        metrics=metric or [],
        fail_under=fail_under or [],
        junit=junit,
        answers=answers,
        as_json=as_json,
    )


@app.command()
def doctor(collection: CollectionFolder = None, as_json: AsJson = False) -> int:
    """Check the installation and list the components that there are."""
    from pincite.cli.doctor import examine

    return examine(collection, as_json=as_json)


questions_app = typer.Typer(
    name="questions", help="Questions with the passages that answer them.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(questions_app)
Out = Annotated[Path | None, typer.Option(metavar="FILE", help="Write into this new file instead of stdout.")]


@questions_app.command("validate")
def validate_questions(
    paths: Paths,
    questions: Annotated[
        Path | None, typer.Option(help="The questions; by default questions.jsonl beside the documents.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Look for quotes that are lost, reworded, ambiguous or too short, repeated questions, leaking words.

    Leaves with exit code 8 where a quote is lost.
    """
    from pincite.cli.questioning import validate

    return validate(paths, questions, as_json=as_json)


@questions_app.command("draft")
def draft_questions(
    paths: Paths,
    count: Annotated[int, typer.Option("-n", help="How many at most.")] = 50,
    most_overlap: Annotated[
        float, typer.Option("--max-overlap", help="The largest share of a question's words that its passage may have.")
    ] = 0.75,
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Have a language model write them; its quotes are checked. Default: rules."),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option("--base-url", metavar="URL", help="A server with OpenAI's API that has the language model."),
    ] = None,
    out: Out = None,
    as_json: AsJson = False,
) -> int:
    """Draft questions from headings, numbers, tables and definitions of the documents, or have a model write them."""
    from pincite.cli.questioning import draft

    return draft(
        paths, count=count, most_overlap=most_overlap, out=out, as_json=as_json, model=model, base_url=base_url
    )


@questions_app.command("find")
def find_passages(
    question: Annotated[str, typer.Argument(help="The question.")],
    k: Annotated[int, typer.Option("-k", help="How many passages to propose.")] = 10,
    accept: Annotated[
        str | None, typer.Option(metavar="NUMBERS", help="Which of them answer it, such as 1,3; asked for otherwise.")
    ] = None,
    questions: Annotated[Path | None, typer.Option(help="The file to write to (default questions.jsonl).")] = None,
    groups: Groups = None,
    collection: CollectionFolder = None,
    as_json: AsJson = False,
) -> int:
    """Propose passages of the collection that may answer a question, and keep those that a person confirms."""
    from pincite.cli.questioning import find

    return find(question, k=k, accept=accept, groups=groups, questions=questions, directory=collection, as_json=as_json)


@questions_app.command("import")
def import_questions(
    file: Annotated[Path, typer.Argument(help="The other tool's file; for beir its folder.")],
    paths: Paths,
    tool: Annotated[str, typer.Option("--format", help="chroma, chunklab, ragas, beir or trec.")],
    out: Out = None,
    as_json: AsJson = False,
) -> int:
    """Take over the questions of another tool; their passages are looked for in the documents."""
    from pincite.cli.questioning import take_over

    return take_over(file, paths, tool=tool, out=out, as_json=as_json)
