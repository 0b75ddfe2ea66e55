"""Every loader's scores and costs beside its peers, one table after the other (see the scripts for what is measured).

Run with ``make bench``; needs ``../shared/data/files`` beside the repository.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

HERE = Path(__file__).parent
FILES = HERE.parent.parent / "shared" / "data" / "files"


def main() -> int:
    if not FILES.is_dir():
        print(f"{FILES} is missing: there is nothing to measure with", file=sys.stderr)
        return 2
    for script in sorted(HERE.glob("loaders_*.py")):
        print(f"\n== {script.stem.removeprefix('loaders_').upper()} ==\n", flush=True)
        sys.argv = [str(script)]
        try:
            runpy.run_path(str(script), run_name="__main__")
        except SystemExit as end:
            if end.code:
                return int(end.code) if isinstance(end.code, int) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
