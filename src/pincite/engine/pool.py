"""Loading and cutting in other processes: while one embeds, the others read."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event, Lock, Timer
from types import TracebackType
from typing import IO, cast

from pincite.engine.jobs import Job, Loaded, Refused, run
from pincite.engine.worker import receive, send

ALONE_BYTES = 500_000
"""So much is loaded in this process before others are started: that takes longer than loading it."""
IN_FLIGHT = 8
IN_FLIGHT_BYTES = 64 * 1024 * 1024
"""Files, and bytes of them, that wait or are being loaded at one time (a larger file alone): it bounds the memory."""
MOST_WORKERS = 4
TIMEOUT_S = 600.0
"""Wall clock for one file in another process: no file may hold up the run for ever."""


def results(jobs: Iterable[Job]) -> Generator[Loaded | Refused, None, None]:
    """What came of every job, in order. A file that kills its process is refused as ``corrupt``; no other file is
    touched by it."""
    jobs = iter(jobs)
    alone = 0
    for job in jobs:
        yield run(job)
        alone += len(job.data)
        if alone >= ALONE_BYTES:
            break
    else:
        return
    with Pool(min(MOST_WORKERS, os.cpu_count() or 1)) as pool:
        waiting: deque[tuple[int, Future[Loaded | Refused]]] = deque()
        for job in jobs:
            size = len(job.data)
            while waiting and sum(waiting_size for waiting_size, _ in waiting) + size > IN_FLIGHT_BYTES:
                yield waiting.popleft()[1].result()
            waiting.append((size, pool.submit(job)))
            if len(waiting) >= IN_FLIGHT:
                yield waiting.popleft()[1].result()
        while waiting:
            yield waiting.popleft()[1].result()


class Worker:
    """A process that loads one file at a time; started when it is first needed, and anew when a file has killed it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False
        self._lock = Lock()

    def run(self, job: Job) -> Loaded | Refused:
        with self._lock:  # either it is ended before the process starts, or there is a process to end
            if self._ended:
                return Refused("internal", "loading was stopped", "Run it again.", job.document_id)
            process = self._process or self._start()
        to_it, from_it = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)
        late = Event()
        timer = Timer(TIMEOUT_S, _end_late, (late, process))
        timer.daemon = True
        timer.start()
        try:
            send(to_it, job)
            result: Loaded | Refused = receive(from_it)
        except (EOFError, OSError, ValueError):  # ValueError: the pipe was closed by `end`
            self.stop()
            if late.is_set():
                problem = f"loading it took longer than {TIMEOUT_S:.0f} s"
                return Refused("too_large", problem, "Split the file, or leave it out.", job.document_id)
            problem = f"the process that was loading it died (exit code {process.returncode})"
            return Refused("corrupt", problem, "Leave the file out, or report it.", job.document_id)
        finally:
            timer.cancel()
        return result

    def _start(self) -> subprocess.Popen[bytes]:
        path = os.pathsep.join(entry for entry in sys.path if entry)
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from pincite.engine.worker import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"},
        )
        return self._process

    def end(self) -> None:
        """For good: no process is started any more."""
        with self._lock:
            self._ended = True
        self.stop()

    def stop(self) -> None:
        process, self._process = self._process, None
        if process:
            process.kill()
            process.communicate()


def _end_late(late: Event, process: subprocess.Popen[bytes]) -> None:
    late.set()
    process.kill()


class Pool:
    """Workers behind threads that wait for them; all are gone when the block is left, however it is left."""

    def __init__(self, size: int) -> None:
        self._threads = ThreadPoolExecutor(max_workers=size, thread_name_prefix="pincite-loading")
        self._workers = [Worker() for _ in range(size)]
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.end()
        self._threads.shutdown(wait=True)

    def submit(self, job: Job) -> Future[Loaded | Refused]:
        return self._threads.submit(self._run, job)

    def _run(self, job: Job) -> Loaded | Refused:
        worker = self._idle.get()
        try:
            return worker.run(job)
        finally:
            self._idle.put(worker)
