"""Strategies that cut a document into chunks, one file each."""
