"""
What the three tools do, and how their results read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dsh_reference.errors import ToolError
from dsh_reference.host.deferred import Deferred
from dsh_reference.host.tools import Call, ToolOutcome
from dsh_reference.tasks.config import Config
from dsh_reference.tasks.records import Snapshot, public_form, status_line
from dsh_reference.tasks.registry import TaskRegistry
from dsh_reference.tasks.wording import json_text

NO_OUTPUT = "(no new output)"

_NO_TASKS = "(no {background}s)"
_ROW = "{id} [{kind}] {status} — {label}"
_KILL_ANSWERS = {
    True: ("requested cancellation of {noun} {id}", "cancellation-requested"),
    False: ("{noun} {id} had already finished {status}", "already-finished"),
}
_BAD_ID = "invalid {parameter}: expected a non-empty string, got {value}"


class TaskTools:
    """
    The tools of one plugin on one registry, in the registry's words.
    """

    def __init__(self, registry: TaskRegistry, config: Config) -> None:
        self._registry = registry
        self._config = config
        self._words = registry.words

    def output(self, arguments: dict[str, Any], call: Call) -> ToolOutcome | Deferred[ToolOutcome]:
        """
        Return new output and the status; with `wait: true` once the task has ended, or in time.
        """
        task_id = self._id(arguments)
        if arguments.get("wait") is not True:
            return self._read(task_id, call)
        wished = arguments.get("timeout_ms", self._config.wait_timeout_ms)
        timeout = min(wished, self._config.max_wait_timeout_ms)
        waited = self._registry.wait(task_id, timeout, caller=call.agent, signal=call.signal)
        return _then(waited, lambda _: self._read(task_id, call))

    def listing(self, _: dict[str, Any], call: Call) -> ToolOutcome:
        """
        Return one line for each task the caller may see.
        """
        tasks = self._registry.list(call.agent)
        rows = [
            _ROW.format(id=task.id, kind=task.kind, status=task.status, label=task.label)
            for task in tasks
        ]
        text = "\n".join(rows) or _NO_TASKS.format(background=self._words.background)
        return self._outcome(text, [public_form(task) for task in tasks])

    def kill(self, arguments: dict[str, Any], call: Call) -> ToolOutcome:
        """
        Ask a task to stop, or tell how it ended; either way its output stays to be read.
        """
        task_id = self._id(arguments)
        with _producer_errors():
            requested, task = self._registry.kill(
                task_id, arguments.get("reason"), caller=call.agent
            )
        template, outcome = _KILL_ANSWERS[requested]
        noun = self._words.noun
        text = template.format(noun=noun, id=task_id, status=status_line(task))
        return self._outcome(text, {"outcome": outcome, noun: public_form(task)})

    def _read(self, task_id: str, call: Call) -> ToolOutcome:
        with _producer_errors():
            reading = self._registry.read(task_id, caller=call.agent)
        text, task = reading.text, reading.snapshot
        return self._outcome(
            render(text, task), {"text": text, self._words.noun: public_form(task)}
        )

    def _outcome(self, text: str, value: Any) -> ToolOutcome:
        return ToolOutcome(text, value if self._words.values else None)

    def _id(self, arguments: dict[str, Any]) -> str:
        parameter = self._words.parameter
        task_id: str = arguments[parameter]
        if not task_id:
            raise ToolError(_BAD_ID.format(parameter=parameter, value=json_text(task_id)))
        return task_id


def render(text: str, task: Snapshot) -> str:
    """
    Return the output, or that there is none, and the status on a line of its own.
    """
    body = text or NO_OUTPUT
    joint = "" if body.endswith("\n") else "\n"
    return f"{body}{joint}{status_line(task)}"


@contextmanager
def _producer_errors() -> Iterator[None]:
    """
    Let an error of a task's producer reach the caller as a refusal: the tool itself is sound.
    """
    try:
        yield
    except ToolError:
        raise
    except Exception as error:
        raise ToolError(str(error)) from error


def _then(
    waited: Deferred[Snapshot], answer: Callable[[Snapshot], ToolOutcome]
) -> Deferred[ToolOutcome]:
    """
    Answer when the wait is over; its error is the answer's.
    """
    later: Deferred[ToolOutcome] = Deferred()

    def on_value(task: Snapshot) -> None:
        try:
            later.resolve(answer(task))
        except ToolError as error:
            later.reject(error)

    waited.then(on_value, later.reject)
    return later
