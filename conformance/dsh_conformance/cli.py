"""
The command line: a table of commands, each imported when it is asked for.
"""

from __future__ import annotations

import importlib

import click

from dsh_conformance import __version__
from dsh_conformance.commands import EXIT_STATUSES

# Name, module below `dsh_conformance.commands`, attribute, and what the list of commands says.
COMMANDS = {
    "run": ("run", "run", "Check an implementation."),
    "doctor": ("doctor", "doctor", "Look at an adapter alone, before any verdict."),
    "new-adapter": ("new_adapter", "new_adapter", "Write a small adapter to begin with."),
    "replay": ("replay", "replay", "Play counterexamples again."),
    "compare": ("compare", "compare", "Find where two implementations part."),
    "list": ("list", "list_", "Name every clause, scenario, capability or edition."),
    "explain": ("explain", "explain", "Say what a clause requires and where that is written."),
    "known-failures": ("known_failures", "known_failures", "Look after a file of known failures."),
    "report": ("report", "report", "Render a JSON report in another format."),
    "diff": ("diff", "diff", "Say what changed between two runs, and on which side."),
    "matrix": ("matrix", "matrix", "Put several implementations side by side."),
    "snapshot": ("snapshot", "snapshot", "Record or compare what the model is shown."),
    "coverage": ("coverage", "coverage", "Say which cases and faults stand for each clause."),
}


class _Commands(click.Group):
    """
    Imports a command's module when the command is used.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature.
        return list(COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002  # click's signature.
        cmd_name: str,
    ) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        found = getattr(importlib.import_module(f"dsh_conformance.commands.{module}"), attribute)
        assert isinstance(found, click.Command)  # noqa: S101  # A slip in the table above.
        return found

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002  # click's signature.
        formatter: click.HelpFormatter,
    ) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry[2]) for name, entry in COMMANDS.items()])


@click.group(
    cls=_Commands,
    epilog=EXIT_STATUSES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="dsh-conformance")
def main() -> None:
    """
    Tell whether an agent harness keeps the contract of three DeepSeek Harness plugins.
    """


if __name__ == "__main__":
    main()
