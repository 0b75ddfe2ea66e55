"""Every embedder of the catalogue keeps its promises."""

from __future__ import annotations

import pytest

from pincite import catalogue
from pincite.testing.embedders import check_embedder


@pytest.mark.parametrize("name", catalogue.names("embed"))
def test_embedder(name: str) -> None:
    check_embedder(name)


def test_embedder_with_options() -> None:
    check_embedder("hashing", {"dimension": 31})
    check_embedder("use", {"batch_size": 3})
