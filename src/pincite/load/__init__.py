"""Loaders: one file per format. Each turns the bytes of one file into a ``Document`` or raises ``LoadError``."""
