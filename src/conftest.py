"""Doctests of a file whose package is not installed cannot be collected; only packages too large for development."""

from importlib.util import find_spec

collect_ignore = (
    []
    if find_spec("sentence_transformers")
    else ["pincite/embed/sentence_transformers.py", "pincite/retrieve/rerankers/cross_encoder.py"]
)
