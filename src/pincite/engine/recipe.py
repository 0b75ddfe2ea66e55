"""What an index was made with, and what has changed since.

A recipe is JSON that the store keeps: how documents are cut, which metadata go into their chunks, who embeds and who
analyses. Components are compared by name, options and ``algorithm``, a number in their class (1 without one) that is
raised when the same options give another result, and never by pincite's version.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from typing import Any

from pincite import catalogue
from pincite.config import Component, Settings
from pincite.ports import Analyser, Embedder

SETTING = "recipe"
Recipe = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a recipe says of an embedder that has not been made."""

    fingerprint: str
    max_tokens: int | None


def recipe_of(settings: Settings, embedder: Embedder | Known, analyser: Analyser) -> Recipe:
    return {
        "chunk": described(settings.chunk),
        "chunk_for": [{"glob": rule.glob, **described(rule.chunk)} for rule in settings.chunk_rules],
        "embed": name_and_options(settings.embed),
        "embedder": embedder.fingerprint,
        "max_tokens": embedder.max_tokens,
        "embed_metadata": list(settings.embed_metadata),
        "analyser": analyser.fingerprint,
    }


def name_and_options(component: Component) -> dict[str, Any]:
    """What makes the component again."""
    return {"name": component.name, "options": dict(component.options)}


def described(component: Component) -> dict[str, Any]:
    """``embedder`` is that by which a strategy cuts, if there is one."""
    made = component.create()
    embedder = getattr(made, "embedder", "")
    return {
        "name": component.name,
        "options": options_of(made),
        "algorithm": algorithm_of(made),
        "embedder": catalogue.create("embed", embedder).fingerprint if embedder else "",
    }


def options_of(made: Any) -> dict[str, Any]:
    """The options of a component as JSON has them, those that it was given and the defaults."""
    if not is_dataclass(made) or isinstance(made, type):
        return {}
    public = {name: value for name, value in asdict(made).items() if not name.startswith("_") and name != "name"}
    result: dict[str, Any] = json.loads(json.dumps(public, sort_keys=True, default=sorted))
    return result


def algorithm_of(made: Any) -> int:
    return int(getattr(type(made), "algorithm", 1))


def differences(made_with: Recipe, settings: Settings, now: Recipe) -> list[str]:
    """In words what is not as it was; nothing when no document has to be made anew."""
    found = []
    if made_with.get("embedder") != now["embedder"]:
        found.append(f"the index was made with the embedder {made_with.get('embedder')}, not with {now['embedder']}")
    elif made_with.get("max_tokens") != now["max_tokens"]:
        found.append(f"the embedder reads {now['max_tokens']} tokens of a text, not {made_with.get('max_tokens')}")
    found.extend(_component_differences("[chunk] ", made_with.get("chunk", {}), now["chunk"], settings.chunk))
    before, after = made_with.get("chunk_for", []), now["chunk_for"]
    if [rule.get("glob") for rule in before] != [rule["glob"] for rule in after]:
        found.append("other files have a strategy of their own in [[chunk.for]]")
    else:
        for old, new, rule in zip(before, after, settings.chunk_rules, strict=True):
            found.extend(_component_differences(f"[[chunk.for]] {rule.glob}: ", old, new, rule.chunk))
    if made_with.get("embed_metadata") != now["embed_metadata"]:
        found.append(f"[embed] metadata is {now['embed_metadata']}, it was {made_with.get('embed_metadata')}")
    if made_with.get("analyser") != now["analyser"]:
        found.append("words are analysed in another way")
    return found


def _component_differences(where: str, old: Recipe, new: Recipe, component: Component) -> list[str]:
    if old.get("name") != new["name"]:
        return [f"{where}strategy is {new['name']!r}, it was {old.get('name')!r}"]
    if old.get("algorithm") != new["algorithm"]:
        return [f"{where}the strategy {new['name']!r} of this version of pincite cuts in another way"]
    if old.get("embedder", "") != new["embedder"]:
        was = old.get("embedder")
        return [f"{where}the embedder that {new['name']!r} cuts by is {new['embedder']!r}, it was {was!r}"]
    options = old.get("options", {})
    defaults = _defaults(component.create())
    return [
        f"{where}{name} is {value!r}, it was {options[name]!r}"
        if name in options
        else f"{where}{name} is {value!r}, there was no such option"
        for name, value in new["options"].items()
        # An option that is new in this version cuts as before while it has its default.
        if (options[name] != value if name in options else defaults.get(name, MISSING) != value)
    ]


def _defaults(made: Any) -> dict[str, Any]:
    """Of the options that have a plain default."""
    declared = fields(made) if is_dataclass(made) else ()
    return {field.name: field.default for field in declared if field.default is not MISSING}


def fingerprint(*parts: Any) -> str:
    """A short hash of JSON values."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
