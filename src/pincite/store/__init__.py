"""Stores: keep documents, chunks, terms and vectors, and answer lexical and dense queries."""
