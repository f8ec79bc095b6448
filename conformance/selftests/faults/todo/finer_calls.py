"""
Finer faults in what a call knows of earlier calls and of other sessions.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from typing import Any

from dsh_reference import todo as T  # noqa: N812  # Named at every turn below.
from dsh_reference.errors import ToolError
from dsh_reference.host.composition import Composition
from dsh_reference.host.log import Session
from dsh_reference.host.projections import ProjectionRegistry
from dsh_reference.host.tools import Call, ToolOutcome
from faults.kit import Patch, memory, stage
from faults.kit import todo as fault

Todo = dict[str, Any]


def _active(todos: list[Todo]) -> int:
    return sum(todo["status"] == "in_progress" for todo in todos)


# The earlier list


def remembers(name: str, is_wrong: Any, *, refused: bool = False) -> None:
    """
    Register a fault that holds a list against the one before; `refused`: against refused ones too.
    """

    def apply(patch: Patch) -> None:
        last = memory(patch)

        def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
            earlier, todos = last.get(call.agent, []), arguments["todos"]
            if refused:
                last[call.agent] = todos
            if is_wrong(earlier, todos):
                raise ToolError("this does not go with the earlier list")
            result: ToolOutcome = sound(arguments, call, **more)
            last[call.agent] = [] if refused else todos
            return result

        patch.around(T, "_write", run)

    fault.plant(name, "todo.write.stands-alone", apply, {})


def _named(todos: list[Todo]) -> list[str]:
    return [todo["content"] for todo in todos]


remembers(
    "active_items_that_are_left_out_still_count",
    lambda earlier, todos: bool(
        _active(todos)
        and [
            t for t in earlier if t["status"] == "in_progress" and t["content"] not in _named(todos)
        ]
    ),
)
remembers(
    "contents_that_change_places_are_duplicates",
    lambda earlier, todos: any(
        text in _named(earlier) and _named(earlier).index(text) != place
        for place, text in enumerate(_named(todos))
    ),
)
remembers(
    "contents_of_a_refused_list_are_duplicates",
    lambda earlier, todos: bool({*_named(earlier)} & {*_named(todos)}),
    refused=True,
)


@fault("todo.write.stands-alone")
def lists_from_before_a_restart_count(patch: Patch) -> None:
    reloaded = memory(patch)

    def reload(sound: Any, self: Composition) -> Composition:
        fresh = sound(self)
        reloaded["yes"] = True
        return fresh

    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        events = call.agent.session.events if call.agent and reloaded else ()
        earlier = [todo for event in events if event["type"] == T.EVENT for todo in event["todos"]]
        if {*_named(earlier)} & {*_named(arguments["todos"])}:
            raise ToolError("a task of that name is there")
        return sound(arguments, call, **more)

    patch.around(Composition, "reload", reload)
    patch.around(T, "_write", run)


# Sessions


@fault("todo.owner.no-shared-scope")
def a_session_writes_to_the_one_it_is_named_after(patch: Patch) -> None:
    now = stage(patch)

    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        result: ToolOutcome = sound(arguments, call, **more)
        own = call.agent.session.id
        for session in now["now"].sessions.values():
            if own.startswith(f"{session.id}-"):
                session.append({"type": T.EVENT, "todos": arguments["todos"]})
        return result

    patch.around(T, "_write", run)


@fault("todo.owner.no-shared-scope")
def a_turn_clears_the_lists_of_all_sessions(patch: Patch) -> None:
    now = stage(patch)

    def append(sound: Any, self: Session, event: Any) -> Any:
        seq = sound(self, event)
        sessions = list(now["now"].sessions.values()) if event["type"] == "turn/start" else []
        for session in sessions if self in sessions else ():
            if session is not self:
                sound(session, event)
        return seq

    patch.around(Session, "append", append)


@fault("todo.owner.required")
def success_is_claimed_where_no_agent_is_there(patch: Patch) -> None:
    now = stage(patch)

    def run(sound: Any, arguments: Any, call: Call, *, count: Any) -> ToolOutcome:
        if list(now["now"].agents) or not T.checked(arguments["todos"], count=count):
            return sound(arguments, call, count=count)
        return ToolOutcome(T.UPDATED.format(pending=1, inProgress=0, completed=0))

    patch.around(T, "_write", run)


@fault("todo.owner.no-shared-scope")
def a_session_that_begins_inherits_a_list(patch: Patch) -> None:
    inherited = memory(patch)

    def create(sound: Any, self: Composition, *given: Any, **more: Any) -> Any:
        logs = [event for log in self.sessions.values() for event in log.events]
        agent = sound(self, *given, **more)
        writes = [event["todos"] for event in logs if event["type"] == T.EVENT]
        if writes and not agent.session.events:
            inherited[agent.session.id] = writes[-1]
        return agent

    def value(sound: Any, self: ProjectionRegistry, session: Session, key: str) -> Any:
        found = sound(self, session, key)
        return found if session.events else inherited.get(session.id, found)

    patch.around(Composition, "create_agent", create)
    patch.around(ProjectionRegistry, "value", value)
