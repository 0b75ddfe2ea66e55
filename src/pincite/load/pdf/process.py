"""The process that reads a file: started for it, limited, and always ended.

Both sides speak one line of JSON and then bytes: what is asked and the file's bytes in, the answer out. No pickles:
what comes back is data even if a file should take over the process.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from pincite.errors import LoadError

WORKER = "import sys; sys.path[:] = sys.argv[1:]; from pincite.load.pdf.worker import main; main()"
_CURE = "Leave the file out, or raise the limit."


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """``boxes`` of a drawing: kind of block, then ``x0, top, x1, bottom`` in points."""

    task: Literal["load", "draw"]
    path: str
    password: str = field(default="", repr=False)
    max_pages: int = 0
    max_characters: int = 0
    timeout_s: float = 120.0
    max_memory_bytes: int = 0
    page: int = 0
    scale: float = 1.0
    boxes: tuple[tuple[str, float, float, float, float], ...] = ()


def run(request: Request, data: bytes, *, program: str = WORKER) -> Any:
    """The answer of the Python ``program`` that is run. Raises ``LoadError``."""
    message = json.dumps(asdict(request)).encode() + b"\n" + data
    output, code = _talk(request, message, program)
    if code:
        raise _crashed(request, code)
    try:
        answer = json.loads(output)
    except ValueError:
        raise _crashed(request, code) from None
    if "error" in answer:
        raise LoadError(**answer["error"], file=request.path)
    return answer["result"]


def _talk(request: Request, message: bytes, program: str) -> tuple[bytes, int]:
    command = [sys.executable, "-X", "utf8", "-c", program, *(path for path in sys.path if path)]
    with subprocess.Popen(  # noqa: S603 - our own interpreter and code
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as child:
        try:
            output, _ = child.communicate(message, timeout=request.timeout_s)
        except subprocess.TimeoutExpired:
            raise LoadError(
                f"reading it takes longer than {request.timeout_s:g} seconds (timeout_s)",
                cure=_CURE,
                kind="too_large",
                file=request.path,
            ) from None
        finally:
            child.kill()
        return output, child.returncode


def _crashed(request: Request, code: int) -> LoadError:
    try:
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    except ValueError:
        how = f"signal {-code}"
    return LoadError(
        f"the process that reads it came to a sudden end ({how}); its limits were {request.max_memory_bytes:,} "
        f"bytes of memory (max_memory_bytes) and {request.timeout_s:g} seconds (timeout_s)",
        cure="The file is damaged or made to do harm: leave it out, or save it anew.",
        kind="corrupt",
        file=request.path,
    )
