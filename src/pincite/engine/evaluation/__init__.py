"""Compares ways of cutting and searching on one corpus with one set of questions."""
