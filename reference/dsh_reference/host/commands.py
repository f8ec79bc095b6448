"""
Commands: lines that a person writes and no model reads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dsh_reference.errors import Rejected
from dsh_reference.host.agents import Agent
from dsh_reference.host.listeners import Disposer

SUCCESS = "success"
ERROR = "error"


@dataclass(frozen=True)
class CommandResult:
    """
    What a command answers: `kind` is success or error.
    """

    kind: str
    text: str


Command = Callable[[Agent | None, str], CommandResult]


class Commands:
    """
    The commands of one composition, by name.
    """

    def __init__(self) -> None:
        self._commands: dict[str, Command] = {}

    def register(self, name: str, command: Command) -> Disposer:
        """
        Add a command, which is given the line behind its name; return what removes it.

        Raises:
            Rejected: The name is taken.
        """
        if name in self._commands:
            raise Rejected(f'command "{name}" is already registered')
        self._commands[name] = command

        def remove() -> None:
            self._commands.pop(name, None)

        return remove

    def names(self) -> list[str]:
        """
        Return the names, in order of registration.
        """
        return list(self._commands)

    def run(self, line: str, *, agent: Agent | None = None) -> CommandResult:
        """
        Run a line such as `/name rest`.
        """
        name, _, rest = line.strip().removeprefix("/").partition(" ")
        command = self._commands.get(name)
        if command is None:
            return CommandResult(ERROR, f'unknown command "{name}"')
        return command(agent, rest)
