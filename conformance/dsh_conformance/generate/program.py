"""
A generated example: what is loaded, and a list of scenario steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dsh_conformance.scenario.names import placeholders
from dsh_conformance.scenario.patterns import is_rest
from dsh_conformance.scenario.verbs import NOBODY, VERBS, Verb

RawStep = dict[str, Any]

_AGENT_VERBS = frozenset(
    {"dispose", "inbox", "idle", "append", "work", "log", "surface", "request", "enter", "stop"}
    | {"tools", "panel"}
)
_AGENT_KEYS = ("by", "of", "owner")


@dataclass(frozen=True)
class Program:
    """
    An example as data.

    Attributes:
        plugins: What is loaded: names, or one-entry maps from a name to its configuration.
        services: Optional services of the host.
        steps: The script, in the form of the scenario files and the words of the default edition.
    """

    plugins: tuple[Any, ...]
    services: tuple[str, ...]
    steps: tuple[RawStep, ...]

    def with_steps(self, steps: tuple[RawStep, ...]) -> Program:
        """
        Return the same example with other steps.
        """
        return replace(self, steps=steps)


def verb_of(step: RawStep) -> Verb:
    """
    Return a step's verb, which stands first.
    """
    return VERBS[next(iter(step))]


def binds(step: RawStep) -> tuple[str, ...]:
    """
    Return the names that a step binds.
    """
    return (*step.get("bind", ()), *(name for one in inner(step) for name in binds(one)))


def inner(step: RawStep) -> list[RawStep]:
    """
    Return the steps inside a step.
    """
    steps: list[RawStep] = step.get("together", [])
    return steps


def uses(step: RawStep) -> Iterator[str]:
    """
    Yield the names that a step needs bound before it.
    """
    own = set(binds(step))
    plain = {key: value for key, value in step.items() if key != "bind"}
    yield from (name for name in placeholders(plain) if name not in own and not is_rest(name))


def actors(step: RawStep) -> Iterator[str]:
    """
    Yield the agents that a step speaks of.
    """
    first = next(iter(step))
    if first in _AGENT_VERBS and step[first] != NOBODY:
        yield step[first]
    yield from (step[key] for key in _AGENT_KEYS if key in step and step[key] != NOBODY)
    for one in inner(step):
        yield from actors(one)


def tidied(steps: tuple[RawStep, ...]) -> tuple[RawStep, ...]:
    """
    Leave out steps that speak of an agent or a name which no step before them brings up.
    """
    known: set[str] = set()
    kept: list[RawStep] = []
    for step in steps:
        if all(name in known for name in uses(step)) and all(
            f"agent {name}" in known for name in actors(step)
        ):
            kept.append(step)
            known.update(binds(step))
            if "agent" in step:
                known.add(f"agent {step['agent']}")
    return tuple(kept)
