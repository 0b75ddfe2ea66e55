"""Other packages' chunkers as `Row`s. None is a dependency: what is not installed is left out of the figures.

A peer that would count tokens itself appears with its own counter and with bpe-openai, which pincite uses.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from bench.chunking_rows import CHARACTERS, ENCODING, TOKENS, Cut, Item, Row, tiktoken_encoding

from pincite.text.counters import PIECE_CHARACTERS, pieces_of
from pincite.text.tokenizers import loaded_encoding


def count_tokens(text: str) -> int:
    encode = loaded_encoding(ENCODING).encode_ordinary
    if len(text) <= PIECE_CHARACTERS:
        return len(encode(text))
    return sum(len(encode(text[start:end])) for start, end in pieces_of(text))


def _texts(result: Sequence[str]) -> list[Cut]:
    return [Cut(text) for text in result]


def _starts(result: Sequence[tuple[int, str]]) -> list[Cut]:
    return [Cut(text, start, start + len(text)) for start, text in result]


def _chonkie(result: Sequence[Any]) -> list[Cut]:
    return [Cut(chunk.text, chunk.start_index, chunk.end_index) for chunk in result]


def _semchunk(result: tuple[Sequence[str], Sequence[tuple[int, int]]]) -> list[Cut]:
    return [Cut(text, start, end) for text, (start, end) in zip(*result, strict=True)]


def _langchain(result: Sequence[Any]) -> list[Cut]:
    cuts = []
    for document in result:
        start = document.metadata.get("start_index")
        end = None if start is None else start + len(document.page_content)
        headings = tuple(value for key, value in sorted(document.metadata.items()) if key.startswith("h"))
        cuts.append(Cut(document.page_content, start, end, headings or None))
    return cuts


def _llama_index(result: Sequence[Any]) -> list[Cut]:
    cuts = []
    for node in result:
        path = tuple(part for part in node.metadata.get("header_path", "").split("/") if part)
        cuts.append(Cut(node.text, node.start_char_idx, node.end_char_idx, path or None))
    return cuts


def _package(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


def _splitter(name: str, *, tokens: str = "", size: int = TOKENS, offsets: bool = False) -> Any:
    """One of LangChain's; ``tokens`` says who counts."""
    kind = getattr(_package("langchain_text_splitters"), name)
    options: dict[str, Any] = {"chunk_size": size, "chunk_overlap": 0, "add_start_index": offsets}
    if tokens == "tiktoken":
        tiktoken_encoding()
        return kind.from_tiktoken_encoder(ENCODING, **options)
    return kind(**options, **({"length_function": count_tokens} if tokens else {}))


def _langchain_header() -> Any:
    titles = [("#" * level, f"h{level}") for level in range(1, 7)]
    return _package("langchain_text_splitters").MarkdownHeaderTextSplitter(titles, strip_headers=False)


Work = Callable[[Item], Any]


def _langchain_characters(*, offsets: bool) -> Work:
    splitter = _splitter("RecursiveCharacterTextSplitter", size=CHARACTERS, offsets=offsets)
    if offsets:
        return lambda item: splitter.create_documents([item.text])
    return lambda item: splitter.split_text(item.text)


def _langchain_tokens() -> Work:
    tiktoken_encoding()
    kind = _package("langchain_text_splitters").TokenTextSplitter
    splitter = kind(ENCODING, chunk_size=TOKENS, chunk_overlap=0)
    return lambda item: splitter.split_text(item.text)


def _langchain_tokens_by_bpe() -> Work:
    base = _package("langchain_text_splitters.base")
    encoding = loaded_encoding(ENCODING)
    tokenizer = base.Tokenizer(
        chunk_overlap=0,
        tokens_per_chunk=TOKENS,
        decode=encoding.decode,
        encode=lambda text: [
            token for start, end in pieces_of(text) for token in encoding.encode_ordinary(text[start:end])
        ],
    )
    return lambda item: base.split_text_on_tokens(text=item.text, tokenizer=tokenizer)


def _langchain_recursive_tokens(tokens: str) -> Work:
    splitter = _splitter("RecursiveCharacterTextSplitter", tokens=tokens)
    return lambda item: splitter.split_text(item.text)


def _langchain_headers() -> Work:
    splitter = _langchain_header()
    return lambda item: splitter.split_text(item.text)


def _langchain_structure(tokens: str) -> Work:
    headers, splitter = _langchain_header(), _splitter("RecursiveCharacterTextSplitter", tokens=tokens)
    return lambda item: splitter.split_documents(headers.split_text(item.text))


def _semantic(kind: str, *, tokens: str = "") -> Work:
    splitter = getattr(_package("semantic_text_splitter"), kind)
    made: Any = splitter(CHARACTERS)
    if tokens == "own":
        made = splitter.from_tiktoken_model("gpt-4", TOKENS)
    elif tokens:
        made = splitter.from_callback(count_tokens, TOKENS)
    return lambda item: made.chunk_indices(item.text)


def _chonkie_work(kind: str, *, tokens: bool, **options: Any) -> Work:
    chunker = getattr(_package("chonkie"), kind)(
        tiktoken_encoding() if tokens else "character", chunk_size=TOKENS if tokens else CHARACTERS, **options
    )
    return lambda item: chunker.chunk(item.text)


def _semchunk_work(*, tokens: bool) -> Work:
    def count(text: str) -> int:  # a new function every time: counts are kept for ever under the counter
        return count_tokens(text) if tokens else len(text)

    chunker = _package("semchunk").chunkerify(count, TOKENS if tokens else CHARACTERS)
    return lambda item: chunker(item.text, offsets=True)


def _llama_index_work(*, sentences: bool, headers: bool) -> Work:
    parsers, document = _package("llama_index.core.node_parser"), _package("llama_index.core").Document
    markdown = parsers.MarkdownNodeParser()
    encode = loaded_encoding(ENCODING).encode_ordinary
    splitter = parsers.SentenceSplitter(chunk_size=TOKENS, chunk_overlap=0, tokenizer=encode)

    def work(item: Item) -> Any:
        nodes = [document(text=item.text)]
        if headers:
            nodes = markdown.get_nodes_from_documents(nodes)
        return splitter.get_nodes_from_documents(nodes) if sentences else nodes

    return work


def _peer(
    name: str, family: str, make: Callable[[], Work], cuts: Callable[[Any], list[Cut]], *, limit: int | None = TOKENS
) -> Row:
    counter = "characters" if limit == CHARACTERS else ENCODING
    return Row(name=name, family=family, make=make, cuts=cuts, limit=limit, counter=counter, slow=True)


def peers() -> list[Row]:
    recursive, tokens, headings, structure = "recursive", "tokens", "headings", "structure"
    chars = CHARACTERS
    return [
        _peer("LangChain TokenText (tiktoken)", tokens, _langchain_tokens, _texts),
        _peer("LangChain split_text_on_tokens (bpe-openai)", tokens, _langchain_tokens_by_bpe, _texts),
        _peer("chonkie Token (tiktoken)", tokens, lambda: _chonkie_work("TokenChunker", tokens=True), _chonkie),
        _peer("LangChain Recursive", recursive, lambda: _langchain_characters(offsets=False), _texts, limit=chars),
        _peer(
            "LangChain Recursive, with starts",
            recursive,
            lambda: _langchain_characters(offsets=True),
            _langchain,
            limit=chars,
        ),
        _peer("semantic-text-splitter Text", recursive, lambda: _semantic("TextSplitter"), _starts, limit=chars),
        _peer("semchunk, characters", recursive, lambda: _semchunk_work(tokens=False), _semchunk, limit=chars),
        _peer(
            "chonkie Recursive, characters",
            recursive,
            lambda: _chonkie_work("RecursiveChunker", tokens=False),
            _chonkie,
            limit=chars,
        ),
        _peer(
            "LangChain Recursive, tokens (bpe-openai)", recursive, lambda: _langchain_recursive_tokens("bpe"), _texts
        ),
        _peer("semchunk, tokens (bpe-openai)", recursive, lambda: _semchunk_work(tokens=True), _semchunk),
        _peer(
            "chonkie Sentence (tiktoken)", "sentences", lambda: _chonkie_work("SentenceChunker", tokens=True), _chonkie
        ),
        _peer(
            "LlamaIndex Sentence (bpe-openai)",
            "sentences",
            lambda: _llama_index_work(sentences=True, headers=False),
            _llama_index,
        ),
        _peer("LangChain MarkdownHeader", headings, _langchain_headers, _langchain, limit=None),
        _peer(
            "LlamaIndex Markdown",
            headings,
            lambda: _llama_index_work(sentences=False, headers=True),
            _llama_index,
            limit=None,
        ),
        _peer(
            "semantic-text-splitter Markdown (its own tiktoken)",
            structure,
            lambda: _semantic("MarkdownSplitter", tokens="own"),
            _starts,
        ),
        _peer(
            "semantic-text-splitter Markdown (bpe-openai)",
            structure,
            lambda: _semantic("MarkdownSplitter", tokens="bpe"),
            _starts,
        ),
        _peer(
            "semantic-text-splitter Markdown, characters",
            structure,
            lambda: _semantic("MarkdownSplitter"),
            _starts,
            limit=chars,
        ),
        _peer(
            "LangChain MarkdownHeader+Recursive (tiktoken)",
            structure,
            lambda: _langchain_structure("tiktoken"),
            _langchain,
        ),
        _peer(
            "LangChain MarkdownHeader+Recursive (bpe-openai)",
            structure,
            lambda: _langchain_structure("bpe"),
            _langchain,
        ),
        _peer(
            "LlamaIndex Markdown+Sentence (bpe-openai)",
            structure,
            lambda: _llama_index_work(sentences=True, headers=True),
            _llama_index,
        ),
    ]
