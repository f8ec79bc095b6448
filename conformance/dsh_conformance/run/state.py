"""
What one run holds, whether pytest plays it or the command line.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from dsh_conformance.adapter.connection import Client, Connection
from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.errors import TRACEBACK, DshError, internal_error
from dsh_conformance.run.events import Listener
from dsh_conformance.run.selection import Cases, load_all, machine_cases, select
from dsh_conformance.run.settings import Settings
from dsh_conformance.run.summary import Summary
from dsh_conformance.scenario.model import Scenario
from dsh_conformance.scenario.player import play
from dsh_conformance.scenario.results import CaseResult

if TYPE_CHECKING:
    from dsh_conformance.run.generated import Generated
    from dsh_conformance.run.known.ledger import Ledger


class RunState:
    """
    Settings, cases, the adapter once it is needed, and the results so far.

    Args:
        settings: What was asked.
        listeners: Who wants to hear of it.
        client: The adapter, if it was started already.
    """

    def __init__(
        self,
        settings: Settings,
        listeners: tuple[Listener, ...] = (),
        client: Client | None = None,
    ) -> None:
        self.settings = settings
        self.listeners = listeners
        self.selected: list[str] = []
        self.under_way = False
        self.fatal: DshError | None = None
        self.interrupted = False
        self.others_failed = False
        self._generated: Generated | None = None
        self._connection: Connection | None = None
        self._started = client

    def prepare(self) -> None:
        """
        Read everything that the run rests on, so that a mistake in it is told first.

        Raises:
            UsageError: A file or an option is wrong.
        """
        _ = self.summary, self.cases

    @cached_property
    def everything(self) -> Cases:
        """
        The contract and every scenario.
        """
        return load_all(self.settings)

    @cached_property
    def cases(self) -> tuple[Contract, list[Scenario]]:
        """
        The contract and the scenarios chosen.
        """
        return self.everything.contract, select(self.settings, self.everything)

    @cached_property
    def machines(self) -> list[str]:
        """
        The machines' cases chosen, in the order they are run.
        """
        chosen = machine_cases(self.settings, self.contract)
        generation = self.settings.generation
        # Only what failed before changes the order, and nobody else need wait for Hypothesis here.
        if not chosen or generation is None or generation.database is None:
            return chosen
        return [machine.case for machine in self._generator(chosen).machines]

    def _generator(self, chosen: list[str]) -> Generated:
        if self._generated is None:
            from dsh_conformance.run.generated import Generated  # noqa: PLC0415  # As above.

            generation = self.settings.generation
            assert generation is not None  # noqa: S101  # There are machines.
            self._generated = Generated(self.settings, generation, self.contract, chosen)
        return self._generated

    @cached_property
    def ledger(self) -> Ledger | None:
        """
        The books of known failures, if there is a file of them.

        Raises:
            DataError: The file is unfit for this run.
        """
        path = self.settings.known_failures
        if path is None:
            return None
        from dsh_conformance.run.known.fit import open_ledger  # noqa: PLC0415  # Many have no file.

        return open_ledger(path, self.everything)

    @property
    def contract(self) -> Contract:
        """
        The contract of the edition.
        """
        return self.cases[0]

    @cached_property
    def summary(self) -> Summary:
        """
        The results so far.
        """
        return Summary(self.contract, strict=self.settings.strict, ledger=self.ledger)

    @property
    def connection(self) -> Connection:
        """
        The adapter, started at first use and kept for the whole run.
        """
        if self._connection is None:
            settings = self.settings
            self._connection = Connection(
                settings.adapter,
                settings.edition,
                call_timeout=settings.call_timeout,
                start_timeout=settings.start_timeout,
                client=self._started,
            )
            self._started = None
        return self._connection

    def play(self, scenario: Scenario) -> CaseResult:
        """
        Play one case.

        Raises:
            AdapterNeverUp: No further case can be played.
        """
        try:
            result = play(scenario, self.connection, self.contract)
        except DshError:
            raise
        except Exception as error:
            if os.environ.get(TRACEBACK):
                raise
            self.connection.drop()  # What it still has to answer must not meet the next case.
            reason = str(internal_error(error))
            result = CaseResult(
                scenario.id, "unverified", scenario.clauses, reason=reason, kind="error"
            )
        return self.marked(result)

    def play_machine(self, case: str) -> tuple[CaseResult, bool]:
        """
        Run one machine; say what came of it, and whether the user broke it off.

        Raises:
            AdapterNeverUp: No further case can be played.
        """
        generator = self._generator(self.machines)
        result, interrupted = generator.play(case, self.connection, self.ledger)
        return self.marked(result), interrupted

    def marked(self, result: CaseResult) -> CaseResult:
        """
        Return a result with its known failures marked.
        """
        return result if self.ledger is None else self.ledger.mark(result)

    def meet(self) -> None:
        """
        Bring the adapter up once and let it go: the cases are played elsewhere.

        Raises:
            AdapterNeverUp: It does not come up.
        """
        _ = self.connection
        self.close()

    def announce(self) -> None:
        """
        Tell the listeners that the adapter is up.
        """
        info = self.connection.info
        self.under_way = True
        for listener in self.listeners:
            listener.started(self.settings, info, len(self.selected))

    def record(self, result: CaseResult) -> None:
        """
        Take in a result and pass it on.
        """
        self.summary.add(result)
        for listener in self.listeners:
            listener.played(self.summary.results[-1])

    def close(self) -> None:
        """
        Shut the adapter down.
        """
        if self._generated is not None:
            self._generated.close()
        if self._started is not None:
            self._started.kill()
            self._started = None
        if self._connection is not None:
            remark = self._connection.close()
            if remark is not None:
                self.summary.remarks.append(remark)

    def finish(self, broken_off: str) -> None:
        """
        Shut the adapter down and tell the listeners that a run which was announced is over.

        Args:
            broken_off: Why not every case was played, or empty.

        Raises:
            UsageError: A report cannot be written.
        """
        self.close()
        missing = len(self.selected) - len(self.summary.results)
        unplayed = f"{missing} of {len(self.selected)} cases were never played"
        self.summary.broken_off = broken_off or (unplayed if missing > 0 else "")
        for listener in self.listeners:
            listener.finished(self.summary)
