"""One wording for files that are too large and for options that cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from pincite import catalogue
from pincite.errors import LoadError
from pincite.load.limits import at_least_one, check_size
from pincite.model import Source

LOADERS = [row.name for row in catalogue.rows("load")]


def test_a_file_of_the_limit_is_taken_and_a_larger_one_named() -> None:
    check_size(Source("a.csv", b"x" * 2000), 2000)
    with pytest.raises(LoadError) as caught:
        check_size(Source("a.csv", b"x" * 2001), 2000, loader="csv")
    assert (caught.value.kind, caught.value.file) == ("too_large", "a.csv")
    problem = "the file has 2,001 bytes, more than 2,000 (max_bytes)"
    assert str(caught.value) == f"a.csv: {problem}. Split the file, or raise max_bytes of the loader 'csv'."


@pytest.mark.parametrize("name", LOADERS)
def test_every_loader_refuses_a_file_that_is_too_large(name: str) -> None:
    loader: Any = catalogue.create("load", name, {"max_bytes": 10})
    with pytest.raises(LoadError, match="max_bytes") as caught:
        loader.load(Source("a", b"words and words"))
    assert (caught.value.kind, caught.value.file) == ("too_large", "a")


@pytest.mark.parametrize("name", LOADERS)
def test_no_limit_is_below_one(name: str) -> None:
    with pytest.raises(ValueError, match="max_bytes"):
        type(catalogue.create("load", name))(max_bytes=0)


def test_an_option_is_named_with_its_value() -> None:
    class Options:
        max_cells = 0

    with pytest.raises(ValueError, match="max_cells must be at least 1, got 0"):
        at_least_one(Options(), "max_cells")
