"""
Faults at the edges: callers without a session, folders out of order, letter case, wide characters.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from dsh_reference.errors import Rejected
from dsh_reference.host.commands import ERROR, CommandResult
from dsh_reference.host.composition import Composition
from dsh_reference.host.tools import ToolOutcome
from dsh_reference.tree import folding, js_text, plugin, render, store, texts
from dsh_reference.tree.command import TreeCommand
from dsh_reference.tree.js_text import words
from dsh_reference.tree.marks import Marks
from dsh_reference.tree.model import TreePlan
from dsh_reference.tree.replies import Replies
from dsh_reference.tree.store import Store
from faults.kit import Patch, stage
from faults.kit import tree as fault

# Ids and characters

fault.set(
    "ids_ignore_letter_case",
    "tree.ids.exact",
    TreePlan,
    "find",
    lambda self, node_id: next((n for n in self.walk() if n.id.lower() == node_id.lower()), None),
)
fault.set(
    "the_first_wide_character_counts_once",
    "tree.status.cut-keeps-characters",
    js_text,
    "_FIRST_ASTRAL",
    0x10001,
)
fault.set(
    "the_last_narrow_characters_count_twice",
    "tree.status.result-first-line",
    js_text,
    "_FIRST_ASTRAL",
    0xFFF0,
)

# Words of the command

fault.around(
    "further_words_belong_to_the_id",
    "tree.command.further-words",
    TreeCommand,
    "_drop",
    lambda sound, self, session, rest: sound(self, session, [" ".join(rest)] if rest else []),
)


@fault("tree.command.further-words")
def further_words_are_refused(patch: Patch) -> None:
    def run(sound: Any, self: TreeCommand, agent: Any, line: str) -> CommandResult:
        verb, *rest = words(line) or ["status"]
        if len(rest) > {"done": len(rest), "drop": 1}.get(verb, 0):
            return CommandResult(ERROR, f"{texts.unknown_verb(verb)}\n\n{texts.USAGE}")
        return sound(self, agent, line)

    patch.around(TreeCommand, "__call__", run)


# Callers without a session


@fault("tree.tools.no-session")
def nobody_works_on_the_first_agents_plan(patch: Patch) -> None:
    now: dict[str, Composition] = stage(patch)

    def run(_: Any, body: Any) -> Any:
        def answered(arguments: Any, call: Any) -> ToolOutcome:
            agents = list(now["now"].agents)
            agent = call.agent or (agents[0] if agents else None)
            text = body(agent.session.id if agent else None, arguments)
            return ToolOutcome(text, value={"text": text})

        return answered

    patch.around(plugin, "_run", run)


@fault("tree.tools.no-session")
def plans_of_nobody_are_kept(patch: Patch) -> None:
    patch.around(
        plugin,
        "_run",
        lambda sound, body: sound(lambda session, given: body(session or "nobody", given)),
    )


# A state folder out of order

fault.set(
    "a_cursor_file_that_cannot_be_written_stops_the_step",
    "tree.state.broken-stops-nothing",
    folding,
    "Rejected",
    ZeroDivisionError,
)


@fault("tree.state.broken-stops-nothing")
def a_pause_must_be_stored(patch: Patch) -> None:
    patch.set(plugin, "Marks", lambda kept, **_: Marks(kept))


fault.set(
    "a_pause_that_cannot_be_stored_is_forgotten",
    "tree.pause.holds",
    Store,
    "hold_state",
    lambda _self, _session, _state: None,
)


@fault("tree.autocontinue.stop-is-stop")
def a_stop_that_cannot_be_stored_is_forgotten(patch: Patch) -> None:
    patch.around(
        Store,
        "hold_state",
        lambda sound, self, session, state: sound(self, session, replace(state, stopped=False)),
    )


@fault("tree.state.broken-is-no-plan tree.state.broken-stops-nothing")
def a_file_that_cannot_be_read_is_an_error(patch: Patch) -> None:
    def read(sound: Any, path: Path) -> Any:
        if path.is_dir():
            raise Rejected("the state file cannot be read")
        return sound(path)

    patch.around(store, "_read", read)


@fault("tree.state.broken-stops-nothing")
def create_needs_the_cursor_file(patch: Patch) -> None:
    def create(sound: Any, self: Replies, session: Any, given: Any) -> str:
        if session is not None and self._store._path("surfaces", session).is_dir():
            raise Rejected("the cursor file cannot be read")
        return sound(self, session, given)

    patch.around(Replies, "create", create)


@fault("tree.state.broken-is-no-plan")
def a_plan_that_cannot_be_read_is_an_error(patch: Patch) -> None:
    def read(sound: Any, path: Path) -> Any:
        if path.is_dir() and path.parent.name == "plans":
            raise Rejected("the plan file cannot be read")
        return sound(path)

    patch.around(store, "_read", read)


# The first line of a result

fault.around(
    "a_first_line_keeps_its_blanks",
    "tree.status.result-first-line",
    render,
    "first_line",
    lambda sound, text: f"{sound(text)} " if text.split("\n")[0].endswith(" ") else sound(text),
)


def _split(text: str, units: int) -> str:
    raw = text.encode("utf-16-le")[: 2 * units]
    whole = js_text.cut(text, units)
    return whole if "\U00010000" in text else raw.decode("utf-16-le", "surrogatepass")


fault.set("a_cut_splits_emoji", "tree.status.cut-keeps-characters", render, "cut", _split)
