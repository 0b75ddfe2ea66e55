"""The adapter for the program tesseract: its table, its languages, and what goes wrong."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import LoadError
from pincite.load.ocr.tesseract import TesseractRecogniser, language_name, run_program, words_of
from pincite.ports import Image, RecognisedWord

WHITE = Image(width=40, height=20, dpi=300, pixels=b"\xff" * 800)
HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"


def refusal(recogniser: TesseractRecogniser, languages: tuple[str, ...] = ()) -> LoadError:
    with pytest.raises(LoadError) as caught:
        recogniser.recognise(WHITE, languages)
    assert not caught.value.file
    return caught.value


def test_the_words_of_the_table() -> None:
    rows = [
        "4\t1\t1\t1\t1\t0\t10\t20\t90\t12\t-1\t",
        "5\t1\t1\t1\t1\t1\t10\t20\t40\t12\t96.5\tTwo",
        "5\t1\t1\t1\t1\t2\t60\t20\t40\t12\t-1\twords",
        "5\t1\t1\t1\t2\t1\t10\t40\t0\t12\t50\tflat",
        "5\t1\t1\t1\t2\t2\t10\t40\t9\t12\t50\t ",
        "5\t1\t2\t1\t1\t1\t10\t60\t9\t12\t120\ta\tb",
        "cut off",
    ]
    words = list(words_of(HEAD + "\n".join(rows)))
    assert words == [
        RecognisedWord(text="Two", x0=10, top=20, x1=50, bottom=32, confidence=0.965, line=1),
        RecognisedWord(text="words", x0=60, top=20, x1=100, bottom=32, confidence=0.0, line=1),
        RecognisedWord(text="a", x0=10, top=60, x1=19, bottom=72, confidence=1.0, line=3),
        RecognisedWord(text="b", x0=10, top=60, x1=19, bottom=72, confidence=1.0, line=3),
    ]
    assert not list(words_of(""))


@pytest.mark.parametrize("tag", ["", "../eng", "-x", "de eng", "eng;ls"])
def test_a_language_that_is_none(tag: str) -> None:
    with pytest.raises(LoadError, match="no language"):
        language_name(tag)


def test_a_program_that_is_not_there() -> None:
    error = refusal(TesseractRecogniser(executable="no-such-program"))
    assert (error.kind, "cannot be started" in error.problem, "Install it" in error.cure) == ("unsupported", True, True)


@pytest.mark.skipif(os.name != "posix", reason="the programs of this test are shell scripts")
class TestPrograms:
    def script(self, folder: Path, body: str) -> str:
        file = folder / "program"
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return str(file)

    def test_what_it_is_called_with(self, tmp_path: Path) -> None:
        seen = tmp_path / "seen"
        program = self.script(tmp_path, f'echo "$@" "$OMP_THREAD_LIMIT" > {seen}; wc -c >> {seen}')
        assert TesseractRecogniser(executable=program).recognise(WHITE, ["de-AT", "en", "de"]) == []
        assert seen.read_text().split() == ["stdin", "stdout", "-l", "deu+eng", "--dpi", "300", "tsv", "1", "813"]

    def test_it_fails(self, tmp_path: Path) -> None:
        error = refusal(TesseractRecogniser(executable=self.script(tmp_path, "echo bad luck >&2; exit 7")))
        assert (error.kind, "exit code 7: bad luck" in error.problem) == ("corrupt", True)

    def test_in_this_process(self, tmp_path: Path) -> None:
        command = {"command": [self.script(tmp_path, "cat")], "languages": "eng"}
        assert list(run_program(command, b"Words\xff")) == ["Words\ufffd"]
        for body, kind in (("exit 3", "corrupt"), ("echo Failed loading language >&2; exit 1", "unsupported")):
            with pytest.raises(LoadError) as caught:
                list(run_program({"command": [self.script(tmp_path, body)], "languages": "eng"}, b""))
            assert caught.value.kind == kind
        with pytest.raises(LoadError, match="cannot be started"):
            list(run_program({"command": [str(tmp_path / "none")], "languages": "eng"}, b""))

    def test_it_takes_too_long(self, tmp_path: Path) -> None:
        recogniser = TesseractRecogniser(executable=self.script(tmp_path, "sleep 60"), timeout_s=0.5)
        error = refusal(recogniser)
        assert (error.kind, "0.5 seconds" in error.problem) == ("too_large", True)


@pytest.mark.skipif(not shutil.which("tesseract"), reason="the program tesseract is not installed")
class TestProgram:
    def test_an_image_without_text(self) -> None:
        assert TesseractRecogniser().recognise(WHITE, ()) == []

    def test_a_language_that_it_has_not(self) -> None:
        error = refusal(TesseractRecogniser(), ("xx",))
        assert (error.kind, "(xx)" in error.problem, "ocr_languages" in error.cure) == ("unsupported", True, True)


def test_options() -> None:
    wrong: list[dict[str, Any]] = [{"executable": ""}, {"timeout_s": 0.0}]
    for options in wrong:
        with pytest.raises(ValueError, match="must"):
            TesseractRecogniser(**options)
