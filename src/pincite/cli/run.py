"""Runs one command line: every way it can end has its exit code and one line that says why."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress

import typer.exceptions

from pincite.cli.app import app
from pincite.cli.output import OutputError, flush, report_error, say
from pincite.errors import PinciteError, UsageError

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""


def run(arguments: list[str] | None = None) -> None:
    """Leaves through ``SystemExit`` with the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    as_json = "--json" in arguments
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _code_of(arguments or ["--help"], as_json=as_json)
        flush()
    except OutputError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is still buffered goes nowhere
        code = 0 if error.quiet else PinciteError.exit_code
        if not error.quiet:
            with suppress(OSError, ValueError, AttributeError):
                sys.stderr.write(f"error: cannot write to standard output ({error}). Check where it goes.\n")
    raise SystemExit(code)


def _code_of(arguments: list[str], *, as_json: bool) -> int:
    try:
        result = app(arguments, prog_name="pincite", standalone_mode=False)
        if result == INTERRUPTED:  # typer has taken the exception
            raise KeyboardInterrupt
        return result if isinstance(result, int) else 0
    except PinciteError as error:
        report_error(error, as_json=as_json)
        return error.exit_code
    except typer.exceptions.TyperException as error:
        report_error(_usage_error(error), as_json=as_json)
        return UsageError.exit_code
    except (KeyboardInterrupt, typer.Abort):
        say("interrupted; what was reported as done is kept")
        return INTERRUPTED
    except OutputError:
        raise
    except Exception as error:  # the last line of defence: a bug must not look like an answer
        traceback.print_exc()
        internal = PinciteError(
            f"internal error ({type(error).__name__}: {error})",
            cure="This is a bug in pincite; please report it with the lines above.",
        )
        report_error(internal, as_json=as_json)
        return internal.exit_code


def _usage_error(error: typer.exceptions.TyperException) -> UsageError:
    """Typer's message in one line, with the options or commands that there are."""
    message = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    command = getattr(context, "command", None)
    path = getattr(context, "command_path", "pincite")
    cure = f"Run `{path} --help`."
    commands = getattr(command, "commands", None)
    if commands:
        cure = f"The commands are: {', '.join(sorted(commands))}."
    elif command is not None and "o such option" in message:
        options = [name for parameter in command.params for name in parameter.opts if name.startswith("-")]
        cure = f"The options of `{path}` are: {', '.join(options)}."
    return UsageError(message.rstrip("."), cure=cure)
