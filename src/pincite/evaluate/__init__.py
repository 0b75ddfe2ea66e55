"""Measures how well a way of cutting and searching finds what is relevant, and whether a difference is real."""
