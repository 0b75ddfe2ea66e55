"""The values that the steps hand to each other: frozen, checked at birth, to JSON and back without loss."""

from pincite.model.answer import MATCHES, REFUSALS, VERDICTS, Answer, Citation, Match, Refusal, Statement, Verdict
from pincite.model.chunk import PATH_SEPARATOR, Chunk, chunk_id, join_prefix
from pincite.model.condition import Condition, FieldKind
from pincite.model.context import CUT_REASONS, Context, Cut, CutReason, Passage
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
from pincite.model.ranking import (
    MODES,
    PUBLIC,
    Excerpt,
    Hit,
    Located,
    Mode,
    Principal,
    Ranking,
    Repeat,
    Scored,
)
from pincite.model.ranking_explanation import Explanation, Part
from pincite.model.span import Span
from pincite.model.term_filter import TermFilter
from pincite.model.trace import Exchange, Trace

__all__ = [
    "BLOCK_KINDS",
    "CUT_REASONS",
    "KNOWN_KEYS",
    "LIST_KEYS",
    "MATCHES",
    "MODES",
    "PATH_SEPARATOR",
    "PUBLIC",
    "REFUSALS",
    "TEXT_KEYS",
    "VERDICTS",
    "Answer",
    "Block",
    "BlockKind",
    "Box",
    "Chunk",
    "Citation",
    "Condition",
    "Context",
    "Cut",
    "CutReason",
    "Document",
    "Excerpt",
    "Exchange",
    "Explanation",
    "FieldKind",
    "Hit",
    "Judgement",
    "Located",
    "Match",
    "Metadata",
    "MetadataValue",
    "Mode",
    "Notice",
    "Part",
    "Passage",
    "Place",
    "Placement",
    "Principal",
    "Question",
    "Ranking",
    "Refusal",
    "Repeat",
    "Run",
    "Scored",
    "Section",
    "Source",
    "Span",
    "Statement",
    "TermFilter",
    "Trace",
    "Verdict",
    "chunk_id",
    "join_prefix",
    "known_key",
    "metadata_from_json",
    "metadata_to_json",
]
