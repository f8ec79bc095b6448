"""
Which names a step may use: agents, ids bound so far, and what was remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from dsh_conformance.contract.documents import Document, Place
from dsh_conformance.contract.schema_check import suggestion
from dsh_conformance.errors import DataError
from dsh_conformance.scenario.names import COUNTER, likely_slip, placeholders
from dsh_conformance.scenario.verbs import ANY_STEP_KEYS, BY_NOBODY, NOBODY, Verb


class Scope:
    """
    The names of one scenario, in the order in which its steps are read.

    Args:
        document: The file.
        data: What it holds.
    """

    def __init__(self, document: Document, data: dict[str, Any]) -> None:
        self.document = document
        self.agents = frozenset(_agents(data))
        self._somewhere = set(_bind_names(data))
        self._bound: set[str] = set()
        self._taken: set[str] = set()
        self._memory: set[str] = set()

    @property
    def bound(self) -> frozenset[str]:
        """
        The names bound so far.
        """
        return frozenset(self._bound)

    @contextmanager
    def repeated(self) -> Iterator[None]:
        """
        Names bound inside `repeat` are new in every round, and gone behind it.
        """
        before = set(self._bound)
        self._bound.add(COUNTER)
        yield
        self._bound = before

    def bind(self, names: Iterable[str], place: Place) -> None:
        """
        Note the names that a step binds.

        Raises:
            DataError: One is bound already, or means the count of a `repeat`.
        """
        for name in names:
            if name == COUNTER:
                self._fail(f"{{{name}}} is the count of a repeat", place, "choose another name")
            if name in self._taken:
                hint = "choose another name for the second"
                self._fail(f"the name {name!r} is bound twice", place, hint)
            self._taken.add(name)
            self._bound.add(name)

    def check_names(self, value: Any, here: Iterable[str], place: Place) -> None:
        """
        Check the names in braces inside a value.

        Args:
            value: What is sent, or what must be seen.
            here: Names that seeing it binds.
            place: Where it is written.

        Raises:
            DataError: One is used before it is bound, or is a slip of one that is.
        """
        known = self._bound.union(here)
        for name in placeholders(value):
            if name in known:
                continue
            if name in self._somewhere:
                hint = "bind it at an earlier step"
                self._fail(f"the name {{{name}}} is used before it is bound", place, hint)
            slip = likely_slip(name, self._somewhere)
            if slip is not None:
                self._fail(f"no step binds {{{name}}}", place, f"did you mean {{{slip}}}?")

    def remember(self, name: str) -> None:
        """
        Note a name that a step's observation is kept under.
        """
        self._memory.add(name)

    def check_remembered(self, name: str, place: Place) -> None:
        """
        Check a name that `$same` or `$extends` asks for.

        Raises:
            DataError: No earlier step remembers it.
        """
        if name not in self._memory:
            hint = suggestion(name, self._memory) if self._memory else "write `remember` there"
            self._fail(f"no earlier step remembers {name!r}", place, hint)

    def check_agent(self, name: str, verb: Verb, place: Place) -> None:
        """
        Check that a scenario makes the agent it names.

        Raises:
            DataError: It does not, or `nobody` cannot do this.
        """
        if name == NOBODY and verb.name in BY_NOBODY:
            return
        if name == NOBODY:
            self._fail(f"{verb.name!r} needs an agent", place, "name one that a step makes")
        if "{" not in name and name not in self.agents:
            hint = suggestion(name, self.agents) if self.agents else "make it with `agent: NAME`"
            self._fail(f"no step makes the agent {name!r}", place, hint)

    def only_agent(self, place: Place) -> str:
        """
        Return the agent that is meant when none is named.

        Raises:
            DataError: There is not exactly one.
        """
        if len(self.agents) != 1:
            choices = ", ".join([*sorted(self.agents), NOBODY])
            hint = f"add `by:` (or `of:`) with one of {choices}"
            self._fail("who does this? There is not exactly one agent", place, hint)
        return next(iter(self.agents))

    def _fail(self, what: str, place: Place, hint: str) -> NoReturn:
        raise DataError(what, self.document.at(place), hint=hint)


def written_steps(listed: Any) -> Iterator[dict[str, Any]]:
    """
    Yield every step as it is written, those inside others too.
    """
    for entry in listed if isinstance(listed, list) else ():
        if isinstance(entry, dict):
            yield entry
            yield from written_steps(entry.get("together"))
            yield from written_steps(entry.get("steps"))
            for group in entry.get("any-of", ()) if isinstance(entry.get("any-of"), list) else ():
                yield from written_steps(group)


def _steps(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from written_steps(data.get("given"))
    yield from written_steps(data.get("steps"))


def _agents(data: dict[str, Any]) -> Iterator[str]:
    for step in _steps(data):
        first = next((key for key in step if key not in ANY_STEP_KEYS), None)
        if first == "agent" and isinstance(step["agent"], str):
            yield step["agent"]


def _bind_names(data: dict[str, Any]) -> Iterator[str]:
    for step in _steps(data):
        names = step.get("bind", ())
        if isinstance(names, list | dict):
            yield from (name for name in names if isinstance(name, str))
