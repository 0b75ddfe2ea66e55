"""Loading and cutting in other processes: while one embeds, the others read."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.config import Component
from pincite.engine.documents import load_bytes
from pincite.errors import LoadError
from pincite.model import Chunk, Document, Metadata
from pincite.ports import Chunker

ALONE_BYTES = 500_000
"""So much is loaded in this process before others are started: that takes longer than loading it."""
IN_FLIGHT = 8
"""Files that wait or are being loaded at one time; it bounds the memory."""


@dataclass(frozen=True, slots=True)
class Job:
    """A file to load and cut. Everything in it can be sent to another process."""

    path: Path
    document_id: str
    data: bytes
    loader: Component
    chunker: Component
    override: Metadata


@dataclass(frozen=True, slots=True)
class Loaded:
    document: Document
    chunks: tuple[Chunk, ...]


def run(job: Job) -> Loaded | LoadError:
    try:
        document = load_bytes(job.loader.create(), job.data, job.document_id, job.override)
    except LoadError as error:
        return error
    chunker: Chunker = job.chunker.create()
    return Loaded(document, tuple(chunker.chunk(document)))


def run_apart(job: Job) -> Loaded | dict[str, str]:
    """The same in another process: an error travels as its fields."""
    result = run(job)
    return result.to_json() if isinstance(result, LoadError) else result


def results(jobs: Iterable[Job]) -> Iterator[Loaded | LoadError]:
    """What came of every job, in order. A file that kills its process is an error of kind ``corrupt``; the
    others are not touched by it."""
    jobs = iter(jobs)
    alone = 0
    for job in jobs:
        yield run(job)
        alone += len(job.data)
        if alone >= ALONE_BYTES:
            break
    else:
        return
    with _Pool() as pool:
        waiting: deque[tuple[Job, Future[Any]]] = deque()
        for job in jobs:
            waiting.append((job, pool.submit(job)))
            if len(waiting) >= IN_FLIGHT:
                first, future = waiting.popleft()
                yield pool.result(first, future)
        while waiting:
            first, future = waiting.popleft()
            yield pool.result(first, future)


class _Pool:
    def __init__(self) -> None:
        self._executor = self._start()

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown(cancel_futures=True)

    @staticmethod
    def _start(workers: int | None = None) -> ProcessPoolExecutor:
        # Forking a process that has threads (as numpy's) can hang; a fresh one cannot.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(max_workers=workers or min(4, os.cpu_count() or 1), mp_context=context)

    def submit(self, job: Job) -> Future[Any]:
        try:
            return self._executor.submit(run_apart, job)
        except BrokenProcessPool:
            self._executor = self._start()
            return self._executor.submit(run_apart, job)

    def result(self, job: Job, future: Future[Any]) -> Loaded | LoadError:
        try:
            result = future.result()
        except BrokenProcessPool:  # by this file or by another one that was being loaded
            result = self._alone(job)
        if isinstance(result, Loaded):
            return result
        return LoadError(result["message"], cure=result["cure"], kind=result["kind"], file=result["file"])

    def _alone(self, job: Job) -> Loaded | dict[str, str]:
        with self._start(workers=1) as executor:
            try:
                result: Loaded | dict[str, str] = executor.submit(run_apart, job).result()
            except BrokenProcessPool:
                problem = "the process that was loading it died"
                return LoadError(problem, cure="Leave the file out.", kind="corrupt", file=job.document_id).to_json()
        return result
