"""
What makes a machine: programs to draw, laws to hold, and clauses to blame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from dsh_conformance.generate.compare import Unlike
from dsh_conformance.generate.finding import Violation
from dsh_conformance.generate.program import Program
from dsh_conformance.generate.record import Record
from dsh_conformance.generate.stage import Scope, Stage

Law = Callable[[Sequence[Record]], Violation | None]
Blame = Callable[[Record, Unlike], str]


@dataclass(frozen=True)
class Machine:
    """
    A kind of generated example.

    Attributes:
        name: Its name; the case is `machine/<name>`.
        plugin: The plugin whose contract it checks.
        needs: Capabilities without which it cannot be played.
        fill: Draws a program's steps.
        laws: What must hold of any history, whoever made it.
        blame: The clause that a difference between two implementations breaks.
        clauses: Every clause that it can find broken.
        rules: How many kinds of step it draws from.
    """

    name: str
    plugin: str
    needs: frozenset[str]
    fill: Callable[[Stage], None]
    laws: tuple[Law, ...]
    blame: Blame
    clauses: tuple[str, ...]
    rules: int

    @property
    def case(self) -> str:
        """
        The id of its case.
        """
        return f"machine/{self.name}"

    def programs(self, scope: Scope) -> st.SearchStrategy[Program]:
        """
        Return the strategy of its programs.
        """
        return _programs(self.fill, scope)


@st.composite
def _programs(draw: st.DrawFn, fill: Callable[[Stage], None], scope: Scope) -> Program:
    stage = Stage(draw, scope)
    fill(stage)
    return stage.program()
