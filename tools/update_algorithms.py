"""Writes anew what every strategy makes of a sample, after its ``algorithm`` was raised.

Usage: python tools/update_algorithms.py

An index is made anew only when the number ``algorithm`` in a strategy's class says that it cuts in another way; it is 1
where the class has none. ``tests/golden/algorithms.json`` holds number and digest of each strategy, so that a change
that forgets the number is found. Refuses where the environment variable CI is set.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

from pincite import catalogue
from pincite.engine.recipe import algorithm_of
from pincite.model import Document, Source

FILE = Path(__file__).parents[1] / "tests/golden/algorithms.json"

SECTION = """## Part {number}

A paragraph with several sentences. The second one is no longer than the first. Is the third a question? It ends with
a number, {number}.{number}, and an abbreviation, e.g. this one. 漢字と仮名。次の文です。

- an item with words
  - one below it
- another item

| name | value |
| --- | ---: |
| oak {number} | {number} |
| ash | 2 |

```python
# a comment
def keel(x):
    return x + {number}


class Mast:
    def sail(self):
        return "sail"
```

### Deeper {number}

> A quote of some length, which goes on for a while and says little.

"""


LONG = " ".join(
    f"Sentence {number} of a long section tells of rope {number % 7}, mast and sail." for number in range(200)
)
CODE = "\n\n".join(f"def function_{number}(x):\n    y = x * {number}\n    return y + {number}" for number in range(60))


def samples() -> list[Document]:
    text = "Before the first heading.\n\n# Sample\n\n" + "".join(
        SECTION.format(number=number) for number in range(1, 13)
    )
    files = {"sample.md": f"{text}## Long\n\n{LONG}\n\n{LONG[::-1]}\n", "sample.py": CODE, "sample.txt": LONG}
    loaders = {".md": "markdown", ".py": "code", ".txt": "text"}
    return [
        catalogue.create("load", loaders[Path(name).suffix]).load(Source(name, data.encode()))
        for name, data in files.items()
    ]


def algorithms() -> dict[str, dict[str, int | str]]:
    """Number and digest of each of our own strategies; those that ask an embedder get one that needs no model."""
    documents = samples()
    result: dict[str, dict[str, int | str]] = {}
    for row in catalogue.rows("chunk"):
        if not row.installed:
            takes_embedder = "embedder" in catalogue.user_options(catalogue.load_target(row))
            chunker = catalogue.create("chunk", row.name, {"embedder": "hashing"} if takes_embedder else None)
            chunks = [chunk.to_json() for document in documents for chunk in chunker.chunk(document)]
            made = json.dumps(chunks, sort_keys=True)
            digest = hashlib.sha256(made.encode()).hexdigest()[:16]
            result[row.name] = {"algorithm": algorithm_of(chunker), "digest": digest}
    return result


def main() -> int:
    if os.environ.get("CI"):
        print("not in CI: these files are looked at by a person")
        return 1
    FILE.write_text(json.dumps(algorithms(), indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
