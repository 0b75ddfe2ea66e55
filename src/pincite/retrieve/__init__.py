"""Finds passages: lexical and dense search, and the fusion of both."""
