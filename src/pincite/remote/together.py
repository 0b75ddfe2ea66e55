"""Several requests at the same time, their answers in order."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def together(
    work: Callable[[Item, threading.Event], Result], items: Sequence[Item], *, concurrency: int
) -> Iterator[tuple[int, Result]]:
    """Each item's number and result, in the order in which they are done; at most ``concurrency`` at a time.

    The first error stops the others: what waits is not begun, a request under way ends and is still given, but not
    tried again, and then the error is raised. When the caller leaves (Ctrl-C), nobody is waited for: the event that
    ``work`` gets is set, and the threads die with the process at the latest.
    """
    stop = threading.Event()
    if concurrency == 1 or len(items) < 2:
        for number, item in enumerate(items):
            yield number, work(item, stop)
        return
    waiting: SimpleQueue[int] = SimpleQueue()
    done: SimpleQueue[tuple[int, Result] | BaseException | None] = SimpleQueue()
    for number in range(len(items)):
        waiting.put(number)
    threads = min(concurrency, len(items))

    def serve() -> None:
        while not stop.is_set():
            try:
                number = waiting.get_nowait()
            except Empty:
                break
            try:
                done.put((number, work(items[number], stop)))
            except BaseException as error:  # it is raised again where the results are read
                done.put(error)
                stop.set()
        done.put(None)

    for _ in range(threads):
        threading.Thread(target=serve, name="pincite-remote", daemon=True).start()
    errors: list[BaseException] = []
    running = threads
    try:
        while running:
            outcome = done.get()
            if outcome is None:
                running -= 1
            elif isinstance(outcome, BaseException):
                errors.append(outcome)
            else:
                yield outcome
    finally:
        stop.set()
    if errors:
        raise errors[0]
