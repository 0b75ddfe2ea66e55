"""The one table of components: a kind, a name, and where the code is.

Adding a component is one file and one row here (or an entry point ``pincite.<kind>`` in another package); the
command, the docs and the conformance tests then know it. Nothing is imported before it is asked for.
"""

from __future__ import annotations

import logging
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any, Literal

from pincite.errors import MissingExtraError, PinciteError, UnknownNameError, UsageError

logger = logging.getLogger("pincite.catalogue")

Kind = Literal["load", "ocr", "chunk", "embed", "store", "answer", "counter", "fusion", "rerank"]
NOUNS: dict[Kind, str] = {
    "load": "loader",
    "ocr": "recogniser",
    "chunk": "strategy",
    "embed": "embedder",
    "store": "store",
    "answer": "answerer",
    "counter": "counter",
    "fusion": "fusion",
    "rerank": "reranker",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One component. ``target`` is ``module:attribute``; ``suffixes`` (of a loader) are in lower case with the dot;
    ``options`` are set when it is made by this name; ``traits`` (of a strategy) say which invariants it promises;
    ``extra`` is the optional dependency group that it needs."""

    kind: Kind
    name: str
    target: str
    summary: str
    suffixes: tuple[str, ...] = ()
    options: Mapping[str, Any] | None = None
    traits: frozenset[str] = frozenset()
    extra: str = ""
    installed: bool = False
    """Whether it comes from another package."""


CAPPED = frozenset({"capped"})
WHOLE_BLOCKS = frozenset({"capped", "whole-blocks"})

ROWS: tuple[Row, ...] = (
    Row(
        kind="load",
        name="markdown",
        target="pincite.load.markdown:MarkdownLoader",
        summary="CommonMark with tables, footnotes and front matter",
        suffixes=(".md", ".markdown"),
    ),
    Row(
        kind="load",
        name="text",
        target="pincite.load.plain:PlainTextLoader",
        summary="Plain text; a blank line ends a paragraph",
        suffixes=(".txt", ".text"),
    ),
    Row(
        kind="load",
        name="csv",
        target="pincite.load.table:TableLoader",
        summary="CSV and TSV; each row keeps its column names",
        suffixes=(".csv", ".tsv"),
    ),
    Row(
        kind="load",
        name="html",
        target="pincite.load.html.loader:HtmlLoader",
        summary="HTML and XHTML pages: the main content with headings, lists, tables and code",
        suffixes=(".html", ".htm", ".xhtml"),
    ),
    Row(
        kind="load",
        name="epub",
        target="pincite.load.epub:EpubLoader",
        summary="EPUB books: the pages in reading order",
        suffixes=(".epub",),
    ),
    Row(
        kind="load",
        name="email",
        target="pincite.load.message:EmailLoader",
        summary="E-mail messages: headers as metadata, the best body, replies as quotes",
        suffixes=(".eml",),
    ),
    Row(
        kind="load",
        name="pdf",
        target="pincite.load.pdf.loader:PdfLoader",
        summary="PDF with a text layer: columns, headings, tables, notes; every line knows its page and box",
        suffixes=(".pdf",),
    ),
    Row(
        kind="load",
        name="docx",
        target="pincite.load.docx.loader:DocxLoader",
        summary="Word documents: headings, numbered lists, tables, notes, each with its paragraph",
        suffixes=(".docx", ".docm", ".dotx", ".dotm"),
    ),
    Row(
        kind="load",
        name="spreadsheet",
        target="pincite.load.spreadsheet:SpreadsheetLoader",
        summary="XLSX, XLSM, ODS and XLS; each row keeps its column names and its number",
        suffixes=(".xlsx", ".xlsm", ".ods", ".xls"),
    ),
    Row(
        kind="load",
        name="slides",
        target="pincite.load.slides:SlideLoader",
        summary="PPTX; each slide a section, in reading order",
        suffixes=(".pptx",),
    ),
    Row(
        kind="load",
        name="notebook",
        target="pincite.load.notebook:NotebookLoader",
        summary="Jupyter notebooks; words, code and printed output cell by cell",
        suffixes=(".ipynb",),
    ),
    Row(
        kind="load",
        name="rst",
        target="pincite.load.rst:RstLoader",
        summary="reStructuredText; the text unchanged",
        suffixes=(".rst", ".rest"),
    ),
    Row(
        kind="load",
        name="asciidoc",
        target="pincite.load.asciidoc:AsciidocLoader",
        summary="AsciiDoc; the text unchanged",
        suffixes=(".adoc", ".asciidoc"),
    ),
    Row(
        kind="load",
        name="data",
        target="pincite.load.data:DataLoader",
        summary="JSON, JSON Lines, YAML, TOML and INI as text with key paths",
        suffixes=(
            *(".json", ".geojson", ".jsonl", ".ndjson", ".yaml", ".yml"),
            *(".toml", ".ini", ".cfg", ".conf", ".properties"),
        ),
    ),
    Row(
        kind="load",
        name="code",
        target="pincite.load.code:CodeLoader",
        summary="Source code as text; with the extra `code` definitions are blocks",
        suffixes=(
            *(".py", ".pyi", ".pyw", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".java", ".go"),
            *(".rs", ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".cs", ".rb", ".rake", ".php", ".sh"),
            *(".bash", ".kt", ".kts", ".swift", ".scala", ".dart", ".lua", ".pl", ".pm", ".r", ".jl", ".hs", ".ml"),
            *(".ex", ".exs", ".erl", ".clj", ".sql", ".ps1", ".bat", ".zsh", ".fish", ".css", ".scss", ".proto"),
            *(".graphql", ".tf", ".tex", ".xml", ".xsd", ".xsl"),
        ),
    ),
    Row(
        kind="ocr",
        name="tesseract",
        target="pincite.load.ocr.tesseract:TesseractRecogniser",
        summary="The program tesseract, which has to be installed",
    ),
    Row(
        kind="chunk",
        name="structure",
        target="pincite.chunk.structure:StructureChunker",
        summary="Packs whole blocks under their heading path up to a token limit (the default)",
        traits=WHOLE_BLOCKS,
    ),
    Row(
        kind="chunk",
        name="hierarchy",
        target="pincite.chunk.hierarchy:HierarchyChunker",
        summary="Small chunks for finding, each with the section or window around it for reading",
        traits=WHOLE_BLOCKS,
    ),
    Row(
        kind="chunk",
        name="code",
        target="pincite.chunk.code:CodeChunker",
        summary="Whole functions and classes of source code, each with its qualified name and signature",
        traits=WHOLE_BLOCKS,
    ),
    Row(
        kind="chunk",
        name="sections",
        target="pincite.chunk.sections:SectionChunker",
        summary="One chunk per section that has text, with its whole heading path",
        traits=frozenset({"headings-apart"}),
    ),
    Row(
        kind="chunk",
        name="tokens",
        target="pincite.chunk.tokens:TokenChunker",
        summary="Windows of a fixed number of tokens, with or without overlap",
        traits=CAPPED,
    ),
    Row(
        kind="chunk",
        name="sentences",
        target="pincite.chunk.sentences:SentenceChunker",
        summary="Whole sentences up to a token limit, with or without overlap in sentences",
        traits=CAPPED,
    ),
    Row(
        kind="chunk",
        name="recursive",
        target="pincite.chunk.recursive:RecursiveChunker",
        summary="Cuts at paragraphs, lines, blanks, characters: the coarsest that fits; the baseline of most libraries",
        traits=CAPPED,
    ),
    Row(
        kind="chunk",
        name="characters",
        target="pincite.chunk.characters:CharacterChunker",
        summary="Windows of a fixed number of characters",
        traits=CAPPED,
    ),
    Row(
        kind="chunk",
        name="headings-naive",
        target="pincite.chunk.headings:NaiveHeadingChunker",
        summary="Cuts at every line that looks like a heading, even inside code (to see why not)",
    ),
    Row(
        kind="chunk",
        name="headings",
        target="pincite.chunk.headings:HeadingChunker",
        summary="Cuts at headings of level 1 to 3 outside fenced code",
    ),
    Row(
        kind="chunk",
        name="headings-capped",
        target="pincite.chunk.headings:CappedHeadingChunker",
        summary="The same, with long sections cut at blank lines and their heading repeated",
    ),
    Row(
        kind="chunk",
        name="semantic",
        target="pincite.chunk.semantic:SemanticChunker",
        summary="Borders where the meaning turns: the optimal cut by vectors of sentences and blocks",
        traits=WHOLE_BLOCKS,
    ),
    Row(
        kind="chunk",
        name="adaptive",
        target="pincite.chunk.adaptive:AdaptiveChunker",
        summary="Weighs borders, sizes and cohesion over the whole document, and explains each cut",
        traits=WHOLE_BLOCKS,
    ),
    Row(
        kind="embed",
        name="use",
        target="pincite.embed.use:UniversalSentenceEncoder",
        summary="Universal Sentence Encoder, 16 languages, 512 dimensions, weights in the package (the default)",
    ),
    Row(
        kind="embed",
        name="hashing",
        target="pincite.embed.hashing:HashingEmbedder",
        summary="Hashed words and letter groups; needs no model",
    ),
    Row(
        kind="embed",
        name="e5",
        target="pincite.embed.e5:E5Embedder",
        summary="multilingual-e5-small, 384 dimensions, weights in the package; better than `use` and 20 times slower",
        extra="e5",
    ),
    Row(
        kind="embed",
        name="openai",
        target="pincite.embed.openai:OpenAIEmbedder",
        summary="Any server with OpenAI's embeddings API, by its address; sends texts over the network",
        extra="remote",
    ),
    Row(
        kind="embed",
        name="model2vec",
        target="pincite.embed.static:StaticEmbedder",
        summary="A static model of model2vec, by the path of its folder",
        extra="model2vec",
    ),
    Row(
        kind="embed",
        name="sentence-transformers",
        target="pincite.embed.sentence_transformers:SentenceTransformerEmbedder",
        summary="A model of sentence-transformers, by the path of its folder",
        extra="sentence-transformers",
    ),
    Row(
        kind="store",
        name="sqlite",
        target="pincite.store.sqlite:SqliteStore",
        summary="One SQLite file with derived search segments beside it; exact under every filter (the default)",
    ),
    Row(
        kind="store",
        name="memory",
        target="pincite.store.memory:MemoryStore",
        summary="Everything in memory, brute force; gone when the process ends",
    ),
    Row(
        kind="answer",
        name="extractive",
        target="pincite.answer.extractive:ExtractiveAnswerer",
        summary="The sentences that best support the question, quoted (the default; no language model)",
    ),
    Row(
        kind="answer",
        name="model",
        target="pincite.answer.generated:ModelAnswerer",
        summary="A language model by its name or address, every statement checked; sends passages over the network",
        extra="llm",
    ),
    Row(
        kind="fusion",
        name="context",
        target="pincite.retrieve.fusion:ContextFusion",
        summary="Weighted mean of the scores of a chunk and of what stands around it (the default)",
    ),
    Row(
        kind="fusion",
        name="minmax",
        target="pincite.retrieve.fusion:MinMaxFusion",
        summary="Weighted sum of both scores, each stretched to 0..1",
    ),
    Row(
        kind="fusion",
        name="rrf",
        target="pincite.retrieve.fusion:ReciprocalRankFusion",
        summary="Reciprocal rank fusion over real hits",
    ),
    Row(
        kind="rerank",
        name="http",
        target="pincite.retrieve.rerankers.http:HttpReranker",
        summary="A server with a /rerank API, by its address; sends the query and passages over the network",
        extra="remote",
    ),
    Row(
        kind="rerank",
        name="cross-encoder",
        target="pincite.retrieve.rerankers.cross_encoder:CrossEncoderReranker",
        summary="A cross-encoder of sentence-transformers, by the path of its folder",
        extra="sentence-transformers",
    ),
    Row(
        kind="counter",
        name="o200k_base",
        target="pincite.text.counters:TokenCounter",
        options={"name": "o200k_base"},
        summary="Tokens of the o200k_base encoding",
    ),
    Row(
        kind="counter",
        name="cl100k_base",
        target="pincite.text.counters:TokenCounter",
        options={"name": "cl100k_base"},
        summary="Tokens of the cl100k_base encoding",
    ),
    Row(
        kind="counter",
        name="characters",
        target="pincite.text.counters:CharacterCounter",
        summary="Unicode code points",
    ),
    Row(
        kind="counter",
        name="words",
        target="pincite.text.counters:WordCounter",
        summary="Runs of characters that are not blank",
    ),
    Row(
        kind="counter",
        name="use",
        target="pincite.embed.use:UseCounter",
        summary="Tokens of the embedder `use`",
    ),
)

DEFAULTS: dict[Kind, str] = {
    "chunk": "structure",
    "embed": "use",
    "store": "sqlite",
    "answer": "extractive",
    "counter": "o200k_base",
    "fusion": "context",
}


@cache
def rows(kind: Kind) -> tuple[Row, ...]:
    """Every component of that kind: ours in the order of the table, then installed ones by name."""
    from importlib.metadata import entry_points

    result = [row for row in ROWS if row.kind == kind]
    known = {row.name for row in result}
    for point in sorted(entry_points(group=f"pincite.{kind}"), key=lambda point: point.name):
        package = point.dist.name if point.dist else "an installed package"
        if point.name in known:
            logger.warning("the %s %r of %s is left out: there is one of that name", NOUNS[kind], point.name, package)
            continue
        row = Row(kind=kind, name=point.name, target=point.value, summary=f"from {package}", installed=True)
        result.append(replace(row, suffixes=_attribute(row, "suffixes")) if kind == "load" else row)
    return tuple(result)


def traits(row: Row) -> frozenset[str]:
    """What the component promises; an installed one says so in an attribute ``traits`` of its class."""
    return frozenset(_attribute(row, "traits")) if row.installed else row.traits


def _attribute(row: Row, name: str) -> tuple[str, ...]:
    """An attribute of an installed component; nothing, and a line in the log, where it cannot be loaded."""
    try:
        return tuple(getattr(load_target(row), name, ()))
    except Exception as error:  # somebody else's package must not take all loaders away
        logger.warning("%s", error)
        return ()


def names(kind: Kind) -> list[str]:
    return [row.name for row in rows(kind)]


def find(kind: Kind, name: str) -> Row:
    """The row of that exact name; an unknown one is an error that lists the known ones."""
    for row in ROWS:  # the built-in ones first: they need no look at what is installed
        if row.kind == kind and row.name == name:
            return row
    for row in rows(kind):
        if row.name == name:
            return row
    raise UnknownNameError(
        f"no {NOUNS[kind]} is called {name!r}", cure=f"There are: {', '.join(names(kind))}.", kind="unknown_name"
    )


def create(
    kind: Kind, name: str, options: Mapping[str, Any] | None = None, *, parts: Mapping[str, Any] | None = None
) -> Any:
    """Makes the component of that name with those options, which are checked first.

    ``parts`` are components that it may work with; it gets those that it has a field for.

    >>> create("counter", "words").count("one two")
    2
    """
    row = find(kind, name)
    check_options(kind, name, options or {})
    target = load_target(row)
    fitting = {part: value for part, value in (parts or {}).items() if part in option_types(target)}
    try:
        return target(**{**(row.options or {}), **(options or {}), **fitting})
    except ValueError as error:
        cure = f"Its options are: {_listed(user_options(target))}."
        raise UsageError(f"the {NOUNS[kind]} {name!r} refuses its options: {error}", cure=cure) from error


def check_options(kind: Kind, name: str, options: Mapping[str, Any]) -> None:
    """Raises ``UsageError`` for an option that the component does not have or that has the wrong type."""
    row = find(kind, name)
    known = user_options(load_target(row)) if options else {}
    for option, value in options.items():
        if option not in known:
            raise UsageError(
                f"the {NOUNS[kind]} {name!r} has no option {option!r}",
                cure=f"It has: {_listed(known)}.",
            )
        if not _fits(value, known[option]):
            raise UsageError(
                f"the option {option!r} of the {NOUNS[kind]} {name!r} is {value!r}",
                cure=f"It takes {_in_words(known[option])}.",
            )


def load_target(row: Row) -> Any:
    module, _, attribute = row.target.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except PinciteError:
        raise
    except (ImportError, AttributeError) as error:
        if row.installed:
            raise UsageError(
                f"the {NOUNS[row.kind]} {row.name!r} ({row.summary}) cannot be imported: {error}",
                cure="Mend or remove that package.",
            ) from error
        if not row.extra or not isinstance(error, ImportError):
            raise
        raise MissingExtraError(
            f"the {NOUNS[row.kind]} {row.name!r} needs a package that is not installed ({error.name})",
            cure=f"Install it with: pip install 'pincite[{row.extra}]'.",
        ) from error


def option_types(target: Any) -> dict[str, Any]:
    """The options of a component and their types, in order."""
    if not is_dataclass(target):
        return {}
    hints = typing.get_type_hints(target)
    return {field.name: hints[field.name] for field in fields(target) if field.init}


def user_options(target: Any) -> dict[str, Any]:
    """The options that a user may set: neither the name nor other components."""
    return {name: kind for name, kind in option_types(target).items() if name != "name" and not _is_port(kind)}


def _is_port(kind: Any) -> bool:
    members = [member for member in typing.get_args(kind) if member is not types.NoneType] or [kind]
    return all(getattr(member, "_is_protocol", False) for member in members)


def _listed(options: Mapping[str, Any]) -> str:
    return ", ".join(options) or "none"


def _fits(value: Any, kind: Any) -> bool:
    origin = typing.get_origin(kind)
    if origin is Literal:
        return value in typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, member) for member in typing.get_args(kind))
    if origin is tuple:
        return isinstance(value, (list, tuple)) and all(_fits(item, typing.get_args(kind)[0]) for item in value)
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, origin or kind)


def _in_words(kind: Any) -> str:
    origin = typing.get_origin(kind)
    if origin is Literal:
        return "one of " + ", ".join(map(str, typing.get_args(kind)))
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_in_words(member) for member in typing.get_args(kind))
    if origin is tuple:
        return "a list"
    if origin is Mapping:
        return "a table of names and values"
    words = {int: "a whole number", float: "a number", str: "text", bool: "true or false", types.NoneType: "nothing"}
    return words.get(kind, str(kind))
