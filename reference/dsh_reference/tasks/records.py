"""
A task as values: what its producer gives, how it ends, and what the registry shows of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dsh_reference.host.deferred import Deferred

RUNNING = "running"
STOPPING = "stopping"
COMPLETED = "completed"
KILLED = "killed"
FAILED = "failed"

TERMINAL = frozenset({COMPLETED, KILLED, FAILED})


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """
    How a task ended, in its producer's words; `output` is what a final-output task leaves behind.
    """

    status: str
    detail: str | None = None
    output: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Work:
    """
    What a producer hands over when its work has begun.

    `cancel` asks the work to stop and may throw; `read_output` makes it a stream task and returns
    what came since the last read. `done` settles once, whatever happened.
    """

    done: Deferred[Outcome]
    cancel: Callable[[str | None], None]
    read_output: Callable[[], str] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Snapshot:
    """
    A task at one moment; times are the clock's milliseconds, what is absent is None.
    """

    id: str
    kind: str
    label: str
    status: str
    started_at: float
    reported: bool
    owner_session: str | None = None
    detail: str | None = None
    finished_at: float | None = None

    @property
    def live(self) -> bool:
        """
        Whether the task has not ended yet.
        """
        return self.status not in TERMINAL


def status_line(snapshot: Snapshot) -> str:
    """
    Return `[status: <status>]`, with the detail after a comma where there is one, be it empty.
    """
    if snapshot.detail is None:
        return f"[status: {snapshot.status}]"
    return f"[status: {snapshot.status}, {snapshot.detail}]"


def public_form(snapshot: Snapshot) -> dict[str, Any]:
    """
    Return a task as a canonical value: what is absent is left out, and so is who was told.
    """
    form = {
        "id": snapshot.id,
        "kind": snapshot.kind,
        "label": snapshot.label,
        "status": snapshot.status,
        "detail": snapshot.detail,
        "startedAt": _plain(snapshot.started_at),
        "finishedAt": _plain(snapshot.finished_at),
    }
    return {key: value for key, value in form.items() if value is not None}


def _plain(ms: float | None) -> float | None:
    """
    Return a time without a fraction that says nothing.
    """
    return int(ms) if ms is not None and ms % 1 == 0 else ms
