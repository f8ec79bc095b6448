"""
What comes of playing a case.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Outcome = Literal["passed", "failed", "unverified", "not applicable"]
Grade = Literal["same meaning", "wrong effect"]


@dataclass(frozen=True)
class Exchange:
    """
    One call on the wire.

    Attributes:
        step: The place of the step in its file.
        method: The protocol method.
        params: What was sent.
        reply: The result, or `{"error": …}`.
    """

    step: str
    method: str
    params: dict[str, Any]
    reply: Any


@dataclass(frozen=True)
class Difference:
    """
    One place where seen is not expected, as text for people.

    Attributes:
        path: Where in the observation, empty for the whole.
        expected: What was expected, as it is written in a scenario.
        seen: What was seen.
        text: Whether both are plain texts, fit for a character-level diff.
    """

    path: str
    expected: str
    seen: str
    text: bool


@dataclass(frozen=True)
class Failure:
    """
    A clause contradicted by an observation.

    Attributes:
        clause: The clause's id.
        where: File, line and column of the step.
        key: What kind of expectation it was (`error`, `logs`, …).
        grade: `same meaning` (only the words differ) or `wrong effect`.
        differences: Expected against seen.
        note: A remark that explains the difference, or empty.
        known: The place of the known failure that expects it, or empty.
    """

    clause: str
    where: str
    key: str
    grade: Grade
    differences: tuple[Difference, ...]
    note: str = ""
    known: str = ""


@dataclass(frozen=True)
class CaseResult:
    """
    One case played.

    Attributes:
        id: The scenario's id.
        outcome: One of the four.
        clauses: The clauses it checks.
        failures: Clauses contradicted; empty unless failed.
        reason: Why it is unverified or not applicable, else empty.
        kind: For unverified cases: `crash`, `hang`, `protocol`, `error` or `prerequisite`.
        script: The steps as they were played, the last one being where it ended.
        transcript: Every call on the wire.
        seconds: How long it took.
        adapter_seconds: How much of that was spent waiting for the adapter.
        claim: What it claims, one sentence, or empty.
        known: For unverified cases: the place of the known failure that expects it, or empty.
        places: Where each line of the script is written.
        expectations: What had to be seen at each line of the script, or empty.
        names: The ids that the implementation made, by the name that the scenario gave them.
    """

    id: str
    outcome: Outcome
    clauses: tuple[str, ...]
    failures: tuple[Failure, ...] = ()
    reason: str = ""
    kind: str = ""
    script: tuple[str, ...] = ()
    transcript: tuple[Exchange, ...] = ()
    seconds: float = 0.0
    adapter_seconds: float = 0.0
    claim: str = ""
    known: str = ""
    places: tuple[str, ...] = ()
    expectations: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict)

    @property
    def grade(self) -> Grade | None:
        """
        The worst grade among the failures.
        """
        grades = {failure.grade for failure in self.failures}
        if not grades:
            return None
        return "wrong effect" if "wrong effect" in grades else "same meaning"

    def to_json(self) -> dict[str, Any]:
        """
        Return plain data, for reports and for workers in other processes.
        """
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> CaseResult:
        """
        Read what `to_json` returned.
        """
        failures = tuple(
            Failure(**{**one, "differences": tuple(Difference(**d) for d in one["differences"])})
            for one in data["failures"]
        )
        return cls(
            **{
                **data,
                "clauses": tuple(data["clauses"]),
                "failures": failures,
                "script": tuple(data["script"]),
                "places": tuple(data.get("places", ())),
                "expectations": tuple(data.get("expectations", ())),
                "transcript": tuple(Exchange(**one) for one in data["transcript"]),
            }
        )
