"""
`/task-tree`: what a person does to the tree without the model.
"""

from __future__ import annotations

from collections.abc import Callable

from dsh_reference.host.agents import Agent
from dsh_reference.host.commands import ERROR, SUCCESS, CommandResult
from dsh_reference.tree import plan as ops
from dsh_reference.tree import texts
from dsh_reference.tree.gate import PauseGate
from dsh_reference.tree.js_text import words
from dsh_reference.tree.marks import Marks
from dsh_reference.tree.model import TreePlan
from dsh_reference.tree.path import active_path, checkpoint_sentence
from dsh_reference.tree.plan import Change, Refusal
from dsh_reference.tree.render import tree_text
from dsh_reference.tree.replies import dropped_line
from dsh_reference.tree.store import Store

NAME = "task-tree"


class TreeCommand:
    """
    The command of an enabled plugin: first word a verb, the rest its arguments.
    """

    def __init__(
        self, store: Store, marks: Marks, gate: PauseGate, *, auto: bool, now: Callable[[], int]
    ) -> None:
        self._store = store
        self._marks = marks
        self._gate = gate
        self._auto = auto
        self._now = now
        self._verbs = {
            "status": self._status,
            "help": self._help,
            "pause": self._pause,
            "stop": self._pause,  # The name that pause once had.
            "resume": self._resume,
            "reset": self._reset,
            "done": self._done,
            "drop": self._drop,
        }

    def __call__(self, agent: Agent | None, line: str) -> CommandResult:
        """
        Run what follows the command's name.
        """
        if agent is None:
            return CommandResult(ERROR, texts.NO_SESSION)
        verb, *rest = words(line) or ["status"]
        run = self._verbs.get(verb)
        if run is None:
            return _usage_error(texts.unknown_verb(verb))
        return run(agent.session.id, rest)

    def _status(self, session: str, _: list[str]) -> CommandResult:
        plan = self._store.plan(session)
        return _success(tree_text(plan), status_line(plan), texts.USAGE)

    def _help(self, _session: str, _: list[str]) -> CommandResult:
        return _success(texts.USAGE)

    def _pause(self, session: str, _: list[str]) -> CommandResult:
        self._gate.pause(session)
        return _success(texts.PAUSED)

    def _resume(self, session: str, _: list[str]) -> CommandResult:
        self._gate.resume(session)
        if not self._auto:
            return _success(texts.RESUMED_PLAIN)
        if self._marks.stopped(session):
            return _success(texts.RESUMED_INTERRUPTED)
        return _success(texts.RESUMED_AUTO)

    def _reset(self, session: str, _: list[str]) -> CommandResult:
        self._store.clear(session)
        return _success(texts.RESET)

    def _done(self, session: str, rest: list[str]) -> CommandResult:
        if not rest:
            return _usage_error(texts.DONE_USAGE)
        node_id, *result = rest
        if not result:
            return CommandResult(ERROR, texts.RESULT_MISSING)
        text = " ".join(result)
        return self._changed(
            session,
            lambda plan: ops.complete(plan, node_id, result=text, now=self._now()),
            texts.DONE_REFUSED,
            _done_lines,
        )

    def _drop(self, session: str, rest: list[str]) -> CommandResult:
        if not rest:
            return _usage_error(texts.DROP_USAGE)
        return self._changed(
            session,
            lambda plan: ops.drop(plan, rest[0], now=self._now()),
            texts.DROP_REFUSED,
            dropped_line,
        )

    def _changed(
        self,
        session: str,
        change_plan: Callable[[TreePlan], Change | Refusal],
        refused: str,
        head: Callable[[Change], str],
    ) -> CommandResult:
        plan = self._store.plan(session)
        if plan is None:
            return CommandResult(ERROR, texts.NO_SESSION_PLAN)
        change = change_plan(plan)
        if isinstance(change, Refusal):
            return CommandResult(ERROR, refused + change.reason)
        self._store.save_plan(session, change.plan)
        return _success(head(change), tree_text(change.plan))


class OffCommand:
    """
    All that is left of a plugin that is switched off: it says so, and shows a plan that is there.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def __call__(self, agent: Agent | None, line: str) -> CommandResult:
        """
        Run what follows the command's name.
        """
        if agent is None:
            return CommandResult(ERROR, texts.NO_SESSION)
        verb = (words(line) or ["status"])[0]
        if verb == "status":
            tree = tree_text(self._store.plan(agent.session.id))
            return _success(tree, texts.OFF_NOTE, texts.USAGE)
        if verb == "help":
            return _success(texts.OFF_NOTE, texts.USAGE)
        return CommandResult(ERROR, f"{texts.OFF_NOTE}\n\n{texts.OFF_REFUSAL}")


def status_line(plan: TreePlan | None) -> str:
    """
    Say where a session stands.
    """
    if plan is None:
        return texts.NO_SESSION_PLAN_STATUS
    path = active_path(plan)
    if path.head is None:
        return texts.ALL_FINISHED_STATUS
    line = texts.checkpoint_status if path.checkpoint else texts.current_status
    return line(path.head.level, path.head.title, path.head.id)


def _done_lines(change: Change) -> str:
    done = texts.completed(change.nodes[0].level, change.nodes[0].title)
    checkpoint = active_path(change.plan).checkpoint
    return f"{done}\n{checkpoint_sentence(checkpoint)}" if checkpoint else done


def _success(*parts: str) -> CommandResult:
    return CommandResult(SUCCESS, "\n\n".join(parts))


def _usage_error(text: str) -> CommandResult:
    return CommandResult(ERROR, f"{text}\n\n{texts.USAGE}")
