"""
Faults in when a fold happens, and in what it leaves in log and request.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsh_reference.host.composition import Composition
from dsh_reference.host.log import Message, Session
from dsh_reference.tree import fold, folding, notice, plugin
from dsh_reference.tree.command import TreeCommand
from dsh_reference.tree.folding import Folding
from dsh_reference.tree.origin import is_own
from faults.kit import Patch, stage
from faults.kit import tree as fault
from faults.tree.ranges import boundaries, is_free

# When


@fault("tree.fold.before-request")
def folds_when_idle(patch: Patch) -> None:
    def listen(sound: Any, ctx: Any, *given: Any) -> None:
        sound(ctx, *given)
        ctx.steps.on_idle(lambda agent, _: fold_now(agent.session))

    fold_now = _fold
    patch.around(plugin, "_listen", listen)
    patch.set(folding, "fold", lambda _session, _surface: None)


SOUND = folding.fold


def _fold(session: Session) -> None:
    SOUND(session, session.nodes())


@fault("tree.fold.not-inside-tool")
def folds_inside_the_tool(patch: Patch) -> None:
    def run(sound: Any, body: Any) -> Any:
        def folded(arguments: Any, call: Any) -> Any:
            result = sound(body)(arguments, call)
            if call.agent is not None:
                _fold(call.agent.session)
            return result

        return folded

    patch.around(plugin, "_run", run)


def decides(name: str, clauses: str, when: Callable[[Any, Any], bool]) -> None:
    """
    Register a fault that folds at steps where nothing is to be folded.
    """

    def decided(sound: Any, self: Folding, step: Any, decision: Any) -> Any:
        if when(step, decision):
            _fold(step.agent.session)
        return sound(self, step, decision)

    fault.around(name, clauses, Folding, "_decided", decided)


decides("rejected_steps_fold", "tree.fold.not-when-rejected", lambda _, d: d.kind != "enter")
decides("aborted_steps_fold", "tree.fold.not-when-aborted", lambda step, _: step.signal.aborted)


@fault("tree.fold.after-release")
def held_steps_fold(patch: Patch) -> None:
    def enter(sound: Any, self: Folding, step: Any, proceed: Any) -> Any:
        if not step.signal.aborted:
            _fold(step.agent.session)
        return sound(self, step, proceed)

    patch.around(Folding, "enter", enter)


@fault("tree.fold.not-by-command tree.command.not-through-model")
def commands_fold(patch: Patch) -> None:
    now = stage(patch)

    def done(sound: Any, self: TreeCommand, name: str, rest: list[str]) -> Any:
        result = sound(self, name, rest)
        session = now["now"].sessions[name]
        surface = session.nodes()
        ends = boundaries(surface)
        first = fold._first_behind(surface, ends[-1] if ends else 0, len(surface))
        if first < len(surface):
            hidden = surface[first:]
            replaces = {"from": hidden[0]["seq"], "to": hidden[-1]["seq"]}
            message = notice.fold_notice(hidden)
            session.append({"type": "message", "message": message, "replaces": replaces})
        return result

    patch.around(TreeCommand, "_done", done)


@fault("tree.fold.session-apart")
def every_session_folds(patch: Patch) -> None:
    now: dict[str, Composition] = stage(patch)

    def decided(sound: Any, self: Folding, step: Any, decision: Any) -> Any:
        for session in now["now"].sessions.values():
            _fold(session)
        return sound(self, step, decision)

    patch.around(Folding, "_decided", decided)


# What stays of the log and of the request


@fault("tree.fold.logged")
def a_fold_takes_two_events(patch: Patch) -> None:
    def run(sound: Any, session: Session, surface: Sequence[Message]) -> None:
        found = fold.look(surface)
        if is_free(found) and found.last > found.first:
            whole = surface[found.first : found.last + 1]
            hidden = whole[:-1]
            replaces = {"from": hidden[0]["seq"], "to": hidden[-1]["seq"]}
            message = notice.fold_notice(hidden)
            session.append({"type": "message", "message": message, "replaces": replaces})
            rest = session.nodes()[found.first : found.first + 2]
            replaces = {"from": rest[0]["seq"], "to": rest[1]["seq"]}
            message = notice.fold_notice(whole)
            session.append({"type": "message", "message": message, "replaces": replaces})
        else:
            sound(session, surface)

    patch.around(folding, "fold", run)


@fault("tree.log.append-only")
def folded_messages_are_emptied(patch: Patch) -> None:
    def run(sound: Any, session: Session, surface: Sequence[Message]) -> None:
        found = fold.look(surface)
        hidden = surface[found.first : found.last + 1] if is_free(found) else []
        sound(session, surface)
        for message in hidden:
            session.events[message["seq"]]["message"]["text"] = ""

    patch.around(folding, "fold", run)


@fault("tree.log.append-only")
def a_fold_edits_what_stays(patch: Patch) -> None:
    def run(sound: Any, session: Session, surface: Sequence[Message]) -> None:
        if is_free(fold.look(surface)):
            session.events[surface[1]["seq"]]["message"]["text"] = "(edited)"
        sound(session, surface)

    patch.around(folding, "fold", run)


fault.after(
    "a_fold_rewrites_the_first_message",
    "tree.fold.prefix",
    Session,
    "messages",
    lambda found: (
        [{**found[0], "text": f"{found[0]['text']} "}, *found[1:]]
        if any(map(is_own, found))
        else found
    ),
)
