"""Public conformance kit: what every component of a kind must keep, as functions that raise ``AssertionError``."""
