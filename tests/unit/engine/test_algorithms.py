"""A strategy that cuts in another way says so by its number ``algorithm``, or no index would be made anew."""

from __future__ import annotations

import json

import pytest
from tools.update_algorithms import FILE, algorithms


@pytest.fixture(scope="module")
def now() -> dict[str, dict[str, int | str]]:
    return algorithms()


def test_what_cuts_in_another_way_has_another_number(now: dict[str, dict[str, int | str]]) -> None:
    recorded = json.loads(FILE.read_text(encoding="utf-8"))
    changed = [name for name in now if now[name] != recorded.get(name)]
    assert not changed, f"{changed} cut in another way: raise `algorithm`, then run tools/update_algorithms.py"
    assert recorded.keys() == now.keys()


def test_the_sample_tells_strategies_apart(now: dict[str, dict[str, int | str]]) -> None:
    assert len({entry["digest"] for entry in now.values()}) == len(now)
