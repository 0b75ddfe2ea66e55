"""Every store of the catalogue keeps its promises."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from pincite import catalogue
from pincite.model import Scored
from pincite.ports import Store
from pincite.testing.stores import CHECKS, check_ranking, check_store

KEEPING = {"path", "create", "lock_timeout_s"}
"""The options of a store that keeps what it is given."""


def maker(name: str, folder: Path) -> tuple[Callable[[], Store], Callable[[Any], Store] | None]:
    keeps = set(catalogue.option_types(catalogue.load_target(catalogue.find("store", name)))) >= KEEPING
    numbers = count()

    def make() -> Store:
        path = folder / f"{next(numbers)}" / ".pincite"
        options = {"path": path, "create": True, "lock_timeout_s": 0.1} if keeps else {}
        store: Store = catalogue.create("store", name, options)
        return store

    def reopen(store: Any) -> Store:
        again: Store = catalogue.create("store", name, {"path": store.path, "lock_timeout_s": 0.1})
        return again

    return make, reopen if keeps else None


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", catalogue.names("store"))
def test_store(name: str, check: Callable[..., None], tmp_path: Path) -> None:
    check(*maker(name, tmp_path))


def test_all_checks_at_once(tmp_path: Path) -> None:
    check_store(*maker("memory", tmp_path))


@pytest.mark.parametrize(
    ("found", "limit"),
    [
        ([Scored("a", 2.0)], 2),
        ([Scored("a", 2.0), Scored("c", 1.0), Scored("d", 9.0)], 3),
        ([Scored("a", 2.5), Scored("b", 1.0)], 2),
        ([Scored("b", 1.0), Scored("a", 2.0)], 2),
        ([Scored("c", 1.0), Scored("b", 1.0), Scored("a", 2.0)], 3),
        ([Scored("b", 1.0), Scored("c", 1.0)], 2),
        ([Scored("a", 2.0), Scored("a", 2.0)], 2),
    ],
    ids=["too few", "unknown", "score", "order", "tie", "better left out", "twice"],
)
def test_the_kit_notices_a_wrong_ranking(found: list[Scored], limit: int) -> None:
    with pytest.raises(AssertionError):
        check_ranking(found, {"a": 2.0, "b": 1.0, "c": 1.0}, limit)
