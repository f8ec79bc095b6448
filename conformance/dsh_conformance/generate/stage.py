"""
What a machine knows while it draws a program: names given out so far, never an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from hypothesis import strategies as st

from dsh_conformance.generate.program import Program, RawStep

T = TypeVar("T")

Draw = Callable[[st.SearchStrategy[T]], T]


@dataclass(frozen=True)
class Scope:
    """
    What the implementations at hand can be asked.

    Attributes:
        edition: The edition's name.
        capabilities: Declared by the implementation under test.
        virtual: Whether its clock can be moved.
        steps: The most steps that a program draws.
    """

    edition: str
    capabilities: frozenset[str]
    virtual: bool = True
    steps: int = 20


@dataclass
class Stage:
    """
    A program on its way.

    Attributes:
        draw: Hypothesis's draw.
        scope: What may be asked.
        agents: Agents created, in order.
        known: Names that steps bind, by kind (`task`, `goal`, …).
        facts: What a machine notes about names.
    """

    draw: Draw[Any]
    scope: Scope
    agents: list[str] = field(default_factory=list)
    known: dict[str, list[str]] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    steps: list[RawStep] = field(default_factory=list)
    plugins: tuple[Any, ...] = ()
    services: tuple[str, ...] = ()
    _count: dict[str, int] = field(default_factory=dict)

    def add(self, step: RawStep) -> None:
        """
        Append a step.
        """
        self.steps.append(step)

    def new(self, kind: str) -> str:
        """
        Return a name nobody has yet.
        """
        number = self._count[kind] = self._count.get(kind, 0) + 1
        name = f"{kind}{number}"
        self.known.setdefault(kind, []).append(name)
        return name

    def names(self, *kinds: str) -> list[str]:
        """
        Return the names of these kinds.
        """
        return [name for kind in kinds for name in self.known.get(kind, ())]

    def pick(self, options: Sequence[T]) -> T:
        """
        Draw one of several things.
        """
        index: int = self.draw(st.integers(0, len(options) - 1))
        return options[index]

    def chance(self, part: int) -> bool:
        """
        Draw whether something of probability 1/part happens; the simplest is that it does not.
        """
        return bool(self.draw(st.integers(0, part - 1)) == part - 1)

    def agent(self) -> str:
        """
        Draw one of the agents.
        """
        return self.pick(self.agents)

    def has(self, *capabilities: str) -> bool:
        """
        Whether the implementation declares all of these.
        """
        return self.scope.capabilities.issuperset(capabilities)

    def program(self) -> Program:
        """
        Return the program as it stands.
        """
        return Program(self.plugins, self.services, tuple(self.steps))


@dataclass(frozen=True)
class Rule:
    """
    One kind of step.

    Attributes:
        make: Adds a step or several.
        ready: Whether it makes sense now.
        needs: Capabilities without which it is left out.
        weight: How often it is drawn, beside the others.
        always: Whether it is in every program's choice.
    """

    make: Callable[[Stage], None]
    ready: Callable[[Stage], bool] = lambda _: True
    needs: frozenset[str] = frozenset()
    weight: int = 1
    always: bool = False


def walk(stage: Stage, rules: Sequence[Rule]) -> None:
    """
    Draw steps from a part of the rules.

    Each program leaves some rules out (a swarm): what one rule would cut short, another program
    goes through with.
    """
    usable = [rule for rule in rules if stage.has(*rule.needs)]
    mask = stage.draw(st.integers(0, 2 ** len(usable) - 1))
    more = stage.draw(st.integers(0, 2 ** len(usable) - 1))
    chosen = [
        rule for bit, rule in enumerate(usable) if rule.always or not (mask & more) >> bit & 1
    ]
    weighted = [rule for rule in chosen for _ in range(rule.weight)]
    for _ in range(stage.draw(st.integers(1, stage.scope.steps))):
        ready = [rule for rule in weighted if rule.ready(stage)]
        if not ready:
            return
        stage.pick(ready).make(stage)
