"""A BERT of a few thousand weights, made on the spot."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

WORDS = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "a",
    "cursor",
    "lives",
    "for",
    "15",
    "minutes",
    ".",
    "short",
    "!",
    "?",
)


def save_tiny_bert(folder: Path, *, labels: int | None = None) -> None:
    """With ``labels`` a classifier, else only the encoder; its weights are the same each time."""
    torch, transformers = import_module("torch"), import_module("transformers")

    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(WORDS))
    transformers.BertTokenizer(str(vocabulary), model_max_length=64).save_pretrained(str(folder))
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=labels or 1,
    )
    model = transformers.BertForSequenceClassification(config) if labels else transformers.BertModel(config)
    model.save_pretrained(str(folder))
