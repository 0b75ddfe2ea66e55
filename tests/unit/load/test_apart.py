"""Processes apart: what comes back, what is limited, and that none is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

import pytest

from pincite.errors import LoadError
from pincite.load import apart, apart_server
from pincite.load.apart import Job, run

REPOSITORY = Path(__file__).parents[3]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory and ties processes together")
FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")


@pytest.fixture(autouse=True)
def nothing_waits() -> Iterator[None]:
    apart.close()
    yield
    apart.close()


def job(
    function: str, *, timeout_s: float = 60.0, max_memory_bytes: int = 1024**3, hint: str = "", **arguments: Any
) -> Job:
    return Job(
        target=f"tests.unit.load.apart_jobs:{function}",
        file="a.pdf",
        timeout_s=timeout_s,
        max_memory_bytes=max_memory_bytes,
        arguments=arguments,
        memory_hint=hint,
    )


def refusal(wanted: Job, data: bytes = b"") -> LoadError:
    with pytest.raises(LoadError) as caught:
        run(wanted, data)
    assert caught.value.file == "a.pdf"
    return caught.value


class TestAnswers:
    def test_values_come_back_in_order(self) -> None:
        assert run(job("echo", word="\ud800 and ü"), b"abcdef") == ["\ud800 and ü", [6, "abc"]]

    def test_a_file_far_larger_than_a_pipe(self) -> None:
        assert run(job("echo", word=""), b"x" * 3_000_000)[1] == [3_000_000, "xxx"]

    def test_what_is_printed_does_not_mix_with_the_answer(self) -> None:
        assert run(job("prints"), b"data") == [""]

    def test_an_error_of_ours_is_told_with_the_file(self) -> None:
        error = refusal(job("refuses"))
        assert (error.kind, error.problem, error.cure) == ("encrypted", "it is broken", "Mend it.")

    def test_any_other_error_says_what_it_was(self) -> None:
        error = refusal(job("fails"))
        assert (error.kind, "ZeroDivisionError" in error.problem) == ("corrupt", True)

    def test_a_function_that_there_is_not(self) -> None:
        assert "AttributeError" in refusal(job("nothing")).problem
        lost = Job(target="no.such.module:function", file="a.pdf", timeout_s=60, max_memory_bytes=1024**3)
        assert "ModuleNotFoundError" in refusal(lost).problem

    def test_arguments_are_not_printed(self) -> None:
        assert "tern" not in repr(job("echo", password="tern"))


class TestLimits:
    def test_time(self) -> None:
        error = refusal(job("spins", timeout_s=0.5))
        assert (error.kind, "0.5 seconds (timeout_s)" in error.problem) == ("too_large", True)

    @LINUX
    def test_memory(self) -> None:
        error = refusal(job("fills_the_memory", max_memory_bytes=200_000_000, hint="it is very long"))
        assert error.kind == "too_large"
        assert error.problem.endswith("200,000,000 bytes of memory (max_memory_bytes); it is very long")

    @LINUX
    def test_a_process_of_a_job_has_them_from_its_start(self) -> None:
        assert run(job("limits", timeout_s=7, max_memory_bytes=10**9), b"") == [[12, 10**9]]

    def test_an_answer_that_does_not_end(self) -> None:
        error = refusal(job("talks_for_ever", timeout_s=60, max_memory_bytes=50_000_000))
        assert (error.kind, "max_memory_bytes" in error.problem) == ("too_large", True)


class TestDeaths:
    @FORKS
    @pytest.mark.parametrize(
        ("name", "kind", "words"),
        [
            ("SIGSEGV", "corrupt", "SIGSEGV"),
            ("SIGILL", "corrupt", "max_memory_bytes"),
            ("SIGABRT", "too_large", "max_memory_bytes"),
            ("SIGKILL", "too_large", "max_memory_bytes"),
            ("SIGXCPU", "too_large", "timeout_s"),
            ("SIGRTMIN", "corrupt", "SIGRTMIN"),
        ],
    )
    def test_a_sudden_end_is_explained(self, name: str, kind: str, words: str) -> None:
        if not hasattr(signal, name):
            pytest.skip(f"there is no {name} here")
        error = refusal(job("dies", signal=name))
        assert (error.kind, words in error.problem) == (kind, True), error

    def test_an_end_without_an_answer(self) -> None:
        error = refusal(job("exits"))
        assert (error.kind, "sudden end" in error.problem) == ("corrupt", True)

    def test_the_next_job_is_none_the_worse(self) -> None:
        for function in ("exits", "fails", "spins", "echo"):
            with pytest.raises(LoadError):
                run(job(function, timeout_s=0.3), b"")
            assert run(job("echo", word="next"), b"")[0] == "next"


class TestProcesses:
    @FORKS
    def test_one_server_a_process_for_each_job(self) -> None:
        (first,), (second,) = run(job("processes"), b""), run(job("processes"), b"")
        assert first[1] == second[1] != os.getpid()
        assert first[0] != second[0]

    @FORKS
    def test_jobs_of_several_threads_run_at_once(self) -> None:
        with ThreadPoolExecutor(6) as threads:
            servers = list(threads.map(lambda _: run(job("waits", seconds=0.3), b"")[0], range(6)))
        assert len(set(servers)) > 1
        assert run(job("waits", seconds=0), b"")[0] in servers

    @FORKS
    def test_a_server_that_has_ended_is_replaced(self) -> None:
        ((_, server),) = run(job("processes"), b"")
        os.kill(server, signal.SIGKILL)
        ((_, other),) = run(job("processes"), b"")
        assert other != server

    @FORKS
    def test_none_is_left_after_closing(self) -> None:
        run(job("processes"), b"")
        for function in ("exits", "fails"):
            refusal(job(function))
        apart.close()
        with pytest.raises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)

    @LINUX
    def test_none_is_left_after_a_time_out(self, tmp_path: Path) -> None:
        names = tmp_path / "names"
        refusal(job("spins", timeout_s=2, names=str(names)))
        assert gone(names.read_text().split())

    @LINUX
    @pytest.mark.parametrize("busy", [True, False])
    def test_none_is_left_when_the_parent_is_killed(self, tmp_path: Path, busy: bool) -> None:
        names = tmp_path / "names"
        arguments = {"names": str(names)}
        code = (
            "import sys, time\n"
            f"sys.path[:0] = {[str(REPOSITORY), str(REPOSITORY / 'src')]!r}\n"
            "from pincite.load.apart import Job, run\n"
            "def job(name, **more):\n"
            "    return Job(target=f'tests.unit.load.apart_jobs:{name}', file='a', timeout_s=60,"
            " max_memory_bytes=2**30, **more)\n"
            "print(*run(job('processes'), b'')[0], flush=True)\n"
            + (f"run(job('spins', arguments={arguments!r}), b'')" if busy else "time.sleep(60)")
        )
        parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert parent.stdout
        started = parent.stdout.readline().split()[1:]
        if busy:
            assert until(lambda: names.is_file() and len(names.read_text().split()) == 3)
            started += names.read_text().split()
        parent.kill()
        parent.wait()
        parent.stdout.close()
        assert gone(started)

    @FORKS
    def test_a_forked_process_has_servers_of_its_own(self) -> None:
        code = (
            "import os, sys\n"
            f"sys.path[:0] = {[str(REPOSITORY), str(REPOSITORY / 'src')]!r}\n"
            "from pincite.load.apart import Job, run\n"
            "job = Job(target='tests.unit.load.apart_jobs:processes', file='a', timeout_s=60, max_memory_bytes=2**30)\n"
            "((_, ours),) = run(job, b'')\n"
            "child = os.fork()\n"
            "if not child:\n"
            "    ((_, its),) = run(job, b'')\n"
            "    sys.exit(0 if its != ours else 1)\n"
            "_, status = os.waitpid(child, 0)\n"
            "((_, again),) = run(job, b'')\n"
            "print(status, again == ours)\n"
        )
        done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
        assert (done.stdout.split(), done.stderr) == (["0", "True"], "")


def until(condition: Any) -> bool:
    for _ in range(500):
        if condition():
            return True
        time.sleep(0.02)
    return False


def gone(processes: list[str]) -> bool:
    assert processes
    return until(lambda: not any(Path(f"/proc/{process}").exists() for process in processes))


class TestServer:
    """The other side alone, over pipes."""

    def ask(self, *jobs: tuple[dict[str, Any], bytes], cut: int = 0) -> tuple[bytes, int]:
        asked = b"".join(json.dumps({**one, "bytes": len(data)}).encode() + b"\n" + data for one, data in jobs)
        paths = [str(REPOSITORY), str(REPOSITORY / "src")]
        code = "import sys; sys.path[:0] = sys.argv[1:]; from pincite.load.apart_server import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code, *paths],
            input=asked[: len(asked) - cut],
            capture_output=True,
            check=False,
            start_new_session=True,
        )
        return done.stdout, done.returncode

    def frames(self, output: bytes) -> list[tuple[bytes, bytes]]:
        found = []
        while output:
            kind, length = apart_server.FRAME.unpack(output[: apart_server.FRAME.size])
            output = output[apart_server.FRAME.size :]
            found.append((kind, output[:length]))
            output = output[length:]
        return found

    def test_nothing_is_asked(self) -> None:
        assert self.ask() == (b"", 0)

    def test_half_a_job_is_none(self) -> None:
        one = {"target": "tests.unit.load.apart_jobs:echo", "arguments": {}, "timeout_s": 9, "max_memory_bytes": 0}
        assert self.ask((one, b"abc"), cut=1) == (b"", 0)

    @LINUX
    def test_when_nobody_asks_any_more_a_job_is_ended(self) -> None:
        """All that can come while a job runs is the end of the loading process."""
        one = {"target": "tests.unit.load.apart_jobs:spins", "arguments": {}, "timeout_s": 9, "max_memory_bytes": 0}
        output, code = self.ask((one, b""))
        assert (self.frames(output), code) == ([(apart_server.ACCEPTED, b"")], -signal.SIGKILL)

    @FORKS
    def test_without_work_it_ends(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(apart_server, "IDLE_S", 0.05)
        reader, writer = os.pipe()
        with os.fdopen(reader, "rb") as asked, os.fdopen(writer, "wb"):
            assert not apart_server.serve(asked, asked)

    def test_where_the_system_cannot_fork_one_job_is_all(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.delattr(os, "fork", raising=False)
        one = {
            "target": "tests.unit.load.apart_jobs:echo",
            "arguments": {"word": "here"},
            "timeout_s": 9,
            "max_memory_bytes": 0,
            "bytes": 2,
        }
        (tmp_path / "asked").write_bytes(json.dumps(one).encode() + b"\nab")
        output: IO[bytes]
        with (tmp_path / "asked").open("rb") as asked, (tmp_path / "told").open("wb") as output:
            assert not apart_server.serve(asked, output)
        kinds, contents = zip(*self.frames((tmp_path / "told").read_bytes()), strict=True)
        assert kinds == (apart_server.ACCEPTED, *[apart_server.PIECE] * 3, apart_server.ENDED)
        assert contents[1:] == (b'+"here"\n', b'+[2,"ab"]\n', b".\n", b'{"code": 0, "last": true}')

    @pytest.mark.parametrize("function", ["refuses", "fails", "nothing"])
    def test_an_answer_that_is_an_error(self, function: str) -> None:
        lines: list[bytes] = []
        asked = {"target": f"tests.unit.load.apart_jobs:{function}", "arguments": {}}
        assert apart_server.answer(asked, b"", lines.append) == 0
        assert lines[-1][:1] == b"!"
        assert set(json.loads(lines[-1][1:])) == {"kind", "problem", "cure"}

    def test_an_answer_that_there_is_no_memory_for(self) -> None:
        asked = {"target": "tests.unit.load.apart_jobs:has_no_memory", "arguments": {}}
        assert apart_server.answer(asked, b"", lambda piece: None) == apart_server.OUT_OF_MEMORY
