"""Random documents: plain text that is hard to cut, and Markdown made of all constructs that strategies look at."""

from __future__ import annotations

import json
import re

from hypothesis import strategies as st

from pincite import catalogue
from pincite.model import Block, Document, Source, Span

HARD = (
    *("a", "b", "word", "Zürich", "42", "_", "|", "#", "# ", "```", "x1y2z3" * 4),
    *(". ", "! ", "? ", ", ", "; ", " z. B. ", "Dr. ", "…", "。", "，", "؟ "),
    *(" ", " ", "  ", "\t", "\n", "\n", "\n\n", "\r\n", "\r\n\r\n", "\r", "\x0b", "\x0c", "\x1c", "\u2028"),
    *("\u00a0", "\u2009", "\u202f", "\u3000", "\u200b", "\ufeff", "\u00ad"),
    *("é", "e\u0301", "\u0301", " \u0301", "\u0308\u0323", "a" + "\u0301" * 9),
    *("😀", "👩\u200d🌾", "👍🏽", "\u200d", "\ufe0f", "🏽", "🇩🇪", "🇩", "🏴\U000e0067\U000e0062\U000e007f"),
    *("漢", "漢字返却", "한국", "\u1112\u1161\u11ab", "ก็ดี", "क्षत्रिय", "שלום", "مرحبا", "\u200f", "\u202e"),
)
PROSE = tuple(part for part in HARD if not set(part) & set("\n\r\x0b\x0c\x1c\u2028`#|_") and not part.isspace())

hard_texts = st.lists(st.sampled_from((*HARD, "\0")), max_size=60).map("".join)


def plain_document(text: str) -> Document:
    """Each line that is not blank is a paragraph."""
    lines = [match.span() for match in re.finditer(r"[^\r\n]+", text) if match[0].strip()]
    blocks = tuple(Block("paragraph", Span(*line)) for line in lines)
    return Document(id="hard.txt", source="hard.txt", media_type="text/plain", text=text, blocks=blocks)


def markdown_document(text: str) -> Document:
    document: Document = catalogue.create("load", "markdown").load(Source("made.md", text.encode()))
    return document


plain_documents = hard_texts.map(plain_document)

words = st.lists(
    st.sampled_from(("The lamp", "is red", "e\u0301", "漢字", "👩\u200d🌾", "42", "*not*", "`x y`", *PROSE))
)
phrases = words.map(" ".join).map(str.strip)
sentences = st.tuples(phrases, st.sampled_from(".!?")).map(lambda parts: f"The {parts[0]}{parts[1]}")
paragraphs = st.lists(sentences, min_size=1, max_size=5).map(" ".join)
titles = st.one_of(st.sampled_from(("Tools", "A > B", "Tor 3/4", "")), phrases)

headings = st.builds(
    lambda level, title, tail: f"{'#' * level} {title}{tail}", st.integers(1, 6), titles, st.sampled_from(("", " ##"))
)
setext_headings = st.builds(lambda title, line: f"Über {title}\n{line}", phrases, st.sampled_from(("===", "---")))
code_lines = st.sampled_from(
    ("x = 1", "# not a heading", "", "    return", "``", "| a | b |", "漢字 😀 e\u0301", "y" * 30)
)
code_texts = st.lists(code_lines, max_size=8).map("\n".join)
fences = st.builds(
    lambda mark, info, code, closed: f"{mark}{info}\n{code}\n{mark if closed else ''}",
    st.sampled_from(("```", "~~~", "````")),
    st.sampled_from(("", "python")),
    code_texts,
    st.sampled_from((True, True, True, True, False)),
)
indented_code = code_texts.map(lambda code: "\n".join(f"    {line}" for line in ("first", *code.split("\n"))))


@st.composite
def lists(draw: st.DrawFn) -> str:
    lines: list[str] = []
    depth = 0
    for _ in range(draw(st.integers(1, 6))):
        depth = draw(st.integers(0, min(depth + 1, 3))) if lines else 0
        marker = draw(st.sampled_from(("- ", "* ", "1. ")))
        lines.append("   " * depth + marker + draw(paragraphs))
        if draw(st.booleans()):
            lines.append("")
    return "\n".join(lines).rstrip()


@st.composite
def tables(draw: st.DrawFn) -> str:
    columns = draw(st.integers(1, 4))
    cells = st.one_of(st.sampled_from(("", "1", "a \\| b", "wide " * 12)), phrases)
    rows = draw(st.lists(st.lists(cells, min_size=columns, max_size=columns), max_size=6))
    header = [draw(st.sampled_from(("Name", "Übung", "漢字 名"))) for _ in range(columns)]
    lines = [header, ["---"] * columns, *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


quotes = st.lists(paragraphs, min_size=1, max_size=3).map(lambda parts: "\n>\n".join(f"> {part}" for part in parts))
comments = phrases.map(lambda phrase: f"<!-- # {phrase}\n\n# still hidden -->")
rules = st.sampled_from(("- - -", "***", "[link]: /target", "<div>\n# raw\n</div>"))
constructs = st.one_of(
    headings,
    headings,
    setext_headings,
    paragraphs,
    paragraphs,
    lists(),
    tables(),
    fences,
    indented_code,
    quotes,
    comments,
    rules,
)
front_matter = st.sampled_from(
    ("", "", "", "---\ntitle: Sample\ngroups: [a, b]\n---\n", "---\n# note\nkey: 漢字\n---\n\n")
)


@st.composite
def markdown_texts(draw: st.DrawFn) -> str:
    parts = draw(st.lists(constructs, max_size=10))
    gap = draw(st.sampled_from(("\n\n", "\n\n", "\n\n\n", "\n", "\n \n")))
    text = draw(front_matter) + gap.join(parts) + draw(st.sampled_from(("", "\n", "\n\n")))
    return text.replace("\n", draw(st.sampled_from(("\n", "\n", "\r\n"))))


markdown_documents = markdown_texts().map(markdown_document)


statements = st.sampled_from(
    (
        *(
            "x = 1",
            "return [漢, e\u0301]",
            "call(a, (b),",
            "    c)",
            "'''",
            "}",
            "# note",
            "if a: # why",
            "text = '😀 (' ",
        ),
        *("", "", " ", "y" * 30, "    deep()", "\tdeep()", "@mark", "// said", "/* long", "*/", "{", "];"),
    )
)
bodies = st.lists(statements, min_size=1, max_size=7)
names = st.sampled_from(("f", "Größe", "a_b", "T"))
heads = {
    ".py": st.sampled_from(
        ("def {}(a, b):", "class {}:", "@made\nasync def {}(\n    a,\n) -> int:", "# on\ndef {}(self):")
    ),
    ".js": st.sampled_from(
        ("function {}(a) {{", "class {} {{", "/** about */\nexport const {} = (a) => {{", "{}(a) {{")
    ),
    ".go": st.sampled_from(("func {}(a int) error {{", "// says\nfunc (t *T) {}() {{", "type {} struct {{")),
    ".kt": st.sampled_from(("fun {}(a: Int) {{", "class {} {{")),
}


@st.composite
def definitions(draw: st.DrawFn, suffix: str, depth: int = 0) -> list[str]:
    lines = draw(heads[suffix]).format(draw(names)).split("\n")
    inner = draw(bodies)
    for _ in range(draw(st.integers(0, 3 - depth)) if depth < 2 else 0):
        inner += [*draw(st.sampled_from(([], [""]))), *draw(definitions(suffix, depth + 1))]
    lines += [f"    {line}" if line else "" for line in inner]
    return lines if suffix == ".py" else [*lines, "}"]


@st.composite
def source_documents(draw: st.DrawFn) -> Document:
    """Source code, most of it more or less valid, as the loader reads it, and data."""
    suffix = draw(st.sampled_from((*heads, ".json")))
    if suffix == ".json":
        leaves = st.one_of(st.integers(0, 9), st.sampled_from(("text", "漢字 😀", "long " * 12)))
        values = st.recursive(
            leaves, lambda inner: st.one_of(st.lists(inner), st.dictionaries(names, inner)), max_leaves=12
        )
        text = json.dumps(draw(values), ensure_ascii=False, indent=draw(st.sampled_from((None, 2))))
    else:
        parts = draw(st.lists(st.one_of(bodies, definitions(suffix), definitions(suffix)), max_size=5))
        text = draw(st.sampled_from(("\n", "\n\n"))).join("\n".join(part) for part in parts)
    text = text.replace("\n", draw(st.sampled_from(("\n", "\n", "\r\n"))))
    document: Document = catalogue.create("load", "data" if suffix == ".json" else "code").load(
        Source(f"made{suffix}", text.encode())
    )
    return document
