"""
What a trial brings to light.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from dsh_conformance.generate.program import Program
from dsh_conformance.generate.record import Record
from dsh_conformance.scenario.results import Difference, Exchange, Grade

Kind = Literal["failed", "crash", "hang", "protocol", "error", "flaky", "oracle"]


@dataclass(frozen=True)
class Violation:
    """
    A law that a history breaks.

    Attributes:
        law: The law, one sentence.
        clause: The clause it comes from.
        index: The step at which it shows.
        key: The scenario key that would have told (`says`, `shows`, …).
        expected: The pattern that would have stood there.
        seen: What was there.
    """

    law: str
    clause: str
    index: int
    key: str
    expected: Any
    seen: Any


@dataclass(frozen=True)
class Finding:
    """
    One program that shows something.

    Attributes:
        kind: `failed`, or why nothing was learned.
        program: The program, up to the step where it shows.
        clause: The clause that is broken; empty when nothing was learned.
        index: The step where it shows.
        key: The scenario key that would have told.
        expected: The pattern that would have stood there, ids as names.
        seen: What was there.
        grade: `same meaning` or `wrong effect`.
        differences: The same as texts for people.
        shape: What the difference looks like, to tell one bug from another.
        law: The law that is broken, or empty where two implementations part.
        reason: Why nothing was learned, or empty.
        records: What the implementation answered, step by step.
        transcripts: The calls, once or, for a flaky adapter, twice.
    """

    kind: Kind
    program: Program
    clause: str
    index: int
    key: str
    expected: Any = None
    seen: Any = None
    grade: Grade = "wrong effect"
    differences: tuple[Difference, ...] = ()
    shape: str = ""
    law: str = ""
    reason: str = ""
    records: tuple[Record, ...] = field(default=(), repr=False)
    transcripts: tuple[tuple[Exchange, ...], ...] = field(default=(), repr=False)

    @property
    def identity(self) -> tuple[str, str, str]:
        """
        What makes two findings the same bug.
        """
        return self.kind, self.clause, self.shape
