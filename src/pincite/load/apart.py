"""Reading files that may be hostile in a process apart: limited, ready before it is needed, and gone with this one.

A loading process starts one server (`apart_server`) when it first needs it. For each file the server forks a process
that limits itself, reads the file and ends, so that no file can touch the reading of another one, and what all of them
need is imported once. Where the system cannot fork, the server reads one file itself and ends.

Both sides speak JSON and plain bytes. No pickles: what comes back is data even if a file should take over the process.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Lock, Timer
from typing import IO, Any, cast

from pincite.errors import LoadError
from pincite.load.apart_server import ACCEPTED, ENDED, FRAME, OUT_OF_MEMORY, PIECE

_START = "import sys; sys.path[:] = sys.argv[1:]; from pincite.load.apart_server import main; main()"
_CURE = "Leave the file out, or raise the limit."
_MOST_IDLE = 4
_MOST_TRIES = 3
_SMALLEST_ANSWER = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """``target`` is ``module:function`` of ours; the function is called with ``arguments`` and the file's bytes and
    yields values of JSON. A function ``warm_up`` of its module is called once by the server, before there is any file.
    ``timeout_s`` is wall clock, ``max_memory_bytes`` address space, where the system can limit
    it. ``memory_hint`` says why a file of this kind may need very much memory."""

    target: str
    file: str
    timeout_s: float
    max_memory_bytes: int
    arguments: Mapping[str, Any] = field(default_factory=dict, repr=False)
    memory_hint: str = ""


def run(job: Job, data: bytes) -> list[Any]:
    """Everything that the job's function yields. Raises the ``LoadError`` that it raises, and one of its own
    (``too_large``, ``corrupt``) where a limit is exceeded or the process dies."""
    for _ in range(_MOST_TRIES):
        server = _CREW.take()
        late = Event()
        timer = Timer(job.timeout_s, _end_late, (late, server))
        timer.daemon = True
        timer.start()
        answer = None
        try:
            answer = server.ask(job, data)
        finally:
            timer.cancel()
            timer.join()  # from here on nothing can end the server any more
            if answer is None or late.is_set():
                server.end()
            _CREW.give_back(server)
        if late.is_set():
            raise _too_slow(job)
        if answer is not None:
            return _parts(job, answer)
        # The server had ended before it had the file, as it does after a long time without work.
    raise _died(job, 0)


def close() -> None:
    """Ends every process that waits for work; the next job starts one."""
    _CREW.close()


@dataclass(frozen=True, slots=True)
class _Answer:
    """The lines that were written, and the exit code: negative for a signal."""

    output: bytes
    code: int


class _Server:
    def __init__(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - our own interpreter and code
            [sys.executable, "-X", "utf8", "-c", _START, *(path for path in sys.path if path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.to_it = cast(IO[bytes], self.process.stdin)
        self.from_it = cast(IO[bytes], self.process.stdout)
        self.usable = True

    def ask(self, job: Job, data: bytes) -> _Answer | None:
        """``None`` where the process ended before it had the whole job."""
        asked = {
            "target": job.target,
            "arguments": dict(job.arguments),
            "timeout_s": job.timeout_s,
            "max_memory_bytes": job.max_memory_bytes,
            "bytes": len(data),
        }
        try:
            self.to_it.write(json.dumps(asked).encode() + b"\n")
            self.to_it.write(data)
            self.to_it.flush()
            if self._frame()[0] != ACCEPTED:
                return None
        except (OSError, EOFError):
            return None
        return self._answer(max(job.max_memory_bytes, _SMALLEST_ANSWER))

    def _answer(self, most_bytes: int) -> _Answer:
        """An honest answer is never larger than the memory of the process that gave it."""
        output = bytearray()
        try:
            while len(output) <= most_bytes:
                kind, content = self._frame()
                if kind == ENDED:
                    ended = json.loads(content)
                    self.usable = not ended["last"]
                    return _Answer(bytes(output), ended["code"])
                output += content
        except EOFError:
            pass
        self.end()
        return _Answer(b"", self.process.returncode)

    def _frame(self) -> tuple[bytes, bytes]:
        head = self.from_it.read(FRAME.size)
        if len(head) < FRAME.size:
            raise EOFError
        kind, length = FRAME.unpack(head)
        content = self.from_it.read(length)
        if len(content) < length or kind not in (ACCEPTED, PIECE, ENDED):
            raise EOFError
        return kind, content

    def kill(self) -> None:
        """With the process that reads a file and whatever that has started: they are one group."""
        if self.process.poll() is None:
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()

    def end(self) -> None:
        self.usable = False
        self.kill()
        self.process.wait()
        self.let_go()

    def let_go(self) -> None:
        for pipe in (self.to_it, self.from_it):
            with suppress(OSError):  # what could not be written any more
                pipe.close()


def _end_late(late: Event, server: _Server) -> None:
    late.set()
    server.kill()


class _Crew:
    """The servers of this process that wait for work. A thread has one for itself while its job runs."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._idle: list[_Server] = []
        self._all: set[_Server] = set()
        self._process_id = 0

    def take(self) -> _Server:
        with self._lock:
            if self._process_id != os.getpid():
                self._begin()
            ended = [server for server in self._idle if server.process.poll() is not None]
            self._idle = [server for server in self._idle if server not in ended]
            idle = self._idle.pop() if self._idle else None
        for server in ended:
            self._drop(server)
        if idle is not None:
            return idle
        server = _Server()
        with self._lock:
            self._all.add(server)
        return server

    def give_back(self, server: _Server) -> None:
        with self._lock:
            if server.usable and len(self._idle) < _MOST_IDLE:
                self._idle.append(server)
                return
        self._drop(server)

    def _drop(self, server: _Server) -> None:
        server.end()
        with self._lock:
            self._all.discard(server)

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for server in idle:
            self._drop(server)

    def _begin(self) -> None:
        """Once in a process. What a forked process has inherited belongs to its parent."""
        if not self._process_id:
            atexit.register(self.close)
            if hasattr(os, "register_at_fork"):
                os.register_at_fork(after_in_child=self._forget)
        self._process_id = os.getpid()

    def _forget(self) -> None:
        """In a forked process: as long as it holds a pipe open, the server does not see its own parent go."""
        self._lock = Lock()
        for server in self._all:
            server.process.returncode = 0  # it is no child of this process
            server.let_go()
        self._idle, self._all = [], set()


_CREW = _Crew()


def _parts(job: Job, answer: _Answer) -> list[Any]:
    """Each line is a sign and JSON: ``+`` a value, ``!`` an error, ``.`` the end."""
    values: list[Any] = []
    for line in _lines(answer.output):
        sign, content = line[:1], line[1:]
        if sign == b".":
            return values
        try:
            value = json.loads(content)
        except ValueError:  # it died while it wrote this line
            break
        if sign == b"!":
            raise _told(job, value)
        values.append(value)
    raise _died(job, answer.code)


def _lines(output: bytes) -> Iterator[bytes]:
    start = 0
    while (end := output.find(b"\n", start)) >= 0:
        yield output[start:end]
        start = end + 1


def _told(job: Job, error: Mapping[str, str]) -> LoadError:
    return LoadError(error["problem"], cure=error["cure"], kind=error["kind"], file=job.file)


def _too_slow(job: Job) -> LoadError:
    problem = f"reading it takes longer than {job.timeout_s:g} seconds (timeout_s)"
    return LoadError(problem, cure=_CURE, kind="too_large", file=job.file)


def _too_much_memory(job: Job) -> LoadError:
    hint = f"; {job.memory_hint}" if job.memory_hint else ""
    problem = f"reading it takes more than {job.max_memory_bytes:,} bytes of memory (max_memory_bytes){hint}"
    return LoadError(problem, cure=_CURE, kind="too_large", file=job.file)


def _died(job: Job, code: int) -> LoadError:
    """Compiled readers abort when they get no more memory, and the system kills what takes too much of it."""
    if code == OUT_OF_MEMORY:
        return _too_much_memory(job)
    try:
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    except ValueError:
        name = f"signal {-code}"
    if name == "SIGXCPU":
        return _too_slow(job)
    if name in ("SIGABRT", "SIGKILL"):
        return _too_much_memory(job)
    return LoadError(
        f"the process that reads it came to a sudden end ({name}); its limits were {job.max_memory_bytes:,} "
        f"bytes of memory (max_memory_bytes) and {job.timeout_s:g} seconds (timeout_s)",
        cure="The file is damaged or made to do harm: leave it out, or save it anew.",
        kind="corrupt",
        file=job.file,
    )
