"""
How long a run generates: examples, seconds, and how many bugs it looks for.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace
from pathlib import Path

from dsh_conformance.errors import UsageError

UNLIMITED = 1_000_000
_SEEDS = 1 << 32

ORACLE = "dsh_reference.adapter:Adapter"
FOLDER = Path(".dsh-conformance/counterexamples")

# Every machine's case and its plugin, newest first; told here so that nobody needs Hypothesis
# to name them.
MACHINE_CASES = {
    "machine/fold": "tree",
    "machine/tree": "tree",
    "machine/tasks": "tasks",
    "machine/todo": "todo",
}


@dataclass(frozen=True)
class Profile:
    """
    A named budget.

    Attributes:
        examples: Programs a machine draws.
        steps: The most steps a program draws.
        findings: How many different bugs a machine reports before it stops.
        shrink_seconds: The most time that shrinking one of them may take.
    """

    examples: int
    steps: int
    findings: int
    shrink_seconds: float


PROFILES = {
    # In every `run`: a second a machine on a fast implementation.
    "quick": Profile(examples=40, steps=12, findings=2, shrink_seconds=3.0),
    "ci": Profile(examples=1000, steps=20, findings=5, shrink_seconds=15.0),
    "deep": Profile(examples=10_000, steps=40, findings=10, shrink_seconds=60.0),
}

_BUDGET = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)?")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, None: 1.0}


def parse_budget(text: str) -> float:
    """
    Read a time such as `60s` or `10m` in seconds.

    Raises:
        UsageError: It is none.
    """
    match = _BUDGET.fullmatch(text)
    if match is None or float(match[1]) == 0:
        raise UsageError("not a time", "--budget", value=text, hint="write 60s, 10m or 1h")
    return float(match[1]) * _UNITS[match[2]]


def profile(name: str) -> Profile:
    """
    Return a profile by its name.

    Raises:
        UsageError: There is none.
    """
    if name not in PROFILES:
        raise UsageError(
            "unknown profile", "--profile", value=name, hint=f"one of {', '.join(PROFILES)}"
        )
    return PROFILES[name]


@dataclass(frozen=True)
class Generation:
    """
    What a run was asked of its machines.

    Attributes:
        oracle: The adapter that the implementation is held against.
        profile: A name of `PROFILES`.
        examples: Programs a machine draws; None leaves it to the profile.
        budget: Seconds for all machines together, or None.
        seed: Where Hypothesis begins; None is 0 for `quick` and drawn for the others.
        database: A folder of examples that failed before, or None.
        save: Where counterexamples are written.
    """

    oracle: str = ORACLE
    profile: str = "quick"
    examples: int | None = None
    budget: float | None = None
    seed: int | None = None
    database: Path | None = None
    save: Path = FOLDER

    def __post_init__(self) -> None:
        profile(self.profile)
        if self.examples is not None and self.examples < 1:
            raise UsageError(
                "at least one example is needed",
                "--examples",
                value=str(self.examples),
                hint="leave machines out with --no-generated",
            )

    def seeded(self) -> Generation:
        """
        Return the same with its seed drawn, if none was given.
        """
        if self.seed is not None:
            return self
        drawn = 0 if self.profile == "quick" else random.SystemRandom().randrange(_SEEDS)
        return replace(self, seed=drawn)

    @property
    def most_examples(self) -> int:
        """
        How many programs a machine may draw; a budget alone sets no number.
        """
        if self.examples is not None:
            return self.examples
        return UNLIMITED if self.budget is not None else profile(self.profile).examples
