"""What the style sheets inside a page say about its elements, as far as simple selectors tell.

Read are rules for elements, classes, ids and several of them together (``p.note#a``), also in ``@media screen``. Rules
with other selectors or under other conditions count only as doubts: an element that one of them may show is shown.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

Declarations = dict[str, str]
"""Values by property, both in lower case; a value that ends with ``!important`` keeps that."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BRACE = re.compile(r"([^{}]*)([{}])")
_PART = re.compile(r"([.#]?)(-?[a-z_][\w-]*|\*)", re.IGNORECASE)
_COMPOUND = re.compile(r"(?:\*|-?[a-z_][\w-]*)?(?:[.#]-?[a-z_][\w-]*)*", re.IGNORECASE)
_SUBJECT = re.compile(r"[^\s>+~]+\Z")
_ALWAYS = frozenset({"screen", "all", "only screen"})
_CONDITIONS = ("@media", "@supports", "@layer", "@container", "@scope")
_LONGEST_SELECTOR = 2_000
_MOST_RULES = 500  # for one class, so that a page cannot have every element compared with every rule
IMPORTANT = "!important"


@dataclass(frozen=True, slots=True)
class Rule:
    """``parts`` are what an element has to have: ``p``, ``.note``, ``#a``. ``rank`` says how much the rule weighs."""

    parts: frozenset[str]
    rank: tuple[int, int, int, int]
    declarations: Declarations


@dataclass(slots=True)
class Sheets:
    """``doubts`` have the properties that rules may set whose conditions cannot be told, by any part of their last
    element; ``values`` those and what rules for several parts set, with the values."""

    rules: dict[str, list[Rule]] = field(default_factory=lambda: defaultdict(list))
    doubts: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    values: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    _count: int = 0

    def add(self, text: str, wanted: frozenset[str], *, doubtful: bool = False) -> None:
        """Only declarations of the properties ``wanted`` are kept. ``doubtful`` says that the sheet holds under
        conditions only."""
        said = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(wanted)))})\s*:[^;]*", re.IGNORECASE)
        for selectors, body, conditional in _blocks(without_comments(text)):
            declarations = declared(";".join(said.findall(body)))
            if not declarations or len(selectors) > _LONGEST_SELECTOR:
                continue
            for selector in selectors.split(","):
                self._add(selector.strip(), declarations, doubtful=doubtful or conditional)

    def _add(self, selector: str, declarations: Declarations, *, doubtful: bool) -> None:
        self._count += 1
        simple = _COMPOUND.fullmatch(selector) is not None
        subject = None if simple else _SUBJECT.search(selector)
        last = subject.group().partition(":")[0] if subject else selector
        parts = frozenset(sign + (name if sign else name.lower()) for sign, name in _PART.findall(last)) - {"*"}
        if simple and not doubtful:
            ids, classes = (sum(part[0] == sign for part in parts) for sign in "#.")
            rule = Rule(parts, (ids, classes, len(parts) - ids - classes, self._count), declarations)
            bucket = self.rules[min(parts, key=self._load, default="*")]
            bucket.append(rule)
            if len(bucket) > _MOST_RULES:
                del bucket[0]
        else:
            for part in parts:
                self.doubts[part].update(declarations)
        if doubtful or not simple or len(parts) > 1:
            for part in parts:
                for name, value in declarations.items():
                    self.values[part, name].add(value.removesuffix(IMPORTANT).strip())

    def _load(self, part: str) -> tuple[int, int, str]:
        """Rules wait where the fewest do, at names of elements last."""
        return (part[0] not in ".#", len(self.rules[part]) if part in self.rules else 0, part)

    def knows(self, part: str) -> bool:
        return part in self.rules or part in self.doubts

    def matching(self, parts: frozenset[str]) -> list[Rule]:
        """Those that are for an element with those parts, the weightiest last."""
        found = [
            rule for part in (*parts, "*") if part in self.rules for rule in self.rules[part] if rule.parts <= parts
        ]
        return sorted(found, key=lambda rule: rule.rank)

    def doubted(self, parts: Iterable[str]) -> set[str]:
        """The properties that rules may set of an element with those parts, now or at another time."""
        return set().union(*(self.doubts[part] for part in parts if part in self.doubts))


def without_comments(text: str) -> str:
    return _COMMENT.sub("", text)


def parts_of(name: str, attributes: Mapping[str, str | None]) -> frozenset[str]:
    """What selectors may ask of an element."""
    parts = {name, *(f".{own}" for own in (attributes.get("class") or "").split())}
    if own_id := attributes.get("id"):
        parts.add(f"#{own_id}")
    return frozenset(parts)


def declared(body: str) -> Declarations:
    """The declarations between the braces of a rule, or in a style attribute; of several for one property the last.

    >>> declared("Color: #FFF; font-size :0 !important;")
    {'color': '#fff', 'font-size': '0!important'}
    """
    found: Declarations = {}
    for piece in body.lower().split(";"):
        name, colon, value = piece.partition(":")
        if colon:
            name, value = name.strip(), " ".join(value.split()).replace(" !", "!").replace("! ", "!")
            if not found.get(name, "").endswith(IMPORTANT) or value.endswith(IMPORTANT):
                found[name] = value
    return found


def _blocks(text: str) -> Iterator[tuple[str, str, bool]]:
    """The selectors and declarations of each rule, and whether it holds under conditions only."""
    open_blocks: list[str] = []  # "rule", "always", "condition" or "none"
    selectors = ""
    for match in _BRACE.finditer(text):
        piece, brace = match.groups()
        if brace == "{":
            prelude = piece.rpartition(";")[2].strip()
            above = open_blocks[-1] if open_blocks else "always"
            if above in ("rule", "none"):
                kind = "none"
            elif prelude.startswith("@"):
                kind = _kind_of(prelude)
            else:
                kind, selectors = "rule", prelude
            open_blocks.append(kind)
        elif open_blocks and open_blocks.pop() == "rule":
            yield selectors, piece, "condition" in open_blocks


def _kind_of(prelude: str) -> str:
    name, _, condition = prelude.lower().partition(" ")
    if name not in _CONDITIONS or "print" in condition:
        return "none"
    return "always" if name == "@media" and condition.strip() in _ALWAYS else "condition"
