"""
What the tools answer: each body changes the stored plan once, and returns text.

A refusal is an ordinary answer, so that the model reads why and goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsh_reference.tree import plan as ops
from dsh_reference.tree import texts
from dsh_reference.tree.model import TreePlan
from dsh_reference.tree.path import next_sentence
from dsh_reference.tree.plan import Change, Draft, Refusal
from dsh_reference.tree.render import tree_text
from dsh_reference.tree.store import Store

Arguments = dict[str, Any]


class Replies:
    """
    The six bodies; `session` is None for a caller that has none, and then nothing is stored.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now

    def status(self, session: str | None, _: Arguments) -> str:
        """
        Show the tree.
        """
        return tree_text(self._plan(session))

    def create(self, session: str | None, arguments: Arguments) -> str:
        """
        Add a goal with its tasks.
        """
        if session is None:
            return texts.CREATE_REFUSED + texts.NO_SESSION
        plan = self._plan(session)
        change = ops.add_goal(
            plan,
            _draft(arguments),
            tasks=[_draft(task) for task in arguments["tasks"]],
            last=self._store.state(session).last_ids,
            now=self._now(),
        )
        if isinstance(change, Refusal):
            return texts.CREATE_REFUSED + change.reason
        head = texts.goal_added(change.nodes[0].title) if plan else texts.PLAN_CREATED
        self._store.save_plan(session, change.plan)
        return _paragraphs(head, tree_text(change.plan), texts.CREATED_NEXT)

    def plan(self, session: str | None, arguments: Arguments) -> str:
        """
        Add tasks to a goal, or steps to a task.
        """
        plan = self._plan(session)
        if session is None or plan is None:
            return texts.NO_PLAN_TO_GROW
        change = ops.add_children(
            plan,
            arguments["parentId"],
            drafts=[_draft(child) for child in arguments["children"]],
            last=self._store.state(session).last_ids,
            now=self._now(),
        )
        if isinstance(change, Refusal):
            return texts.PLAN_REFUSED + change.reason
        self._store.save_plan(session, change.plan)
        head = texts.children_added(len(change.nodes), change.nodes[0].level)
        lines = [head, *(f"  {node.id}  {node.title}" for node in change.nodes)]
        return _paragraphs("\n".join(lines), tree_text(change.plan))

    def done(self, session: str | None, arguments: Arguments) -> str:
        """
        Complete a node, and say what comes next.
        """
        return self._changed(
            session,
            lambda plan: ops.complete(
                plan, arguments["id"], result=arguments["result"], now=self._now()
            ),
            texts.DONE_REFUSED,
            lambda change: texts.MESSAGE_PREFIX + next_sentence(change.plan),
        )

    def update(self, session: str | None, arguments: Arguments) -> str:
        """
        Change title or detail of a node.
        """
        fields = ops.edits(arguments.get("title"), arguments.get("detail"))
        return self._changed(
            session,
            lambda plan: ops.edit(plan, arguments["id"], fields=fields, now=self._now()),
            texts.UPDATE_REFUSED,
            lambda change: _paragraphs(texts.updated(list(fields)), tree_text(change.plan)),
        )

    def drop(self, session: str | None, arguments: Arguments) -> str:
        """
        Drop a node with what is open below it, and say what comes next.
        """
        return self._changed(
            session,
            lambda plan: ops.drop(plan, arguments["id"], now=self._now()),
            texts.DROP_REFUSED,
            lambda change: _paragraphs(
                dropped_line(change), tree_text(change.plan), next_sentence(change.plan)
            ),
        )

    def _changed(
        self,
        session: str | None,
        change_plan: Callable[[TreePlan], Change | Refusal],
        refused: str,
        reply: Callable[[Change], str],
    ) -> str:
        plan = self._plan(session)
        if session is None or plan is None:
            return texts.NO_PLAN
        change = change_plan(plan)
        if isinstance(change, Refusal):
            return refused + change.reason
        self._store.save_plan(session, change.plan)
        return reply(change)

    def _plan(self, session: str | None) -> TreePlan | None:
        return None if session is None else self._store.plan(session)


def dropped_line(change: Change) -> str:
    """
    Name what was dropped, the node first.
    """
    return texts.dropped([texts.named(node.level, node.title) for node in change.nodes])


def _draft(arguments: Arguments) -> Draft:
    return Draft(arguments["title"], arguments.get("detail", ""))


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(parts)
