"""Loading and cutting in other processes: while one embeds, the others read."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType
from typing import IO, cast

from pincite.engine.jobs import Job, Loaded, Refused, run
from pincite.engine.worker import receive, send

ALONE_BYTES = 500_000
"""So much is loaded in this process before others are started: that takes longer than loading it."""
IN_FLIGHT = 8
"""Files that wait or are being loaded at one time; it bounds the memory."""
MOST_WORKERS = 4


def results(jobs: Iterable[Job]) -> Iterator[Loaded | Refused]:
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
        waiting: deque[Future[Loaded | Refused]] = deque()
        for job in jobs:
            waiting.append(pool.submit(job))
            if len(waiting) >= IN_FLIGHT:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


class Worker:
    """A process that loads one file at a time; started when it is first needed, and anew when a file has killed it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, job: Job) -> Loaded | Refused:
        process = self._process or self._start()
        to_it, from_it = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)
        try:
            send(to_it, job)
            result: Loaded | Refused = receive(from_it)
        except (EOFError, OSError):
            self.stop()
            problem = f"the process that was loading it died (exit code {process.returncode})"
            return Refused("corrupt", problem, "Leave the file out, or report it.", job.document_id)
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

    def stop(self) -> None:
        process, self._process = self._process, None
        if process:
            process.kill()
            process.communicate()


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
            worker.stop()
        self._threads.shutdown(wait=True)

    def submit(self, job: Job) -> Future[Loaded | Refused]:
        return self._threads.submit(self._run, job)

    def _run(self, job: Job) -> Loaded | Refused:
        worker = self._idle.get()
        try:
            return worker.run(job)
        finally:
            self._idle.put(worker)
