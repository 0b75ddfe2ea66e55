"""The command ``pincite``: parses, calls the engine, prints. Data goes to stdout, progress and errors to stderr."""

from __future__ import annotations


def main() -> None:
    """Runs the command with the process's arguments and leaves with its exit code."""
    from pincite.cli.run import run

    run()


__all__ = ["main"]
