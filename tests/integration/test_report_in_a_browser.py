"""The page of ``compare --html`` as a browser shows it: from disk without any request, on a phone, on paper."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

TOPICS = tuple(f"topic{number}" for number in range(12))
STRATEGIES = ("structure", "structure:max_tokens=40,min_tokens=0", "tokens:max_tokens=60", "characters", "sentences")
FACT = "The {} of number 7 lives 10 minutes, and <b>not</b> longer."
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five ways of cutting twelve documents, a question about each."""
    home = tmp_path_factory.mktemp("report")
    docs = home / "docs"
    docs.mkdir()
    (docs / "pincite.toml").write_text('[embed]\nname = "hashing"\n', encoding="utf-8")
    asked: list[dict[str, Any]] = [{"id": "none", "question": "Who won the cup?", "relevant": []}]
    for topic in TOPICS:
        told = [f"The {topic} of number {n} lives {n + 3} minutes here and there." for n in range(30)]
        told[7] = FACT.format(topic)
        (docs / f"{topic}.md").write_text(f"# {topic}\n\n" + "\n\n".join(told), encoding="utf-8")
        quote = {"document": f"{topic}.md", "text": told[7]}
        asked.append({"id": topic, "question": f"How long does {topic} of number 7 live?", "relevant": [quote]})
    questions = home / "questions.jsonl"
    questions.write_text("".join(json.dumps(each) + "\n" for each in asked), encoding="utf-8")
    cuts = [word for name in STRATEGIES for word in ("--strategy", name)]
    command = [sys.executable, "-m", "pincite", "compare", str(docs), "--questions", str(questions), *cuts]
    page = home / "r.html"
    files = ["--cache", str(home / "cache"), "--html", str(page), "--metric", "recall@60t"]
    subprocess.run([*command, *files], check=True, capture_output=True)
    return page


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def opened(browser: Any, report: Path) -> Iterator[Any]:
    """Opens the report in a window of that width; nothing but the file itself may be asked for, and nothing fail."""
    contexts = []
    requests: list[str] = []
    problems: list[str] = []

    def open_at(width: int, **more: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 844}, **more)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: problems.append(message.text))
        page.goto(report.as_uri())
        return page

    yield open_at
    for context in contexts:
        context.close()
    assert set(requests) == {report.as_uri()}
    assert problems == []


def test_each_question_shows_what_was_found_and_missed(opened: Any) -> None:
    page = opened(1280)
    question = page.locator("details:not(.passages)", has_text="topic3 of number 7").first
    assert not question.locator(".gold").first.is_visible()
    question.locator("summary").first.click()
    gold = question.locator(".gold").first
    assert gold.locator("mark").inner_text() == FACT.format("topic3")
    assert "topic3.md line 17" in gold.inner_text()
    told = question.locator(".findings tr").all_inner_texts()
    assert len(told) == len(STRATEGIES)
    assert all("found at rank" in each or "missed" in each for each in told)
    passages = question.locator("details.passages").nth(1)
    passages.locator("summary").click()
    found = passages.locator(".passage.found").first
    assert FACT.format("topic3") in found.locator("mark").first.inner_text()
    assert page.evaluate(WIDE) == 0


def test_on_a_phone_nothing_sticks_out(opened: Any) -> None:
    page = opened(390, is_mobile=True, has_touch=True)
    for summary in page.locator("details:not(.passages) > summary").all()[:3]:
        assert summary.bounding_box()["height"] >= 40  # a finger hits it
        summary.tap()
    assert page.evaluate(WIDE) == 0
    assert page.locator(".narrow svg").first.is_visible()
    assert not page.locator(".broad svg").first.is_visible()
    sizes = page.evaluate("() => [...document.querySelectorAll('p, li, td, .gold, svg text')]"
                          ".filter(each => each.checkVisibility())"
                          ".map(each => parseFloat(getComputedStyle(each).fontSize))")  # fmt: skip
    assert min(sizes) >= 12


def test_on_paper_everything_is_open_and_nothing_is_cut(opened: Any) -> None:
    page = opened(794)  # A4 at 96 dots to the inch
    page.emulate_media(media="print")
    for gold in page.locator(".gold").all():
        assert gold.is_visible()
    assert page.locator(".findings").count() == len(TOPICS)
    cut = "() => [...document.querySelectorAll('.wide')].filter(each => each.scrollWidth > each.clientWidth).length"
    assert page.evaluate(cut) == 0
    assert page.evaluate(WIDE) == 0
    assert page.evaluate("() => getComputedStyle(document.querySelector('mark')).printColorAdjust") == "exact"
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_in_the_dark_texts_can_be_read(opened: Any) -> None:
    page = opened(1280, color_scheme="dark")
    ink, paper = page.evaluate(
        "() => { const of = getComputedStyle(document.body); return [of.color, of.backgroundColor] }"
    )
    assert (ink, paper) == ("rgb(230, 233, 238)", "rgb(22, 26, 33)")
