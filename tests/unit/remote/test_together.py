"""Requests at the same time."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator

import pytest

from pincite.remote.together import together


def double(item: int, stop: threading.Event) -> int:
    assert not stop.is_set()
    return 2 * item


@pytest.mark.parametrize("concurrency", [1, 2, 50])
@pytest.mark.parametrize("count", [0, 1, 2, 40])
def test_every_item_once(count: int, concurrency: int) -> None:
    results = list(together(double, range(count), concurrency=concurrency))
    assert sorted(results) == [(number, 2 * number) for number in range(count)]


def test_no_more_than_asked_for_at_a_time() -> None:
    lock = threading.Lock()
    meet = threading.Barrier(3)
    running: list[int] = []
    most = 0

    def work(item: int, _stop: threading.Event) -> int:
        nonlocal most
        with lock:
            running.append(item)
            most = max(most, len(running))
        meet.wait(10)
        with lock:
            running.remove(item)
        return item

    assert len(list(together(work, range(12), concurrency=3))) == 12
    assert most == 3


def test_first_error_is_raised_after_what_was_under_way() -> None:
    begun: list[int] = []
    failing = threading.Event()

    def work(item: int, stop: threading.Event) -> int:
        begun.append(item)
        if item == 0:
            failing.wait(10)
            raise ValueError("the first")
        failing.set()
        assert stop.wait(10), "nobody was told to stop"
        return item

    results: Iterator[tuple[int, int]] = together(work, range(100), concurrency=2)
    assert next(results) == (1, 1)
    with pytest.raises(ValueError, match="the first"):
        next(results)
    assert sorted(begun) == [0, 1]


def test_leaving_early_stops_the_others() -> None:
    stopped = threading.Event()

    def work(item: int, stop: threading.Event) -> int:
        if item:
            stop.wait(10)
            stopped.set()
        return item

    results = together(work, range(10), concurrency=2)
    assert isinstance(results, Generator)
    assert next(results) == (0, 0)
    results.close()
    assert stopped.wait(10)
