"""The side of `process.run` that reads the file. It limits itself before it looks at a byte of it."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from typing import Any, BinaryIO

from pincite.errors import LoadError

_SECONDS_SPARE = 5
_TIE_TO_PARENT = 1  # PR_SET_PDEATHSIG


def main() -> None:
    """Reads a request from standard input, writes the answer to standard output."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed must not mix with the answer
    message = sys.stdin.buffer
    request = json.loads(message.readline())
    limit(request["timeout_s"], request["max_memory_bytes"])
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


def limit(timeout_s: float, max_memory_bytes: int) -> None:
    """Ends this process when its parent is gone or its time is up, and bounds its memory, where the system can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_TIE_TO_PARENT, signal.SIGKILL)
    try:
        import resource
    except ImportError:
        return
    seconds = int(timeout_s) + _SECONDS_SPARE
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if max_memory_bytes and sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (max_memory_bytes, max_memory_bytes))


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
