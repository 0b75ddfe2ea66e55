"""What reading a document gives, in reading order, and writing takes."""

from __future__ import annotations

from dataclasses import dataclass, field

from pincite.load.docx.numbering import Label
from pincite.load.docx.style_names import Role
from pincite.load.writer import Run


@dataclass(frozen=True, slots=True)
class Note:
    """A foot- or endnote or a comment; ``number`` is that of the paragraph which refers to it."""

    label: str
    text: str
    number: int


@dataclass(slots=True)
class Paragraph:
    """``text`` has ``LINE_BREAK`` where a line ends; other white space is as it was. ``number`` counts from 1.

    ``runs`` is more than one where several paragraphs of the file are one (the mark between them is deleted).
    ``label`` is what the numbering puts before it, ``num_id`` and ``depth`` (from 0) say where in a list it is.
    """

    number: int
    runs: list[Run]
    role: Role
    label: Label | None = None
    num_id: str = ""
    depth: int = 0
    notes: list[Note] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)

    @property
    def is_item(self) -> bool:
        """Whether it stands in a list; a numbered heading does not."""
        return self.role.kind not in ("heading", "title") and self.label is not None


@dataclass(slots=True)
class TableRow:
    cells: list[str]
    number: int
    """Of its first paragraph."""


@dataclass(slots=True)
class Table:
    rows: list[TableRow]
    header_rows: int
    notes: list[Note] = field(default_factory=list)


Item = Paragraph | Table
