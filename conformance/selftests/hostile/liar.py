"""
The reference as an adapter that misbehaves in one named way: `python liar.py NAME SCRATCH`.

It is honest until a `reset` asks for the service `commands`; from there to the next `reset` it is
*armed*, and most lies are told only then. `SCRATCH` is a file by which a process knows that it is
not the first. `catalogue.yaml` says what must come of each lie.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass

from lies import LIES, Act
from telling import Lie, Message, answered, honest


@dataclass
class Liar:
    """
    Serves the protocol, not always truly.

    Attributes:
        acts: The lies and when they are told.
        armed: Whether the armed case is being played.
    """

    acts: list[Act]
    armed: bool = False

    def serve(self) -> None:
        """
        Serve until the end, one way or another.
        """
        for act in self.acts:
            if act.method is None:
                act.lie({}, {})
        for line in sys.stdin.buffer:
            request = json.loads(line)
            self.lie_for(request)(request, answered(request))
            if request["method"] == "shutdown":
                return

    def lie_for(self, request: Message) -> Lie:
        """
        Return how to answer a request.
        """
        if request["method"] == "reset":
            self.armed = "commands" in request["params"].get("services", ())
        for act in self.acts:
            if act.method == request["method"] and (self.armed or not act.armed):
                return act.lie
        return honest


if __name__ == "__main__":
    Liar(LIES[sys.argv[1]]).serve()
