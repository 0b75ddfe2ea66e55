"""Recognisers of text in images: see `pincite.ports.Recogniser`."""
