"""Offsets, grapheme clusters, sentences, words and token counters: the text layer of the core."""
