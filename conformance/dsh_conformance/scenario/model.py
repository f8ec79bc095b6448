"""
A scenario as frozen values, ready to be played in one edition.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dsh_conformance.scenario.verbs import Verb

_SCRIPT = ("given", "steps")
_PACKED = "_packed"


@dataclass(frozen=True)
class Step:
    """
    One line of the script.

    Attributes:
        verb: What is done.
        value: The verb's own value.
        params: Its parameters, by step key.
        expects: What must be seen, by step key.
        clauses: The clause that a surprise breaks, by step key; `*` is every other key.
        claims: Whether the step names a clause itself, so that its mere working is the claim.
        captures: Names bound from the text, where they stand in it.
        binds: Names bound from a field of the observation.
        remember: The name under which the main observation is kept, or None.
        steps: The steps inside (`together`, `repeat`).
        where: File, line and column.
        source: The step as it is written, for display.
    """

    verb: Verb
    value: Any
    params: dict[str, Any]
    expects: dict[str, Any]
    clauses: dict[str, str]
    claims: bool
    captures: tuple[str, ...]
    binds: dict[str, str]
    remember: str | None
    steps: tuple[Step, ...]
    where: str
    source: dict[str, Any]

    def clause_for(self, key: str) -> str:
        """
        Return the clause that a surprise under this key breaks.
        """
        return self.clauses.get(key, self.clauses["*"])


@dataclass(frozen=True)
class Scenario:
    """
    A script with one claim.

    Attributes:
        id: The file's path below its root, without the ending.
        claim: One sentence.
        clauses: The clauses it checks, the main one first.
        plugins: What is loaded, as the protocol's `reset` takes it.
        services: Optional services of the host.
        needs: Capabilities without which it is not applicable.
        given: Steps that set the stage.
        steps: The script.
        excluded: Why it does not apply to this edition, or None.
        where: The file.
    """

    id: str
    claim: str
    clauses: tuple[str, ...]
    plugins: tuple[dict[str, Any], ...]
    services: tuple[str, ...]
    needs: frozenset[str]
    given: tuple[Step, ...]
    steps: tuple[Step, ...]
    excluded: str | None
    where: str

    @property
    def plugin(self) -> str:
        """
        The plugin whose contract it belongs to: the folder it lies in, or its main clause's.
        """
        folder = self.id.partition("/")[0]
        return folder if folder in {"todo", "tasks", "tree"} else self.clauses[0].partition(".")[0]

    def __getstate__(self) -> dict[str, Any]:
        """
        Return the values with the script packed apart: one from the cache is unpacked when played.
        """
        state = {**vars(self)}
        if _PACKED not in state:
            script = {name: state.pop(name) for name in _SCRIPT}
            state[_PACKED] = pickle.dumps(script, protocol=pickle.HIGHEST_PROTOCOL)
        return state

    if not TYPE_CHECKING:  # Every attribute would be known, and no slip found.

        def __getattr__(self, name: str) -> Any:
            """
            Unpack the script when it is first asked for.
            """
            packed = vars(self).get(_PACKED)
            if packed is None or name not in _SCRIPT:
                raise AttributeError(f"a scenario has no {name!r}", name=name, obj=self)
            script = pickle.loads(packed)  # noqa: S301  # Packed above; the cache has checked it.
            vars(self).update(script)
            del vars(self)[_PACKED]
            return script[name]
