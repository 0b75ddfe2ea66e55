"""The values that the steps hand to each other: frozen, checked at birth, to JSON and back without loss."""

from pincite.model.answer import Answer, Citation, Statement, Verdict
from pincite.model.chunk import PATH_SEPARATOR, Chunk, chunk_id, join_prefix
from pincite.model.condition import Condition, FieldKind
from pincite.model.document import (
    BLOCK_KINDS,
    Block,
    BlockKind,
    Document,
    Notice,
    Section,
    Source,
)
from pincite.model.evaluation import Judgement, Question, Run
from pincite.model.metadata import (
    KNOWN_KEYS,
    LIST_KEYS,
    TEXT_KEYS,
    Metadata,
    MetadataValue,
    known_key,
    metadata_from_json,
    metadata_to_json,
)
from pincite.model.place import Box, Place, Placement
from pincite.model.ranking import MODES, PUBLIC, Hit, Located, Mode, Principal, Ranking, Scored
from pincite.model.span import Span

__all__ = [
    "BLOCK_KINDS",
    "KNOWN_KEYS",
    "LIST_KEYS",
    "MODES",
    "PATH_SEPARATOR",
    "PUBLIC",
    "TEXT_KEYS",
    "Answer",
    "Block",
    "BlockKind",
    "Box",
    "Chunk",
    "Citation",
    "Condition",
    "Document",
    "FieldKind",
    "Hit",
    "Judgement",
    "Located",
    "Metadata",
    "MetadataValue",
    "Mode",
    "Notice",
    "Place",
    "Placement",
    "Principal",
    "Question",
    "Ranking",
    "Run",
    "Scored",
    "Section",
    "Source",
    "Span",
    "Statement",
    "Verdict",
    "chunk_id",
    "join_prefix",
    "known_key",
    "metadata_from_json",
    "metadata_to_json",
]
