"""
A task as the registry keeps it: the producer's work, what became of it, and who waits for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dsh_reference.host.agents import Agent
from dsh_reference.host.deferred import Deferred
from dsh_reference.tasks.records import RUNNING, TERMINAL, Outcome, Snapshot, Work
from dsh_reference.tasks.waits import WaitingRoom


@dataclass(eq=False, kw_only=True, slots=True)
class Entry:
    """
    One registered task; `number` is its place among all tasks of the registry.
    """

    number: int
    id: str
    kind: str
    label: str
    owner: Agent | None
    work: Work
    started_at: float
    finished_at: float | None = None
    status: str = RUNNING
    outcome: Outcome | None = None
    reported: bool = False
    room: WaitingRoom = field(default_factory=WaitingRoom)
    _ended: Deferred[None] | None = None

    @property
    def session(self) -> str | None:
        """
        The id of the session that may use it, None for everyone.
        """
        return None if self.owner is None else self.owner.session.id

    @property
    def live(self) -> bool:
        """
        Whether no outcome has been recorded yet.
        """
        return self.status not in TERMINAL

    def finish(self, outcome: Outcome, at: float) -> None:
        """
        Record how it ended.
        """
        self.status, self.outcome, self.finished_at = outcome.status, outcome, at

    def ended(self) -> Deferred[None]:
        """
        Return what settles when its end has been recorded and told.
        """
        self._ended = self._ended or Deferred()
        return self._ended

    def close(self) -> None:
        """
        Let those go on who waited for the end to be told.
        """
        if self._ended is not None:
            self._ended.resolve(None)

    def read(self) -> str:
        """
        Return the next delta of a stream task, or what a final-output task left behind so far.
        """
        if self.work.read_output is not None:
            return self.work.read_output()
        return (self.outcome and self.outcome.output) or ""

    def snapshot(self) -> Snapshot:
        """
        Show it as it is now.
        """
        return Snapshot(
            id=self.id,
            kind=self.kind,
            label=self.label,
            status=self.status,
            started_at=self.started_at,
            reported=self.reported,
            owner_session=self.session,
            detail=None if self.outcome is None else self.outcome.detail,
            finished_at=self.finished_at,
        )
