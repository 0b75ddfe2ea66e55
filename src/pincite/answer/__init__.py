"""Answers a question from passages, every statement with its citation."""
