"""Text recognition by the program tesseract (Apache-2.0), which is no dependency: it has to be installed by itself."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.errors import LoadError
from pincite.load.apart import Job, run
from pincite.ports import Image, RecognisedWord

LANGUAGES = {
    "ar": "ara",
    "bg": "bul",
    "ca": "cat",
    "cs": "ces",
    "da": "dan",
    "de": "deu",
    "el": "ell",
    "en": "eng",
    "es": "spa",
    "et": "est",
    "fa": "fas",
    "fi": "fin",
    "fr": "fra",
    "he": "heb",
    "hi": "hin",
    "hr": "hrv",
    "hu": "hun",
    "is": "isl",
    "it": "ita",
    "ja": "jpn",
    "ko": "kor",
    "la": "lat",
    "lt": "lit",
    "lv": "lav",
    "nb": "nor",
    "nl": "nld",
    "nn": "nor",
    "no": "nor",
    "pl": "pol",
    "pt": "por",
    "ro": "ron",
    "ru": "rus",
    "sk": "slk",
    "sl": "slv",
    "sr": "srp",
    "sv": "swe",
    "th": "tha",
    "tr": "tur",
    "uk": "ukr",
    "vi": "vie",
    "zh": "chi_sim",
    "zh-Hans": "chi_sim",
    "zh-Hant": "chi_tra",
    "zh-TW": "chi_tra",
}
"""The names that tesseract has for languages; any other is passed on as it is."""

_DEFAULT_LANGUAGES = ("en",)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_/-]*")
_WORD_LEVEL = "5"
_MOST_BYTES = 2 * 1024**3


@dataclass(frozen=True, slots=True, kw_only=True)
class TesseractRecogniser:
    """Runs ``executable`` once for each image, for at most ``timeout_s`` seconds, on one core.

    Raises ``LoadError``: ``unsupported`` where the program or a language is not installed, ``too_large`` where the time
    is up, ``corrupt`` where it fails.
    """

    executable: str = "tesseract"
    timeout_s: float = 120.0
    name: str = "tesseract"

    def __post_init__(self) -> None:
        if not self.executable:
            raise ValueError("executable must name a program")
        if self.timeout_s <= 0:
            raise ValueError(f"timeout_s must be above 0, got {self.timeout_s}")

    def recognise(self, image: Image, languages: Sequence[str]) -> list[RecognisedWord]:
        names = "+".join(dict.fromkeys(map(language_name, languages or _DEFAULT_LANGUAGES)))
        command = [self.executable, "stdin", "stdout", "-l", names, "--dpi", str(image.dpi), "tsv"]
        job = Job(
            target="pincite.load.ocr.tesseract:run_program",
            file="",
            timeout_s=self.timeout_s,
            max_memory_bytes=_MOST_BYTES,
            arguments={"command": command, "languages": names},
        )
        (table,) = run(job, b"P5 %d %d 255\n" % (image.width, image.height) + image.pixels)
        return list(words_of(table))


def language_name(tag: str) -> str:
    """
    >>> language_name("de"), language_name("en-GB"), language_name("zh-Hant"), language_name("frk")
    ('deu', 'eng', 'chi_tra', 'frk')
    """
    name = LANGUAGES.get(tag) or LANGUAGES.get(tag.partition("-")[0]) or tag
    if not _NAME.fullmatch(name):  # it becomes an argument of a program
        cure = "Write languages as de, en or fr."
        raise LoadError(f"{tag!r} is no language of text recognition", cure=cure, kind="unsupported")
    return name


def run_program(arguments: Mapping[str, Any], data: bytes) -> Iterator[str]:
    """In the process apart, so that the program has its limits and ends with it: the table that it writes."""
    command = arguments["command"]
    try:
        done = subprocess.run(  # noqa: S603 - the program that the user has named, its arguments are checked
            command, input=data, capture_output=True, env={**os.environ, "OMP_THREAD_LIMIT": "1"}, check=False
        )
    except OSError as error:
        raise LoadError(
            f"the text recognition {command[0]!r} cannot be started ({error.strerror or error})",
            cure="Install it (Debian and Ubuntu: tesseract-ocr with tesseract-ocr-deu and so on), or name its path.",
            kind="unsupported",
        ) from error
    if done.returncode == 0:
        yield done.stdout.decode("utf-8", errors="replace")
        return
    said = " ".join(done.stderr.decode("utf-8", errors="replace").split())[:300]
    if "loading language" in said or "load any languages" in said:
        problem = f"the text recognition lacks a language ({arguments['languages']})"
        cure = "Install its data (Debian and Ubuntu: tesseract-ocr-deu and so on), or name others in ocr_languages."
        raise LoadError(problem, cure=cure, kind="unsupported")
    raise LoadError(
        f"the text recognition failed (exit code {done.returncode}: {said})", cure="Leave the file out.", kind="corrupt"
    )


def words_of(table: str) -> Iterator[RecognisedWord]:
    """The words of tesseract's table: a header row, then for each word level, page, block, paragraph, line, word, left,
    top, width, height, confidence in per cent, text."""
    lines: dict[tuple[str, ...], int] = {}
    for row in table.splitlines():
        cells = row.split("\t")
        if len(cells) < 12 or cells[0] != _WORD_LEVEL:
            continue
        left, top, width, height = map(int, cells[6:10])
        line = lines.setdefault(tuple(cells[1:5]), len(lines) + 1)
        confidence = min(max(float(cells[10]) / 100, 0.0), 1.0)
        for text in "\t".join(cells[11:]).split():
            if width > 0 and height > 0:
                yield RecognisedWord(
                    text=text,
                    x0=left,
                    top=top,
                    x1=left + width,
                    bottom=top + height,
                    confidence=confidence,
                    line=line,
                )
