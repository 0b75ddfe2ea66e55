"""Keeps numpy's matrix products on one thread for as long as anybody asks for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

from threadpoolctl import ThreadpoolController


class OneThread:
    """A context for any number of threads at once: the first one in sets the limit, the last one out takes it away.

    How a product is split over threads changes its last bits, and for small ones the threads cost more than they
    give. The limit holds for the whole process while somebody is inside.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before: list[tuple[Any, int]] = []

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._before = [(library, library.get_num_threads()) for library in _libraries()]
                for library, _ in self._before:
                    _setter(library)(1)
            self._inside += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                for library, threads in self._before:
                    _setter(library)(threads)


def _libraries() -> list[Any]:
    """Those with one limit for the process. Of OpenMP each thread has its own; the encoder sets that itself."""
    return [
        library
        for library in ThreadpoolController().lib_controllers
        if library.user_api == "blas" and getattr(library, "threading_layer", "") != "openmp"
    ]


def _setter(library: Any) -> Callable[[int], Any]:
    """Since threadpoolctl 3.8 only the first thread that sets a limit of OpenBLAS may do it again; others are not even
    told. Here the limit is one for all, and the last one out is seldom the first one in."""
    setter: Callable[[int], Any] = getattr(library, "_real_set_num_threads", library.set_num_threads)
    return setter


ONE_THREAD = OneThread()
