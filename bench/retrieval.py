"""How well search finds, beside other packages' chunkers with one embedder and the baseline's ranking.

    python bench/retrieval.py DATA [SET …] [--tables NAME …] [--only CHUNKER …] [--baseline CSV] [--kept FOLDER] [--fit]

``DATA`` has a folder for each set, with ``corpus/`` and ``queries.jsonl``: lines ``{"id", "question", "lang",
"relevant": [{"document", "start", "end", "text"}]}``. ``SET-noanchor`` is the set without the anchors of its headings
in what is indexed. Tables, all but the last two unless chosen:

- ``rows``: the baseline's rows made again, within half a point or not, and pincite's default beside them;
- ``omega``: the precision of a perfect search by the definition of Chroma's harness;
- ``variants``: pincite with and without heading path, overlap, and with each fusion;
- ``twins``: ``semantic`` and ``adaptive`` beside greedy cuts of the same units;
- ``goals``: hit@1 that is asked for;
- ``cuts``, with ``rows``: the peers' chunks with pincite's search;
- ``hits``: hit@1, recall@5 and MRR@10 by mode; with ``--fit`` the constants of the scale of relevance.

Odd questions choose, even ones report. ``--kept`` holds vectors for the next run. Ends with 1 where a row fails. Needs
no network; peers that are not installed are left out.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench import retrieval_fit, retrieval_omega, retrieval_rows, retrieval_variants
from bench.retrieval_sets import names_of, sets

from pincite import catalogue
from pincite.engine.evaluation.vectors import cached

USUAL = ("rows", "omega", "variants", "twins", "goals")
TABLES = (*USUAL, "cuts", "hits")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--tables", nargs="+", choices=TABLES, metavar="NAME")
    parser.add_argument("--only", nargs="+", default=[], metavar="CHUNKER")
    parser.add_argument("--baseline", type=Path, metavar="CSV", help="default: research/baseline.csv beside DATA")
    parser.add_argument("--kept", type=Path, metavar="FOLDER")
    parser.add_argument("--embedder", default=catalogue.DEFAULTS["embed"])
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    tables = given.tables or (("hits",) if given.fit else USUAL)
    warnings.simplefilter("ignore")
    names = given.sets or names_of(given.data)
    baseline = given.baseline or given.data.parent / "research/baseline.csv"
    known = retrieval_rows.published(baseline) if baseline.exists() else {}
    failed = 0
    if "omega" in tables and "chroma-general" in names:
        failed += retrieval_omega.print_omega(given.data / "chroma-general")
    with tempfile.TemporaryDirectory() as folder:
        file = (given.kept or Path(folder)) / "vectors.sqlite"
        with cached(catalogue.create("embed", given.embedder), file) as embedder:
            for asked in sets(given.data, names, embedder):
                if "rows" in tables:
                    failed += retrieval_rows.print_rows(asked, known, given.only, cuts_too="cuts" in tables)
                if "variants" in tables:
                    retrieval_variants.print_variants(asked)
                if "twins" in tables:
                    retrieval_variants.print_twins(asked)
                if "goals" in tables:
                    failed += retrieval_variants.print_goals(asked)
    if "hits" in tables:
        retrieval_fit.print_hits(given.data, names, given.embedder, fitting=given.fit)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
