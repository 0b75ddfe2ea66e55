"""Rerankers: each reads the query together with a passage."""
