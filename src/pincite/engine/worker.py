"""What runs in a loading process: jobs come in on standard input, results go out on standard output, pickled.

Started by ``pool`` with ``python -c``, not by ``multiprocessing``: that would import the user's own script again, which
fails where the script has no guard around its main part.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from typing import IO, Any

from pincite.engine.jobs import run

LENGTH_BYTES = 8


def send(stream: IO[bytes], value: Any) -> None:
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(len(data).to_bytes(LENGTH_BYTES, "big"))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Raises ``EOFError`` when the other side has gone. Only ever reads what another process of ours has written."""
    length = stream.read(LENGTH_BYTES)
    if len(length) < LENGTH_BYTES:
        raise EOFError
    size = int.from_bytes(length, "big")
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)  # noqa: S301 - from our own process


def main() -> None:
    """Works until standard input ends, as it does when the parent dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interruption means
    jobs = sys.stdin.buffer
    with os.fdopen(os.dup(1), "wb") as results:
        os.dup2(2, 1)  # nothing that a library prints may come between the results
        while True:
            try:
                job = receive(jobs)
            except EOFError:
                return
            send(results, run(job))
