"""What can be chosen when a collection is tuned: ways of cutting, their sizes and details, ways of searching."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import PurePath
from statistics import quantiles
from typing import Any

from pincite import catalogue
from pincite.config import Component, Settings, parse_settings
from pincite.model import MODES, Document, Mode
from pincite.ports import Counter

UNIT = "o200k_base"
MATTERS = 1.3
"""Counters are worth a try where one token is that many times as many words in some documents as in others."""
LEXICAL_WEIGHTS = (0.1, 0.3, 0.5, 0.7)
"""Of the fusion ``minmax``."""
WORDS = (0.5, 0.25, 2.0)
"""How many times as much words count in the fusion ``context``."""
SIZES: Mapping[str, Sequence[int]] = {
    "structure": (100, 200, 400, 150, 300, 75, 600),
    "sentences": (200, 400, 100),
    "tokens": (150, 300, 500),
    "recursive": (200, 400, 800),
    "hierarchy": (128, 200, 64),
    "adaptive": (200, 400),
    "semantic": (200, 400),
    "code": (200, 400),
}
"""``max_tokens`` to begin with, those first that are most likely good: time may be short."""
WITHOUT_SIZE = ("sections", "headings-capped")
STEPS = (0.75, 1.35)
"""Sizes beside a good one, times its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What tuning may set: how documents are cut, and how both searches are joined."""

    chunk: Component
    fusion: Component
    mode: Mode

    @classmethod
    def of(cls, settings: Settings) -> Choice:
        return cls(chunk=settings.chunk, fusion=settings.fusion, mode=settings.mode)

    @property
    def label(self) -> str:
        """As ``--strategy`` reads it, with the search behind: ``tokens:max_tokens=200, dense``."""
        if self.mode != "hybrid":
            return f"{_written(self.chunk)}, {self.mode}"
        fusion = "" if self.fusion == Component.default("fusion") else f", {_written(self.fusion)}"
        return f"{_written(self.chunk)}{fusion}"

    def written(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The data of ``pincite.toml`` with this choice in it; what it says already stays as it is."""
        present = parse_settings(data)
        result = dict(data)
        if self.chunk != present.chunk:
            others = {name: value for name, value in data.get("chunk", {}).items() if name == "for"}
            result["chunk"] = {"strategy": self.chunk.name, **self.chunk.options, **others}
        search = dict(data.get("search", {}))
        if self.fusion != present.fusion:
            for name in present.fusion.options:
                search.pop(name, None)
            named = {} if self.fusion.name == present.fusion.name else {"fusion": self.fusion.name}
            search.update({**named, **self.fusion.options})
        if self.mode != present.mode:
            search["mode"] = self.mode
        if search != data.get("search", {}):
            result["search"] = search
        return result


def first_choices(present: Choice, documents: Mapping[str, Document]) -> list[Choice]:
    """Every strategy in several sizes, searched as at present."""
    has_code = any(_suffix(name) in _suffixes_of("code") for name in documents)
    sizes = {name: values for name, values in SIZES.items() if name != "code" or has_code}
    cuts = [
        Component("chunk", name, {"max_tokens": values[number]})
        for number in range(max(map(len, sizes.values())))
        for name, values in sizes.items()
        if number < len(values)
    ]
    cuts[len(sizes) : len(sizes)] = [Component("chunk", name) for name in WITHOUT_SIZE]
    return [replace(present, chunk=cut) for cut in cuts]


def other_searches(choice: Choice) -> list[Choice]:
    """The same chunks searched in other modes and with other weights."""
    kept = {name: choice.fusion.options if choice.fusion.name == name else {} for name in ("context", "minmax")}
    around = Component("fusion", "context", kept["context"])
    made = around.create()
    words = [{name: times * getattr(made, name) for name in ("words", "window")} for times in WORDS]
    joined = [
        around,
        *(Component("fusion", "context", {**kept["context"], **weights}) for weights in words),
        *(Component("fusion", "minmax", {**kept["minmax"], "lexical_weight": weight}) for weight in LEXICAL_WEIGHTS),
        Component("fusion", "rrf"),
    ]
    return [
        *(replace(choice, fusion=fusion, mode="hybrid") for fusion in joined),
        *(replace(choice, mode=mode) for mode in MODES if mode != "hybrid"),
    ]


def neighbours(choice: Choice, counters: Mapping[str, float]) -> list[Choice]:
    """Choices that differ in one option of their cutting. ``counters`` as of ``counters_that_matter``."""
    made = choice.chunk.create()
    options = {each.name: getattr(made, each.name) for each in fields(made) if each.init}
    found = [{**choice.chunk.options, **changed} for changed in _changes(options, counters)]
    return [replace(choice, chunk=Component("chunk", choice.chunk.name, each)) for each in found]


def _changes(options: Mapping[str, Any], counters: Mapping[str, float]) -> Iterator[dict[str, Any]]:
    size = options.get("max_tokens")
    if size:
        yield from ({"max_tokens": _rounded(size * step)} for step in STEPS)
    if size and "min_tokens" in options:
        yield from ({"min_tokens": least} for least in (0, size // 2) if least != options["min_tokens"])
    if size and "overlap_tokens" in options:
        overlaps = (0, size // 8, size // 4)
        yield from ({"overlap_tokens": most} for most in overlaps if most != options["overlap_tokens"])
    if "heading_prefix" in options:
        prefixes = ("path", "own", "off")
        yield from ({"heading_prefix": prefix} for prefix in prefixes if prefix != options["heading_prefix"])
    if size and options.get("counter") == UNIT:
        for name, ratio in counters.items():
            sizes = ("max_tokens", "min_tokens", "overlap_tokens", "preferred_tokens", "parent_tokens")
            scaled = {each: _rounded(options[each] * ratio) for each in sizes if options.get(each)}
            yield {"counter": name, **scaled}
    if "max_characters" in options:
        yield from ({"max_characters": _rounded(options["max_characters"] * step)} for step in STEPS)


def counters_that_matter(
    documents: Iterable[Document], names: Sequence[str] = ("words", "characters")
) -> dict[str, float]:
    """How many of each unit one token is on average, where that differs so much between documents that the unit decides
    which chunks are large: prose beside code, or one language beside another."""
    tokens: Counter = catalogue.create("counter", UNIT)
    texts = [(document.text, count) for document in documents if (count := tokens.count(document.text))]
    total = sum(count for _, count in texts)
    found = {}
    for name in names:
        counter: Counter = catalogue.create("counter", name)
        counts = [(counter.count(text), count) for text, count in texts]
        ratios = [units / count for units, count in counts if units]
        if len(ratios) > 1:
            low, *_, high = quantiles(ratios, n=10, method="inclusive")
            if high > MATTERS * low:
                found[name] = sum(units for units, _ in counts) / total
    return found


def _rounded(size: float) -> int:
    """To two digits, as people write sizes.

    >>> _rounded(270.4), _rounded(97.2), _rounded(7.4)
    (270, 97, 7)
    """
    digits = len(str(int(size))) - 2
    return max(int(round(size, -max(digits, 0))), 1)


def _written(component: Component) -> str:
    given = ",".join(
        f"{name}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=dict)}"
        for name, value in component.options.items()
    )
    return f"{component.name}:{given}" if given else component.name


def _suffix(name: str) -> str:
    return PurePath(name).suffix.lower()


def _suffixes_of(loader: str) -> frozenset[str]:
    return frozenset(suffix for row in catalogue.rows("load") if row.name == loader for suffix in row.suffixes)
