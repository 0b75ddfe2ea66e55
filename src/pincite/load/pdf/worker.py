"""The side of `process.run` that reads the file. It limits itself before it looks at a byte of it."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, BinaryIO

from pincite.errors import LoadError
from pincite.load.limits import limit_process

_SECONDS_SPARE = 5


def main() -> None:
    """Reads a request from standard input, writes the answer to standard output."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed must not mix with the answer
    message = sys.stdin.buffer
    request = json.loads(message.readline())
    limit_process(cpu_s=int(request["timeout_s"]) + _SECONDS_SPARE, memory_bytes=request["max_memory_bytes"])
    try:
        answer = {"result": answer_to(request, message)}
    except LoadError as error:
        answer = {"error": {"problem": error.problem, "cure": error.cure, "kind": error.kind}}
    except MemoryError:
        problem = f"reading it needs more than {request['max_memory_bytes']:,} bytes of memory (max_memory_bytes)"
        answer = {"error": {"problem": problem, "cure": "Leave the file out, or raise the limit.", "kind": "too_large"}}
    except Exception as error:
        problem = f"it could not be understood ({type(error).__name__}: {error})"
        answer = {"error": {"problem": problem, "cure": "Please report this file.", "kind": "corrupt"}}
    output.write(json.dumps(answer).encode())
    output.close()


def answer_to(request: dict[str, Any], message: BinaryIO) -> Any:
    import pypdfium2_raw as raw

    raw.FPDF_InitLibraryWithConfig(raw.FPDF_LIBRARY_CONFIG(2, None, None, 0))
    data = message.read()
    if request["task"] == "draw":
        from pincite.load.pdf.picture import picture_of

        return picture_of(data, request)
    from pincite.load.pdf.document import Limits, load

    limits = Limits(max_pages=request["max_pages"], max_characters=request["max_characters"])
    return load(data, request["path"], request["password"], limits).to_json()
