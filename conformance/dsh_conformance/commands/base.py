"""
What every command has in common.
"""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from dsh_conformance.errors import TRACEBACK, DshError, internal_error

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

USAGE_STATUS = 2
# What a command reads, it keeps: to look through that for garbage again and again took a tenth of
# the time to the first verdict. This much garbage is some ten megabytes.
OBJECTS_BETWEEN_COLLECTIONS = 100_000
# As a shell reports a program that a signal ended: 128 and SIGINT's, SIGPIPE's number.
INTERRUPTED = 130
PIPE_CLOSED = 141
REFERENCE = "dsh_reference.adapter:Adapter"


class Command(click.Command):
    """
    A command whose mistakes end in one message and status 2.
    """

    def invoke(self, ctx: click.Context) -> Any:
        """
        Run the command.
        """
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")  # Not every terminal knows Chinese.
        before = gc.get_threshold()
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, *before[1:])
        try:
            return super().invoke(ctx)
        except DshError as error:
            _end(error)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(PIPE_CLOSED)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if os.environ.get(TRACEBACK):
                raise
            _end(internal_error(error))
        finally:
            gc.set_threshold(*before)


def _end(error: DshError) -> NoReturn:
    click.echo(f"error: {error}", err=True)
    sys.exit(USAGE_STATUS)


def edition_option(function: Decorated) -> Decorated:
    """
    Add `--edition`.
    """
    return click.option(
        "--edition", default="2026-08", show_default=True, help="Edition of the contract."
    )(function)


def scenarios_option(function: Decorated) -> Decorated:
    """
    Add `--scenarios`.
    """
    return click.option(
        "--scenarios",
        "fixtures",
        type=click.Path(path_type=Path),
        help="Folder of scenarios (default: ours).",
    )(function)


def adapter_option(function: Decorated) -> Decorated:
    """
    Add `--adapter`.
    """
    return click.option(
        "--adapter",
        default=REFERENCE,
        help="Command, or package.module:Class (default: the built-in reference).",
    )(function)


def call_timeout_option(function: Decorated) -> Decorated:
    """
    Add `--call-timeout`.
    """
    return click.option(
        "--call-timeout", type=float, default=10.0, help="Seconds that one call may take."
    )(function)


def start_timeout_option(function: Decorated) -> Decorated:
    """
    Add `--start-timeout`.
    """
    return click.option(
        "--start-timeout",
        type=float,
        default=60.0,
        help="Seconds that the adapter may take to start, up to its first answer.",
    )(function)


def known_failures_option(function: Decorated) -> Decorated:
    """
    Add `--known-failures`.
    """
    return click.option(
        "--known-failures",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="File of failures that are known; they do not count, and must not outlive their time.",
    )(function)


def generation_options(function: Decorated) -> Decorated:
    """
    Add the options of generated examples.
    """
    for option in (
        click.option("--no-generated", is_flag=True, help="Play scenarios alone."),
        click.option("--save", metavar="DIR", type=click.Path(path_type=Path),
                     default=".dsh-conformance/counterexamples", show_default=True,
                     help="Folder for counterexamples."),
        click.option("--database", metavar="DIR", type=click.Path(path_type=Path),
                     help="Folder of examples that failed before; share it in a team."),
        click.option("--seed", type=int, help="Seed of the generated examples."),
        click.option("--budget", metavar="TIME", help="Time for all generated examples, as 60s."),
        click.option("--examples", type=int, metavar="N", help="Generated examples a machine."),
        click.option("--profile", default="quick", show_default=True,
                     help="How much is generated: quick, ci or deep."),
        click.option("--oracle", default=REFERENCE,
                     help="Adapter that generated examples are held against."),
    ):  # fmt: skip
        function = option(function)
    return function
