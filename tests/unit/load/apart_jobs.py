"""What the tests of `pincite.load.apart` have done in a process apart."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any

from pincite.errors import LoadError


def echo(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    yield arguments["word"]
    yield [len(data), data[:3].decode("latin-1")]


def processes(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    yield [os.getpid(), os.getppid()]


def limits(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    import resource

    yield [resource.getrlimit(resource.RLIMIT_CPU)[0], resource.getrlimit(resource.RLIMIT_AS)[0]]


def prints(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    sys.stdout.write("to standard output")
    sys.stdout.flush()
    os.write(1, b"and past Python")
    sys.stderr.write("to standard error")
    yield sys.stdin.read() if sys.stdin else ""


def refuses(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    yield "a part"
    raise LoadError("it is broken", cure="Mend it.", kind="encrypted")


def fails(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    yield 1 / len(data)


def fills_the_memory(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    yield len([bytes(1024 * 1024) for _ in range(100_000)])


def has_no_memory(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    yield "a part"
    raise MemoryError


def dies(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    yield "a part"
    os.kill(os.getpid(), getattr(signal, arguments["signal"]))


def exits(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    yield from map(os._exit, [3])


def spins(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    """Never ends, and has a child that does not either; both are named in a file."""
    child = subprocess.Popen(["sleep", "60"])
    if arguments.get("names"):
        with open(arguments["names"], "w") as names:  # noqa: PTH123 - as little as possible is imported here
            names.write(f"{os.getpid()} {os.getppid()} {child.pid}")
    while True:
        pass


def talks_for_ever(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    while True:
        yield "x" * 65536


def waits(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    time.sleep(arguments["seconds"])
    yield os.getppid()
