"""
The methods of the protocol that drive background work.
"""

# ruff: noqa: A002  # `id` is the wire's name for a task's id.

from __future__ import annotations

import importlib
from typing import Any

from dsh_reference.adapter_stage import Json, Stage
from dsh_reference.errors import Rejected


class Tasks:
    """
    `tasks.*`: producers under control, on the composition's task registry.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def tasks_start(
        self,
        *,
        kind: str,
        label: str,
        mode: str,
        owner: str | None = None,
        onCancel: str = "ignore",
        onStart: str = "ok",
    ) -> Json:
        """
        Start work for an agent, or for nobody.
        """
        started = self._control().start(
            kind=kind,
            label=label,
            owner=self._stage.owner(owner),
            mode=mode,
            on_cancel=onCancel,
            on_start=onStart,
        )
        return {"id": started}

    def tasks_emit(self, *, id: str, text: str | None = None, base64: str | None = None) -> Json:
        """
        Produce output, as text or as bytes.
        """
        self._control().emit(id, text=text, base64=base64)
        return {}

    def tasks_settle(
        self,
        *,
        id: str,
        status: str = "completed",
        detail: str | None = None,
        output: str | None = None,
        reject: str | None = None,
    ) -> Json:
        """
        End the work.
        """
        self._control().settle(id, status=status, detail=detail, output=output, reject=reject)
        return {}

    def tasks_cancellations(self, *, id: str) -> Json:
        """
        Return the reasons of the cancellations that the producer was asked for.
        """
        return {"reasons": self._control().cancellations(id)}

    def _control(self) -> Any:
        registry = self._stage.composition.services.get("tasks")
        if registry is None:
            raise Rejected('no service "tasks" is mounted')
        if "producers" not in self._stage.kept:
            producers: Any = importlib.import_module("dsh_reference.tasks.producers")
            self._stage.kept["producers"] = producers.ProducerControl(registry)
        return self._stage.kept["producers"]
