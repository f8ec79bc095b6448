"""
Faults of the panel.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from dsh_reference.tree import panel
from dsh_reference.tree.codec import SessionState
from dsh_reference.tree.model import TreePlan
from dsh_reference.tree.panel import Panel
from faults.kit import Patch, memory
from faults.kit import tree as fault

# Panel


def strips(name: str, clauses: str, change: Callable[..., dict[str, Any]]) -> None:
    """
    Register a fault of the strip; `change` gets the sound one, the plan and the state.
    """
    fault.around(
        name,
        clauses,
        panel,
        "strip",
        lambda sound, plan, state: change(sound(plan, state), plan, state),
    )


def rows(name: str, clauses: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """
    Register a fault in what a row shows.
    """
    fault.after(name, clauses, panel, "_row", lambda row: row | change(row))


fault.around(
    "an_empty_strip_takes_room",
    "tree.panel.nothing-without-plan",
    Panel,
    "strip",
    lambda sound, self, session: (
        sound(self, session)
        or panel.strip(TreePlan(goals=(), created_at=0, updated_at=0), SessionState())
    ),
)
fault.set("running_is_called_busy", "tree.panel.phase", panel, "RUNNING", ("running", "忙"))
fault.set("all_finished_is_running", "tree.panel.phase", panel, "COMPLETE", panel.RUNNING)


@fault("tree.panel.phase-order")
def a_checkpoint_goes_before_the_pause(patch: Patch) -> None:
    patch.around(
        panel,
        "_phase",
        lambda sound, path, state: (
            sound(path, SessionState()) if path.checkpoint else sound(path, state)
        ),
    )


fault.set(
    "the_active_node_is_the_heading",
    "tree.panel.heading",
    panel,
    "_heading",
    lambda plan: (panel.active_path(plan).head or plan.goals[-1]).title,
)
fault.set(
    "the_last_goal_is_the_heading",
    "tree.panel.heading-several",
    panel,
    "_heading",
    lambda plan: plan.goals[-1].title,
)
fault.set(
    "the_first_goal_is_the_heading",
    "tree.panel.heading-several",
    panel,
    "_heading",
    lambda plan: plan.goals[0].title,
)
strips(
    "progress_names_no_node",
    "tree.panel.progress",
    lambda strip, *_: {**strip, "progress": strip["progress"].split(" · ")[0]},
)
strips(
    "dropped_nodes_count_as_finished",
    "tree.panel.progress",
    lambda strip, plan, _: {
        **strip,
        "progress": re.sub(
            r"^\d+", str(sum(not node.pending for node in plan.walk())), strip["progress"]
        ),
    },
)
strips(
    "pause_is_always_offered",
    "tree.panel.buttons",
    lambda strip, *_: {**strip, "buttons": ["暂停", *strip["buttons"][1:]]},
)
strips(
    "the_plan_cannot_be_cleared",
    "tree.panel.buttons",
    lambda strip, *_: {
        **strip,
        "buttons": [label for label in strip["buttons"] if label != "清空计划"],
    },
)
strips(
    "resume_is_offered_after_a_pause_alone",
    "tree.panel.buttons",
    lambda strip, _, state: {
        **strip,
        "buttons": ["继续" if state.paused else "暂停", *strip["buttons"][1:]],
    },
)
strips(
    "only_a_pause_counts_as_stopped",
    "tree.panel.held",
    lambda strip, _, state: {**strip, "stopped": state.paused},
)
strips(
    "a_pause_counts_as_no_stop",
    "tree.panel.held",
    lambda strip, _, state: {**strip, "stopped": state.stopped},
)
strips(
    "a_stop_counts_as_a_pause",
    "tree.panel.held",
    lambda strip, *_: {**strip, "paused": strip["stopped"]},
)
fault.set("the_bar_is_taller", "tree.panel.height", panel, "BAR_HEIGHT", 40)
fault.set("the_strip_is_fetched_in_seconds", "tree.panel.poll", panel, "POLL_MS", 4)
strips("notes_are_left_out", "tree.panel.notes", lambda strip, *_: {**strip, "notes": []})
rows("everything_is_open", "tree.panel.open-by-default", lambda _: {"open": True})
rows("nothing_is_open", "tree.panel.open-by-default", lambda _: {"open": False})
rows("rows_have_no_marks", "tree.panel.marks", lambda _: {"tags": [], "current": False})
rows("long_titles_are_cut", "tree.panel.full-titles", lambda row: {"title": row["title"][:20]})
rows(
    "finished_nodes_have_actions",
    "tree.panel.node-actions",
    lambda _: {"actions": ["done", "drop"]},
)
rows("rows_have_no_details", "tree.panel.row", lambda _: {"detail": ""})
rows("rows_have_no_time", "tree.panel.row", lambda _: {"resultAt": None})


@fault("tree.panel.follows")
def the_panel_shows_its_first_look(patch: Patch) -> None:
    seen = memory(patch)

    def strip(sound: Any, self: Panel, session: str) -> Any:
        now = sound(self, session)
        return seen.setdefault(session, now) if now is not None else None

    patch.around(Panel, "strip", strip)
