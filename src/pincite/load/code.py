"""Source code: definitions as nested blocks where the grammar is installed, else runs of lines; the text unchanged.

The grammars are the official ones of tree-sitter, one package for each language, all of them in the extra ``code``.
Without them, and for languages that have none, code loads all the same: a blank line ends a block. That is not worth
a notice, since no text is lost, only structure that nobody promised.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import PurePosixPath
from time import thread_time
from typing import TYPE_CHECKING

from pincite.load.code_languages import GRAMMARS, SUFFIXES, VALUES_THAT_DEFINE, Grammar
from pincite.load.decoding import decode
from pincite.load.limits import at_least_one
from pincite.load.text_blocks import groups, settled, short, text_document
from pincite.model import Block, Document, Notice, Source, Span
from pincite.text.offsets import code_point_offsets

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Tree

_MAX_DEPTH = 24  # nodes, not definitions: a method of a class is three or four deep
_BLANK_LINE = re.compile(rb"(?:\r\n|\n|\r)[ \t\f]*(?:\r\n|\n|\r)")
_CPLUSPLUS = re.compile(
    r"^[ \t]*(?:class\s+\w|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:)", re.M
)
_RECEIVER = re.compile(r"(\w+)(?:\s*\[[^\]]*\])?\s*\)\s*\Z")
_ONLY_WITH_BODY = frozenset(
    ("struct_specifier", "union_specifier", "enum_specifier", "class_specifier", "namespace_definition")
)
# The parser calls back every hundred steps. Ordinary code takes a call for each 180 bytes; what takes many times more
# is made to send it astray. Counted in calls, not seconds, so that the outcome is the same on every machine.
_CALLS_ALLOWED_ALWAYS = 2_000
_BYTES_PER_CALL = 40
# It asks for the text in pieces, and again for those that it goes back to. Ordinary code is read up to 2.3 times; what
# lets it look ahead from every token to the end of the file, thousands of times.
_PIECE_BYTES = 1024
_READ_ALLOWED_ALWAYS = 2_000_000
_READ_PER_BYTE = 40
# For what neither sees (stacks that grow with every token). Some 30 times what ordinary code takes.
_SECONDS_ALLOWED_ALWAYS = 2.0
_SECONDS_PER_BYTE = 5e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeLoader:
    """Loads source files of at most ``max_bytes`` bytes; the text is the decoded file, unchanged.

    A block of the kind ``code`` is a definition (``title`` is its qualified name; comments and decorators on the lines
    right above belong to it; those inside it are nested blocks) or a run of other lines. Files above
    ``max_parsed_bytes`` are not parsed, with a notice.
    """

    max_bytes: int = 64 * 1024 * 1024
    max_parsed_bytes: int = 32 * 1024 * 1024
    name: str = "code"

    def __post_init__(self) -> None:
        at_least_one(self, "max_bytes", "max_parsed_bytes")

    def load(self, source: Source) -> Document:
        decoded = decode(source, max_bytes=self.max_bytes, loader=self.name)
        text = decoded.text
        language = language_of(source.path, text)
        grammar = GRAMMARS.get(language)
        parser = _grammar(grammar.module, grammar.function) if grammar else None
        found: list[Block] | None = None
        notices: list[Notice] = []
        if grammar and parser and text:
            encoded = text.encode()
            if len(encoded) > self.max_parsed_bytes:
                problem = f"the file has more than {self.max_parsed_bytes:,} bytes (max_parsed_bytes)"
            elif (tree := _parsed(encoded, parser)) is None:
                problem = "the parser takes too long over it"
            else:
                problem, found = "", _definitions(tree, encoded, grammar, language)
            if problem:
                message = f"{problem}, so its definitions were not looked for"
                notices.append(Notice(kind="not_parsed", message=message, file=source.path))
        if found is None:
            found = [Block("code", span, language=language) for span in groups(text, 0, len(text))]
        blocks = settled(text, found, gaps="code", language=language)
        return text_document(source, decoded, blocks, media_type=f"text/x-{language or 'code'}", notices=notices)


def language_of(path: str, text: str) -> str:
    """By the suffix; a C header is C++ where a line begins as only C++ has it; empty for an unknown suffix.

    >>> language_of("src/a.py", ""), language_of("a.h", "namespace x {"), language_of("a.h", "int x;")
    ('python', 'cpp', 'c')
    """
    suffix = PurePosixPath(path).suffix.lower()
    language = SUFFIXES.get(suffix, "")
    return "cpp" if suffix == ".h" and _CPLUSPLUS.search(text) else language


@cache
def _grammar(module: str, function: str) -> Language | None:
    """``None`` where the extra is not installed."""
    try:
        from tree_sitter import Language

        return Language(getattr(import_module(module), function)())
    except ImportError:
        return None


def _parsed(encoded: bytes, language: Language) -> Tree | None:
    from tree_sitter import Parser, Point

    calls = read_bytes = 0
    calls_allowed = _CALLS_ALLOWED_ALWAYS + len(encoded) // _BYTES_PER_CALL
    read_allowed = _READ_ALLOWED_ALWAYS + len(encoded) * _READ_PER_BYTE
    deadline = thread_time() + _SECONDS_ALLOWED_ALWAYS + len(encoded) * _SECONDS_PER_BYTE

    def read(offset: int, point: Point) -> bytes:  # noqa: ARG001 - the shape that the parser wants
        nonlocal read_bytes
        piece = encoded[offset : offset + _PIECE_BYTES]
        read_bytes += len(piece)
        return piece if read_bytes <= read_allowed else b""

    def too_long(offset: int, has_error: bool) -> bool:  # noqa: ARG001 - the shape that the parser wants
        nonlocal calls
        calls += 1
        return calls > calls_allowed or read_bytes > read_allowed or thread_time() > deadline

    try:
        tree = Parser(language).parse(read, progress_callback=too_long)
    except ValueError:  # what a stopped parser raises
        return None
    return tree if read_bytes <= read_allowed else None


# From nodes to blocks in bytes.


@dataclass(slots=True)
class _Found:
    start: int
    end: int
    title: str = ""


@dataclass(slots=True)
class _Run:
    """Neighbouring nodes without a blank line between them. ``lead`` is where the comments at its end begin,
    ``before`` where the text before those ends; ``inner`` are definitions inside."""

    start: int
    end: int
    lead: int | None = None
    before: int = 0
    inner: list[_Found] = field(default_factory=list)


def _definitions(tree: Tree, encoded: bytes, grammar: Grammar, language: str) -> list[Block]:
    found = list(_Scanner(encoded, grammar).scan(tree.root_node, (), 0))
    offsets = code_point_offsets(encoded, (offset for piece in found for offset in (piece.start, piece.end)))
    return [
        Block("code", Span(offsets[piece.start], offsets[piece.end]), title=piece.title, language=language)
        for piece in found
        if piece.start < piece.end
    ]


@dataclass(slots=True)
class _Scanner:
    encoded: bytes
    grammar: Grammar

    def scan(self, node: Node, path: tuple[str, ...], depth: int) -> Iterator[_Found]:
        """The definitions among the children, each followed by those inside it; of the root also the runs between."""
        run: _Run | None = None
        last: _Found | None = None
        last_row = -1
        for child in node.children:
            start, end = child.start_byte, self.without_blanks(child.start_byte, child.end_byte)
            if start == end:
                continue
            apart = run is None or _BLANK_LINE.search(self.encoded, run.end, start) is not None
            definition = self.definition_in(child)
            if definition is not None:
                if run and not apart and run.lead is not None:
                    start, run.end = run.lead, run.before
                yield from self.finished(run, depth)
                if last:
                    yield last
                run, inner = None, (*path, self.name_of(definition))
                last = _Found(start, end, self.grammar.separator.join(inner))
                if definition.type in self.grammar.scopes and depth < _MAX_DEPTH:
                    yield last
                    yield from self.scan(definition, inner, depth + 1)
                    last = None
            elif last and child.type in (";", ",") and child.start_point.row == last_row:
                last.end = end  # the semicolon after a struct
            else:
                if last:
                    yield last
                    last = None
                if apart or run is None:
                    yield from self.finished(run, depth)
                    run = _Run(start, end)
                if not self.is_leader(child) or child.start_point.row == last_row:
                    run.lead = None
                elif run.lead is None:
                    run.lead, run.before = start, run.end if run.start < start else start
                run.end = end
                if child.type in self.grammar.scopes and depth < _MAX_DEPTH:
                    run.inner.extend(self.scan(child, path, depth + 1))
            last_row = child.end_point.row if child.end_point.column else child.end_point.row - 1
        if last:
            yield last
        yield from self.finished(run, depth)

    def finished(self, run: _Run | None, depth: int) -> Iterator[_Found]:
        if run is None:
            return
        if depth == 0:
            yield _Found(run.start, run.end)
        yield from run.inner

    def without_blanks(self, start: int, end: int) -> int:
        while end > start and self.encoded[end - 1] in b" \t\r\n\f":
            end -= 1
        return end

    def is_leader(self, node: Node) -> bool:
        return "comment" in node.type or node.type in self.grammar.leaders

    def definition_in(self, node: Node) -> Node | None:
        """The node itself, or the one definition that it wraps."""
        for _ in range(_MAX_DEPTH):
            if node.type in self.grammar.definitions:
                return node if self.defines(node) else None
            if node.type not in self.grammar.wrappers:
                return None
            inner = [
                child
                for child in node.named_children
                if child.type in self.grammar.wrappers
                or (child.type in self.grammar.definitions and self.defines(child))
            ]
            if len(inner) != 1:
                return None
            node = inner[0]
        return None

    def defines(self, node: Node) -> bool:
        if node.type in _ONLY_WITH_BODY and node.child_by_field_name("body") is None:
            return False
        if node.type in ("variable_declarator", "public_field_definition"):
            value = node.child_by_field_name("value")
            return value is not None and value.type in VALUES_THAT_DEFINE
        return bool(self.name_of(node))

    def name_of(self, node: Node) -> str:
        if node.type == "impl_item":  # of Rust: named by the type, without its parameters
            return self.text_of(node.child_by_field_name("type")).partition("<")[0]
        name = self.text_of(node.child_by_field_name("name") or _declared(node))
        receiver = node.child_by_field_name("receiver")
        if receiver and (match := _RECEIVER.search(self.text_of(receiver))):
            return f"{match[1]}{self.grammar.separator}{name}"
        return name

    def text_of(self, node: Node | None) -> str:
        # A name is cut before it is decoded: a mile of garbage may stand where the parser sees a name.
        raw = self.encoded[node.start_byte : min(node.end_byte, node.start_byte + 1000)] if node else b""
        return short(raw.decode(errors="ignore"))


def _declared(node: Node) -> Node | None:
    """The innermost declarator: how C hides a name in pointers, arrays and parentheses."""
    inner = node.child_by_field_name("declarator")
    for _ in range(_MAX_DEPTH):
        if inner is None or not inner.type.endswith("declarator"):
            return inner
        inner = inner.child_by_field_name("declarator") or next(reversed(inner.named_children), None)
    return inner
