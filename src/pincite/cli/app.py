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
) -> None:
    del version


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
def add(paths: Paths, collection: CollectionFolder = None, as_json: AsJson = False) -> int:
    """Add files and folders to the collection and index them."""
    from pincite.cli.indexing import add_paths

    return add_paths(paths, collection, as_json=as_json)


@app.command()
def sync(collection: CollectionFolder = None, as_json: AsJson = False) -> int:
    """Make the index equal to the folders; only what changed is embedded again."""
    from pincite.cli.indexing import sync_collection

    return sync_collection(collection, as_json=as_json)


@app.command()
def status(collection: CollectionFolder = None, as_json: AsJson = False) -> int:
    """Say what the collection holds."""
    from pincite.cli.indexing import show_status

    return show_status(collection, as_json=as_json)


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
    k: Annotated[int | None, typer.Option("-k", help="How many hits (default 5).")] = None,
    mode: Annotated[str | None, typer.Option(help="hybrid (default), lexical or dense.")] = None,
    where: Where = None,
    groups: Groups = None,
    collection: CollectionFolder = None,
    as_json: AsJson = False,
) -> int:
    """Find the passages that fit a query best."""
    from pincite.cli.finding import show_hits

    return show_hits(query, k, mode, collection, where=where, groups=groups, as_json=as_json)


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="A question in whole words.")],
    model: Annotated[str | None, typer.Option(help="Who answers; `extractive` needs no language model.")] = None,
    where: Where = None,
    groups: Groups = None,
    collection: CollectionFolder = None,
    as_json: AsJson = False,
) -> int:
    """Answer a question from the documents, every statement with its source."""
    from pincite.cli.finding import show_answer

    return show_answer(question, model, collection, where=where, groups=groups, as_json=as_json)


@app.command()
def doctor(collection: CollectionFolder = None, as_json: AsJson = False) -> int:
    """Check the installation and list the components that there are."""
    from pincite.cli.doctor import examine

    return examine(collection, as_json=as_json)
