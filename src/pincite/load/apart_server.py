"""The other side of `apart`: waits for jobs and has each one done by a process that limits itself first.

On the way there: a line of JSON that says how many bytes follow, then the file. On the way back: frames of a kind and a
length. The server itself never looks at a byte of a file. It ends when the loading process does, whatever a file is
doing at that moment, and after a minute without work.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import struct
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import IO, Any

from pincite.errors import LoadError
from pincite.load.limits import limit_process

FRAME = struct.Struct("<cI")
ACCEPTED, PIECE, ENDED = b"A", b"P", b"E"
OUT_OF_MEMORY = 117
"""An exit code."""
IDLE_S = 60.0
_SPARE_S = 5  # the loading process looks at the clock, too
_PIECE_BYTES = 1 << 16

Function = Callable[[Mapping[str, Any], bytes], Iterable[Any]]


def main() -> None:
    """Serves until the loading process closes standard input."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed must not mix with the answers
    try:
        while serve(sys.stdin.buffer, output):
            pass
    except OSError:  # the loading process is gone
        _end_group()


def serve(asked: IO[bytes], output: IO[bytes]) -> bool:
    """One job; whether there may be another one."""
    forks = hasattr(os, "fork")
    if forks and not select.select([asked], [], [], IDLE_S)[0]:
        return False
    header = asked.readline()
    if not header:
        return False
    job = json.loads(header)
    data = asked.read(job["bytes"])
    if len(data) < job["bytes"]:
        return False
    _send(output, ACCEPTED)
    do = _forked if forks else _done_here
    code = do(job, data, asked, output)
    _send(output, ENDED, json.dumps({"code": code, "last": not forks}).encode())
    return forks


def _send(output: IO[bytes], kind: bytes, content: bytes = b"") -> None:
    output.write(FRAME.pack(kind, len(content)) + content)
    output.flush()


def _forked(job: Mapping[str, Any], data: bytes, asked: IO[bytes], output: IO[bytes]) -> int:
    """Does the job in a process of its own and passes on what that writes; its exit code, negative for a signal."""
    name = job["target"].partition(":")[0]
    if name not in sys.modules:
        with suppress(ImportError):  # the process that does the job will say so
            getattr(import_module(name), "warm_up", lambda: None)()
        gc.collect()
        gc.freeze()  # the memory of what is imported stays shared
    reader, writer = os.pipe()
    server = os.getpid()
    child = os.fork()
    if not child:
        code = 1
        try:
            os.close(reader)
            os.close(output.fileno())
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            code = _do(job, data, writer, server)
        except MemoryError:
            code = OUT_OF_MEMORY
        finally:
            os._exit(code)
    os.close(writer)
    try:
        while True:
            ready, _, _ = select.select([asked.fileno(), reader], [], [])
            if asked.fileno() in ready:  # nothing can come but the end
                _end_group()
            piece = os.read(reader, _PIECE_BYTES)
            if not piece:
                break
            _send(output, PIECE, piece)
    finally:
        os.close(reader)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _done_here(job: Mapping[str, Any], data: bytes, _: IO[bytes], output: IO[bytes]) -> int:
    return answer(job, data, lambda piece: _send(output, PIECE, piece))


def _do(job: Mapping[str, Any], data: bytes, writer: int, server: int) -> int:
    gc.disable()  # it ends soon, and collecting would copy what is shared
    limit_process(cpu_s=int(job["timeout_s"]) + _SPARE_S, memory_bytes=job["max_memory_bytes"])
    if os.getppid() != server:  # gone before this process was tied to it
        return 0
    with os.fdopen(writer, "wb") as output:
        return answer(job, data, output.write)


def answer(job: Mapping[str, Any], data: bytes, write: Callable[[bytes], object]) -> int:
    """Writes what the job's function yields or raises, one line for each value; the exit code."""
    try:
        module, _, name = job["target"].partition(":")
        function: Function = getattr(import_module(module), name)
        for value in function(job["arguments"], data):
            write(b"+" + json.dumps(value, separators=(",", ":")).encode() + b"\n")
        write(b".\n")
    except LoadError as error:
        _tell(write, error.kind, error.problem, error.cure)
    except MemoryError:  # there may be none left to say so
        return OUT_OF_MEMORY
    except Exception as error:
        problem = f"it could not be understood ({type(error).__name__}: {error})"
        _tell(write, "corrupt", problem, "Please report this file.")
    return 0


def _tell(write: Callable[[bytes], object], kind: str, problem: str, cure: str) -> None:
    write(b"!" + json.dumps({"kind": kind, "problem": problem, "cure": cure}).encode() + b"\n")


def _end_group() -> None:
    """Ends this process and all that it has started."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)
