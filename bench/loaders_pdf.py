"""Scores and costs of the PDF loader, on the shared files with ground truth: `python bench/loaders_pdf.py`.

Text: normalised Indel similarity of the text without markup and blank runs; runs of leader dots are one dot, and
curly quotes, long dashes and raised digits are plain ones on both sides, since the truths are written so. Headings and
cells: F1 of the multisets of exact texts, over the files whose truth has any. Each average is over files, every file
counts the same.
Costs are process CPU, as multiples of extracting the plain text with pypdfium2 in the same run: of the parse alone, and
of a whole run with its processes.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import resource
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import pypdfium2
from rapidfuzz.fuzz import ratio

from pincite.errors import LoadError
from pincite.load import apart
from pincite.load.pdf.document import Limits, load
from pincite.load.pdf.loader import PdfLoader
from pincite.model import Document, Source

FILES = Path(__file__).parents[2] / "shared/data/files"
LIMITS = Limits(max_pages=5000, max_characters=20_000_000)
_RULE_ROW = re.compile(r"^\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?)?\s*$", re.MULTILINE)
_MARKUP = re.compile(r"<!--.*?-->|^\s*#{1,6} |^\s*(?:[-*•] )|^\s*```.*$|\*\*|`|^\s*\[\^[^\]]*\]: |<br>", re.MULTILINE)
_TABLE_LINE = re.compile(r"^\s*\|(.*)\|\s*$")
# One of the truths has the name of a glyph where the page shows a bullet.
_BULLET = re.compile(r"\bSM590000\b ?|• ?")


_ESCAPE = re.compile(r"\\(?=[_*|#<>])")
_LEADER = re.compile(r"(?:\s*\.){4,}")
_PLAIN = str.maketrans("‘’“”–—⁰¹²³⁴⁵⁶⁷⁸⁹", "''\"\"--0123456789")


def stripped(text: str) -> str:
    text = _LEADER.sub(" .", _ESCAPE.sub("", text)).translate(_PLAIN)
    text = _MARKUP.sub(" ", _RULE_ROW.sub(" ", _BULLET.sub("", text))).replace("|", " ")
    return " ".join(text.split())


def headings(text: str) -> Counter[str]:
    return Counter(stripped(line) for line in text.splitlines() if re.match(r"#{1,6} ", line))


def cells(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for line in text.splitlines():
        match = _TABLE_LINE.match(line)
        if match and not _RULE_ROW.match(line):
            parts = re.split(r"(?<!\\)\|", match[1])
            found.update(cell for cell in (stripped(part) for part in parts) if cell)
    return found


def f1(truth: Counter[str], found: Counter[str]) -> float:
    total = truth.total() + found.total()
    return 2 * (truth & found).total() / total if total else 1.0


def tex_cells(text: str) -> Counter[str]:
    rows = text.split(r"\toprule")[1].split(r"\bottomrule")[0].replace(r"\midrule", "").split(r"\\")
    plain = [re.sub(r"\\text\w+\{([^}]*)\}", r"\1", re.sub(r"\\textsuperscript\{(\d)\}", r"\1", row)) for row in rows]
    return Counter(" ".join(cell.split()) for row in plain for cell in row.split("&") if cell.strip())


def cpu(run: Callable[[], object], *, children: bool = False, times: int = 3) -> float:
    best = float("inf")
    for _ in range(times):
        before = _clock(children)
        run()
        best = min(best, _clock(children) - before)
    return best


def _clock(children: bool) -> float:
    usage = [resource.getrusage(resource.RUSAGE_SELF)]
    if children:
        usage.append(resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(item.ru_utime + item.ru_stime for item in usage)


def plain_text(data: bytes, password: str | None = None) -> str:
    file = pypdfium2.PdfDocument(data, password=password)
    text = "\n".join(page.get_textpage().get_text_range() for page in file)
    file.close()
    return text


def parse(source: Source, password: str = "") -> Document:
    document = load(source.data, source.path, password, LIMITS)
    assert isinstance(document, Document)
    return document


def manifest() -> list[dict[str, object]]:
    lines = (FILES / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["file"].startswith("pdf/")]


Engine = Callable[[Path], str]


def engines() -> dict[str, Engine]:
    """What turns a file into Markdown here; peers only where they are installed (they are no dependencies)."""
    found: dict[str, Engine] = {
        "pincite": lambda file: parse(Source(file.name, file.read_bytes())).text,
        "pypdfium2 plain": lambda file: plain_text(file.read_bytes()),
    }
    if importlib.util.find_spec("unpdf"):
        unpdf = importlib.import_module("unpdf")
        found["unpdf"] = lambda file: str(unpdf.to_markdown(str(file)))
    if importlib.util.find_spec("liteparse"):
        liteparse = importlib.import_module("liteparse")
        parser = liteparse.LiteParse(ocr_enabled=False, quiet=True, output_format="markdown")
        found["liteparse"] = lambda file: str(parser.parse(str(file)).text)
    return found


def scores(truth: Path, text: str) -> list[float | None]:
    """Text, headings and cells; ``None`` where the truth says nothing of them."""
    wanted = truth.read_text(encoding="utf-8")
    if truth.suffix == ".tex":  # its running text is made by a macro
        return [None, None, f1(tex_cells(wanted), cells(text))]
    return [
        ratio(stripped(wanted), stripped(text)) / 100,
        f1(headings(wanted), headings(text)) if headings(wanted) else None,
        f1(cells(wanted), cells(text)) if cells(wanted) else None,
    ]


def print_scores() -> None:
    with_truth = [
        (FILES / str(row["file"]), FILES / str(row["ground_truth"][0]))  # type: ignore[index]
        for row in manifest()
        if row["ground_truth"] and (FILES / str(row["ground_truth"][0])).stat().st_size  # type: ignore[index]
    ]
    print(f"{'':46} {'text':>7} {'heads':>7} {'cells':>7} {'CPU s':>7}")
    for name, engine in engines().items():
        results = []
        before = _clock(children=False)
        texts = [engine(file) for file, _ in with_truth]
        seconds = _clock(children=False) - before
        for (file, truth), text in zip(with_truth, texts, strict=True):
            results.append(scores(truth, text))
            if name == "pincite":
                print(f"{file.name:46} " + " ".join(map(_shown, results[-1])))
        means = [fmean(value for value in column if value is not None) for column in zip(*results, strict=True)]
        print(f"{name + ', mean over files':46} " + " ".join(map(_shown, means)) + f" {seconds:7.3f}")


def _shown(value: float | None) -> str:
    return "      -" if value is None else f"{value:7.3f}"


def load_all(sources: Sequence[Source]) -> None:
    """As one run does it, with the start of the process that reads and its end."""
    for source in sources:
        PdfLoader().load(source)
    apart.close()


def print_costs(files: Sequence[Path]) -> None:
    print(f"\n{'file':52} {'pages':>5} {'plain s':>8} {'parse':>6} {'whole':>6}")
    sources: list[Source] = []
    totals = [0.0, 0.0]
    for file in files:
        source = Source(file.name, file.read_bytes())
        try:
            document = parse(source)
        except LoadError:
            continue
        sources.append(source)
        costs = [cpu(partial(plain_text, source.data)), cpu(partial(parse, source))]
        totals = [total + cost for total, cost in zip(totals, costs, strict=True)]
        print(f"{file.name:52} {document.metadata['pages']:5} {costs[0]:8.4f} {costs[1] / costs[0]:6.2f}")
    apart.close()
    whole = cpu(partial(load_all, sources), children=True)
    print(f"{'all, whole in one run':52} {'':5} {totals[0]:8.4f} {totals[1] / totals[0]:6.2f} {whole / totals[0]:6.2f}")


def print_growth() -> None:
    """The same four pages over and over: the cost of a page does not depend on how many there are."""
    print("\n pages  parse s  ms a page  whole s  peak MB of a child")
    one = pypdfium2.PdfDocument((Path(__file__).parents[1] / "tests/golden/pdf/manual.pdf").read_bytes())
    for pages in (100, 1000):
        file = pypdfium2.PdfDocument.new()
        for _ in range(pages // 4):
            file.import_pages(one)
        buffer = BytesIO()
        file.save(buffer)
        source = Source("long.pdf", buffer.getvalue())
        parsed = cpu(partial(parse, source), times=1)
        whole = cpu(partial(load_all, [source]), children=True, times=1)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{pages:6} {parsed:8.2f} {1000 * parsed / pages:10.2f} {whole:8.2f} {peak:8.0f}")


def print_outcomes() -> None:
    print("\noutcomes")
    for row in manifest():
        source = Source(str(row["file"]), (FILES / str(row["file"])).read_bytes())
        try:
            document = PdfLoader(password=str(row.get("password", ""))).load(source)
            outcome = f"{len(document.blocks)} blocks, warnings: {[warning.kind for warning in document.warnings]}"
        except LoadError as error:
            outcome = f"{error.kind}: {error}"
        print(f"{source.path:52} {outcome}")


if __name__ == "__main__":
    print_scores()
    if "--scores" not in sys.argv:
        with TemporaryDirectory() as folder:
            # An installed package has its byte code; some environments forbid to write it.
            os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
            os.environ["PYTHONPYCACHEPREFIX"] = folder
            print_costs(sorted((FILES / "pdf").glob("*.pdf")))
            print_growth()
            print_outcomes()
            apart.close()
