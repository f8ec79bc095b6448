"""
What every command has in common.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from dsh_conformance.errors import DshError

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

EXIT_STATUSES = """
Exit status: 0 conformant, 1 something failed, 2 bad usage or the adapter never came up,
3 nothing failed but something stayed unverified.
"""
USAGE_STATUS = 2
REFERENCE = "dsh_reference.adapter:Adapter"


class Command(click.Command):
    """
    A command whose mistakes end in one message and status 2.
    """

    def invoke(self, ctx: click.Context) -> Any:
        """
        Run the command.
        """
        try:
            return super().invoke(ctx)
        except DshError as error:
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
