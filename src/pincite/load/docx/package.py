"""The parts of a package and their relations. Names are looked up in the archive and are never paths."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from pincite.errors import LoadError
from pincite.load.archive import OPEN_AND_SAVE, Archive
from pincite.load.docx.tags import W, rename_strict
from pincite.load.signatures import misnamed
from pincite.load.xml import Element, parse_xml

_ROOTS = (W + "document",)
_USUAL_MAIN = "word/document.xml"


@dataclass(frozen=True, slots=True)
class Package:
    """A Word document's archive, the name of its main part and, by kind, the names of the parts that belong to it.

    A kind is the last word of a relation's type: ``styles``, ``numbering``, ``footnotes``, ``core-properties``, …
    """

    archive: Archive
    main: str
    related: dict[str, str]

    def body(self) -> Element:
        """The content of the main part; ``unsupported`` when that is no Word document."""
        root = self._root(self.main)
        if root.tag not in _ROOTS:
            raise _not_word(self.archive)
        body = root.find(W + "body")
        if body is None:
            raise LoadError("the document has no body", cure=OPEN_AND_SAVE, kind="corrupt", file=self.archive.path)
        return body

    def part(self, kind: str) -> Element | None:
        """The root of the related part of that kind, ``None`` without one."""
        name = self.related.get(kind)
        return None if name is None else self._root(name)

    def _root(self, name: str) -> Element:
        root = parse_xml(self.archive.read(name), path=self.archive.path, part=name)
        rename_strict(root)
        return root


def open_package(archive: Archive) -> Package:
    """Raises ``LoadError``: ``unsupported`` where the archive has no main part."""
    names = {_folded(name): name for name in archive.names}
    top = dict(_relations(archive, names, ""))
    main = top.get("officeDocument") or names.get(_USUAL_MAIN)
    if main is None:
        raise _not_word(archive)
    related = dict(_relations(archive, names, main))
    return Package(archive, main, {**top, **related})


def _relations(archive: Archive, names: dict[str, str], source: str) -> Iterator[tuple[str, str]]:
    """Kinds and names of the members that a part is related to; those of the package for the empty name."""
    folder, base = posixpath.split(source)
    name = names.get(_folded(posixpath.join(folder, "_rels", f"{base}.rels")))
    if name is None:
        return
    for relation in parse_xml(archive.read(name), path=archive.path, part=name).iter("{*}Relationship"):
        if relation.get("TargetMode") == "External":
            continue
        target = posixpath.normpath(posixpath.join("/", folder, relation.get("Target", "")))
        member = names.get(_folded(target)) or names.get(_folded(unquote(target)))
        if member is not None:
            yield relation.get("Type", "").rpartition("/")[2], member


def _folded(name: str) -> str:
    """Names of parts differ in more than case, and some programs write them with backslashes."""
    return name.replace("\\", "/").lstrip("/").casefold()


def _not_word(archive: Archive) -> LoadError:
    return misnamed(archive.source) or LoadError(
        "the archive is no Word document",
        cure="Give it the file ending of what it is.",
        kind="unsupported",
        file=archive.path,
    )
