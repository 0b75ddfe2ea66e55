"""What the archive of a workbook says besides its cells, looked at before they are read in a process of their own."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pincite.load.archive import Archive, Limits, is_encrypted, open_archive
from pincite.load.normalise import one_line
from pincite.load.office_properties import core_metadata
from pincite.load.sheet_gaps import Gaps, close_tables, close_worksheet
from pincite.load.signatures import OLE
from pincite.load.xml import parse_xml, refuse_doctype
from pincite.model import MetadataValue, Notice, Source

_PROPERTIES = "docProps/core.xml"
_WORKBOOK = "xl/workbook.xml"
_RELATIONS = "xl/_rels/workbook.xml.rels"
_WORKSHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
_OPEN_DOCUMENT = "content.xml"
_ERROR_CELL = re.compile(rb'<(?:\w+:)?c\b[^<>]*\st="e"')
_FORMULA_WITHOUT_VALUE = re.compile(
    rb"(?:</(?:\w+:)?f>|<(?:\w+:)?f\b[^<>]*/>)\s*(?:<(?:\w+:)?v(?:\s*/>|></(?:\w+:)?v>)\s*)?</(?:\w+:)?c>"
)


@dataclass(slots=True)
class Workbook:
    """``data`` is what the reader of cells gets; ``gaps`` are those of its sheets, by their names."""

    data: bytes
    metadata: dict[str, MetadataValue] = field(default_factory=dict)
    gaps: dict[str, Gaps] = field(default_factory=dict)
    errors: int = 0
    formulas: int = 0

    def notices(self, file: str) -> Iterator[Notice]:
        """What of the workbook cannot be read."""
        if self.errors:
            message = f"cells with an error such as #DIV/0! are empty here: {self.errors:,}"
            yield Notice(kind="error_value", message=message, file=file)
        if self.formulas:
            left = f"formulas without a stored result are empty here: {self.formulas:,}"
            yield Notice(kind="formula", message=f"{left}; save the file in its own program", file=file)
        for name, gaps in self.gaps.items():
            where = f"cells of the sheet {one_line(name)!r} lie very far apart ({gaps})"
            yield Notice(kind="sheet", message=f"{where}; blank ones between them were left out", file=file)


def open_workbook(source: Source, *, limits: Limits) -> Workbook:
    """Expands the XML of the archive once, within its limits. A workbook from before 2007 is no archive and is left to
    the reader. Raises ``LoadError`` as ``open_archive`` and ``parse_xml`` do."""
    workbook = Workbook(source.data)
    if source.data.startswith(OLE) and not is_encrypted(source):
        return workbook
    archive = open_archive(source, limits=limits)
    names = dict(_sheet_names(archive))
    closed: dict[str, bytes] = {}
    for name in archive.names:
        if not name.endswith((".xml", ".rels")):
            continue
        data = archive.read(name)
        refuse_doctype(data, path=source.path, part=name)
        if _WORKSHEET.fullmatch(name):
            if b't="e"' in data:
                workbook.errors += len(_ERROR_CELL.findall(data))
            if b"<f" in data or b":f" in data:
                workbook.formulas += len(_FORMULA_WITHOUT_VALUE.findall(data))
            if name in names and (worksheet := close_worksheet(data)):
                closed[name], workbook.gaps[names[name]] = worksheet
        elif name == _OPEN_DOCUMENT and (tables := close_tables(data, path=source.path)):
            closed[name], gaps = tables
            workbook.gaps.update(gaps)
        elif name == _PROPERTIES:
            workbook.metadata = core_metadata(parse_xml(data, path=source.path, part=name))
    if closed:
        workbook.data = archive.rewritten(closed)
    return workbook


def _sheet_names(archive: Archive) -> Iterator[tuple[str, str]]:
    """The part of each worksheet and the name of its sheet."""
    if _WORKBOOK not in archive or _RELATIONS not in archive:
        return
    targets: dict[str, str] = {}
    for relation in parse_xml(archive.read(_RELATIONS), path=archive.path, part=_RELATIONS).iter("{*}Relationship"):
        targets[relation.get("Id", "")] = posixpath.normpath(posixpath.join("/xl", relation.get("Target", "")))[1:]
    for sheet in parse_xml(archive.read(_WORKBOOK), path=archive.path, part=_WORKBOOK).iter("{*}sheet"):
        relation_id = next((str(text) for key, text in sheet.items() if str(key).endswith("}id")), "")
        yield targets.get(relation_id, ""), sheet.get("name", "")
