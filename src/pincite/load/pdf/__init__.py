"""PDF: from glyphs to blocks; every line knows its page and box."""
