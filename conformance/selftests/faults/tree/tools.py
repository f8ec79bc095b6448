"""
Faults in the tools of the tree, its goals, levels, ids and titles.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

from dsh_reference.errors import ToolError
from dsh_reference.host.tools import Tool, ToolOutcome, ToolRegistry
from dsh_reference.tree import js_text, notice, plugin, render, schemas, texts
from dsh_reference.tree import plan as ops
from dsh_reference.tree.levels import Level
from dsh_reference.tree.model import LastIds, TreePlan
from dsh_reference.tree.origin import own_message
from dsh_reference.tree.path import active_path
from dsh_reference.tree.plan import Change, Draft, Refusal
from dsh_reference.tree.replies import Replies
from dsh_reference.tree.store import Store
from faults.kit import Patch
from faults.kit import tree as fault

# The tools


def declares(name: str, clauses: str, change: Callable[[str, dict[str, Any]], Any]) -> None:
    """
    Register a fault in the parameters as the model sees them; the check stays as it is.
    """

    def shown(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
        listed = deepcopy(listed)
        for tool in listed:
            change(tool["name"], tool["parameters"])
        return listed

    fault.after(name, clauses, ToolRegistry, "list", shown)


fault.set("offers_no_drop", "tree.tools.six", schemas, "SCHEMAS", schemas.SCHEMAS[:5])


@fault("tree.tools.six")
def offers_an_undo(patch: Patch) -> None:
    def add(sound: Any, ctx: Any, store: Store) -> None:
        sound(ctx, store)
        empty = {"type": "object", "properties": {}, "additionalProperties": False}
        undo = Tool(
            name="tree_task_undo",
            description="Undo.",
            parameters=empty,
            run=lambda _, __: ToolOutcome(texts.NO_PLAN),
        )
        ctx.on_dispose(ctx.tools.register(undo))

    patch.around(plugin, "_add_tools", add)


declares(
    "result_is_optional",
    "tree.tools.parameters",
    lambda name, schema: schema.update(required=["id"]) if name == schemas.DONE else None,
)
declares(
    "parent_is_called_parent_id",
    "tree.tools.parameters",
    lambda _, s: (
        s["properties"].update(parent_id=s["properties"].pop("parentId"))
        if "parentId" in s["properties"]
        else None
    ),
)
declares(
    "parameters_are_open", "tree.tools.closed", lambda _, s: s.update(additionalProperties=True)
)


@fault("tree.tools.stable")
def descriptions_count_the_changes(patch: Patch) -> None:
    changes = [0]

    def save(sound: Any, *given: Any) -> None:
        changes[0] += 1
        sound(*given)

    patch.around(Store, "save_plan", save)
    patch.after(
        ToolRegistry,
        "list",
        lambda listed: [{**t, "description": f"{t['description']}{changes[0]}"} for t in listed],
    )


def answers(name: str, clauses: str, change: Callable[[str, Any], str], **more: Any) -> None:
    """
    Register a fault in what the tools answer; `change` gets the text and the call.
    """

    def run(sound: Any, body: Any) -> Any:
        def changed(arguments: Any, call: Any) -> ToolOutcome:
            text = change(sound(body)(arguments, call).text, call)
            return ToolOutcome(text, value={"text": text})

        return changed

    fault.around(name, clauses, plugin, "_run", run, **more)


REFUSALS = (
    texts.CREATE_REFUSED,
    texts.PLAN_REFUSED,
    texts.DONE_REFUSED,
    texts.UPDATE_REFUSED,
    texts.DROP_REFUSED,
    texts.NO_PLAN,
)


def _raised(text: str, _: Any) -> str:
    if text.startswith(REFUSALS):
        raise ToolError(text)
    return text


answers("refusals_are_errors", "tree.tools.refusals-are-results", _raised)


@fault("tree.tools.refused-changes-nothing tree.done.needs-result")
def a_refusal_clears_the_plan(patch: Patch) -> None:
    def changed(sound: Any, self: Replies, session: Any, *given: Any) -> str:
        text: str = sound(self, session, *given)
        if text.startswith(REFUSALS) and session is not None:
            self._store.clear(session)
        return text

    patch.around(Replies, "_changed", changed)


def _noted(text: str, call: Any) -> str:
    if call.agent is not None:
        call.agent.session.say(own_message("noted", "noted"))
    return text


answers("tools_write_notes_to_the_log", "tree.tools.write-no-events", _noted)


# Goals, ids, titles


def adds_goal(name: str, clauses: str, add: Callable[..., Any], **more: Any) -> None:
    """
    Register a fault of create; `add` gets the sound operation, the plan, the goal and its tasks.
    """

    def changed(sound: Any, plan: Any, goal: Draft, *, tasks: Any, **more: Any) -> Any:
        return add(lambda p, t: sound(p, goal, tasks=t, **more), plan, tasks)

    fault.around(name, clauses, ops, "add_goal", changed, **more)


adds_goal("a_new_goal_replaces_the_plan", "tree.goals.many", lambda add, _, tasks: add(None, tasks))
adds_goal(
    "a_finished_plan_makes_place",
    "tree.goals.many",
    lambda add, plan, tasks: add(plan if active_path(plan).head else None, tasks),
)
adds_goal(
    "tasks_are_turned_round",
    "tree.create.goal-with-tasks",
    lambda add, plan, tasks: add(plan, list(tasks)[::-1]),
)
adds_goal(
    "one_task_is_enough",
    "tree.create.goal-with-tasks",
    lambda add, plan, tasks: add(plan, tasks[:1]),
)
adds_goal(
    "a_goal_needs_no_task",
    "tree.create.needs-a-task tree.tools.refused-changes-nothing",
    lambda add, plan, tasks: add(plan, tasks or [Draft("task")]),
)
fault.text(
    "a_made_plan_has_other_words", "tree.create.reply", texts, "PLAN_CREATED", "已建立", "建好了"
)
fault.set(
    "a_new_goal_has_other_words", "tree.create.reply", texts, "goal_added", lambda title: title
)


@fault("tree.ids.unique")
def ids_count_from_one_each_time(patch: Patch) -> None:
    patch.set(
        LastIds,
        "following",
        lambda _, level, count: [f"{level.prefix}-{place}" for place in range(1, count + 1)],
    )


fault.set(
    "ids_hold_blanks",
    "tree.ids.unique",
    LastIds,
    "following",
    lambda self, level, count: [
        f"{level.prefix} {getattr(self, level.value) + place}" for place in range(1, count + 1)
    ],
)
fault.around(
    "ids_are_trimmed_first",
    "tree.ids.exact",
    TreePlan,
    "find",
    lambda sound, self, node: sound(self, node.strip()),
)


def _trims(name: str, clauses: str, trim: Callable[[str], str], **more: Any) -> None:
    def apply(patch: Patch) -> None:
        for module in (ops, notice, render):
            patch.set(module, "trim", trim)

    fault.plant(name, clauses, apply, more)


_trims(
    "texts_are_kept_untrimmed",
    "tree.titles.trimmed tree.done.result-trimmed",
    lambda text: text if js_text.trim(text) else "",
)
_trims("lines_are_joined", "tree.titles.trimmed", lambda text: " ".join(text.split()))
_trims("trims_as_python_does_not_as_ecmascript", "tree.text.white-space", str.strip)
fault.set(
    "untitled_nodes_have_other_words",
    "tree.titles.placeholder",
    texts,
    "untitled",
    lambda level: f"({level.value})",
)


# Levels and children


def adds_children(name: str, clauses: str, add: Callable[..., Any], **more: Any) -> None:
    """
    Register a fault of plan; `add` gets the sound operation, the plan, the parent and the drafts.
    """

    def changed(sound: Any, plan: TreePlan, parent_id: str, *, drafts: Any, **more: Any) -> Any:
        def again(of: str = parent_id, given: Any = drafts) -> Any:
            return sound(plan, of, drafts=given, **more)

        return add(again, plan, plan.find(parent_id), drafts)

    fault.around(name, clauses, ops, "add_children", changed, **more)


def _beside(add: Any, plan: TreePlan, parent: Any, _: Any) -> Any:
    if parent is None or parent.level is not Level.STEP:
        return add()
    return add(
        next(task.id for goal in plan.goals for task in goal.children if parent in task.children)
    )


adds_children("a_step_is_broken_down", "tree.levels.three", _beside)


def _in_front(add: Any, plan: TreePlan, parent: Any, _: Any) -> Any:
    change = add()
    if isinstance(change, Refusal):
        return change
    turned = replace(parent, children=(*change.nodes, *parent.children))
    return Change(ops._with(plan, turned, plan.updated_at), change.nodes)


adds_children("new_children_come_first", "tree.plan.adds-children", _in_front)
adds_children(
    "looks_at_the_children_before_the_parent",
    "tree.plan.refusals",
    lambda add, _, __, drafts: add() if drafts else Refusal(texts.NEEDS_A_CHILD),
)
adds_children(
    "ended_parents_take_no_children",
    "tree.plan.ended-parent",
    lambda add, _, parent, __: (
        add() if parent is None or parent.pending else Refusal(texts.already_done(parent.id))
    ),
)
adds_children(
    "a_checkpoint_takes_no_children",
    "tree.checkpoint.reopens",
    lambda add, plan, parent, _: (
        Change(plan, change.nodes)
        if isinstance(change := add(), Change) and parent is active_path(plan).checkpoint
        else change
    ),
)
fault.set(
    "added_children_are_not_counted",
    "tree.plan.reply",
    texts,
    "children_added",
    lambda _, level: f"已添加{level.label}：",
)
