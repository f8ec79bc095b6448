"""
What can go wrong, as exceptions; those with a `code` travel over the adapter protocol.

A tool or registry that refuses raises `ToolError`, whose message is the contract's text: the tool
registry renders it for the model. `Rejected` is the same refusal met outside a tool call.
"""

from __future__ import annotations

from typing import Any


class ToolError(Exception):
    """
    A refusal whose message a model may read; it gets `Error: ` in front in a tool result.
    """


class Rejected(ToolError):  # Named as the protocol names it.
    """
    A log or registry operation was refused.
    """

    code = 3


class LoadFailed(Exception):  # As above.
    """
    A plugin refused its configuration.
    """

    code = 2


class Unsupported(Exception):  # As above.
    """
    The protocol knows it, the reference does not: `data` says why.
    """

    code = 1

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.data: dict[str, Any] = {"reason": reason}


class MethodNotFound(Exception):  # As above.
    """
    No method of the protocol has this name.
    """

    code = -32601


class InvalidParams(Exception):  # As above.
    """
    The method exists, but not with these parameters.
    """

    code = -32602
