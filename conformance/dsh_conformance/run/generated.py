"""
The machines of a run: which, against which oracle, and how the time is shared out.
"""

from __future__ import annotations

import time

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.errors import AdapterNeverUp
from dsh_conformance.generate.machines import MACHINES, Setup, ordered, run
from dsh_conformance.generate.profiles import Generation, profile
from dsh_conformance.generate.search import Budget
from dsh_conformance.run.settings import Settings
from dsh_conformance.scenario.results import CaseResult


class Generated:
    """
    Runs machines one after another and shares the budget out among those still to come.

    Args:
        settings: What was asked of the run.
        generation: What was asked of the machines.
        contract: The edition's contract.
        cases: The machines' cases.
    """

    def __init__(
        self, settings: Settings, generation: Generation, contract: Contract, cases: list[str]
    ) -> None:
        self.settings = settings
        self.generation = generation.seeded()
        self.contract = contract
        chosen = [machine for machine in MACHINES if machine.case in cases]
        self.machines = ordered(chosen, generation.database)
        self._left = len(self.machines)
        self._deadline: float | None = None
        self._oracle: Connection | None = None

    def play(self, case: str, tested: Connection, known: object) -> tuple[CaseResult, bool]:
        """
        Run the machine of a case; say what came of it, and whether it was broken off.

        Args:
            case: Its id.
            tested: The implementation.
            known: The books of known failures, or None.

        Raises:
            AdapterNeverUp: The implementation or the oracle is gone for good.
        """
        machine = next(one for one in self.machines if one.case == case)
        setup = Setup(
            self.contract,
            tested,
            self.oracle(),
            self.generation.seed or 0,
            database=self.generation.database,
            folder=self.generation.save,
            known=getattr(known, "expects", lambda _case, _clause: False),
        )
        result, found = run(machine, setup, self._budget())
        self._left -= 1
        return result, found.interrupted

    def oracle(self) -> Connection | None:
        """
        Return the oracle, started at first use; an implementation is not held against itself.

        Raises:
            AdapterNeverUp: It does not come up.
        """
        name = self.generation.oracle
        if name == self.settings.adapter:
            return None
        if self._oracle is None:
            settings = self.settings
            try:
                self._oracle = Connection(
                    name,
                    settings.edition,
                    call_timeout=settings.call_timeout,
                    start_timeout=settings.start_timeout,
                )
            except AdapterNeverUp as error:
                raise AdapterNeverUp(
                    f"the oracle: {error.what}", "--oracle", value=name, hint=error.hint
                ) from error
        return self._oracle

    def close(self) -> None:
        """
        Shut the oracle down.
        """
        if self._oracle is not None:
            self._oracle.close()

    def _budget(self) -> Budget:
        shape, wanted = profile(self.generation.profile), self.generation
        return Budget(
            examples=wanted.most_examples,
            steps=shape.steps,
            findings=shape.findings,
            seconds=self._seconds(),
            shrink_seconds=shape.shrink_seconds,
        )

    def _seconds(self) -> float | None:
        if self.generation.budget is None:
            return None
        if self._deadline is None:
            self._deadline = time.monotonic() + self.generation.budget
        # What a machine leaves over goes to those after it.
        return max(0.1, (self._deadline - time.monotonic()) / max(1, self._left))
