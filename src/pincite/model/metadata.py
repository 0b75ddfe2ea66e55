"""What is known of a document besides its text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MetadataValue = str | int | float | bool | tuple[str, ...]
Metadata = Mapping[str, MetadataValue]
"""Known keys: ``title``, ``date`` (ISO 8601), ``language`` (``de``, ``en``, …) and ``version`` are texts, ``authors``
and ``groups`` tuples of texts; any others are the user's own."""

TEXT_KEYS = ("title", "date", "language", "version")
LIST_KEYS = ("authors", "groups")
KNOWN_KEYS = TEXT_KEYS + LIST_KEYS
SYNONYMS = {"author": "authors", "group": "groups", "lang": "language"}


def known_key(key: str) -> str:
    """The known key that is meant, in whatever case it is written; a key of the user's own as it is.

    >>> known_key("Groups"), known_key("author"), known_key("Team")
    ('groups', 'authors', 'Team')
    """
    name = SYNONYMS.get(key.strip().lower(), key.strip().lower())
    return name if name in KNOWN_KEYS else key


def metadata_to_json(metadata: Metadata) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in sorted(metadata.items())}


def metadata_from_json(data: Mapping[str, Any]) -> dict[str, MetadataValue]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
