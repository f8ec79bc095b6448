"""
The plugin put together: what is registered when it is on, and the little when it is off.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from dsh_reference.host.agents import Agent
from dsh_reference.host.composition import PluginContext
from dsh_reference.host.tools import Call, Tool, ToolOutcome
from dsh_reference.tree import schemas, texts
from dsh_reference.tree.auto_continue import AutoContinue
from dsh_reference.tree.command import NAME, OffCommand, TreeCommand
from dsh_reference.tree.config import TreeConfig, read_config
from dsh_reference.tree.folding import Folding
from dsh_reference.tree.gate import PauseGate
from dsh_reference.tree.marks import Marks
from dsh_reference.tree.origin import PLUGIN
from dsh_reference.tree.panel import Panel
from dsh_reference.tree.presence import Presence
from dsh_reference.tree.replies import Replies
from dsh_reference.tree.store import Store

log = logging.getLogger(__name__)

Body = Callable[[str | None, dict[str, Any]], str]


def apply(ctx: PluginContext, config: Mapping[str, Any]) -> None:
    """
    Load the plugin.

    Raises:
        LoadFailed: The configuration is refused.
    """
    settings = read_config(config, ctx.state_dir)
    store = Store(settings.root, lambda: int(ctx.clock.now))
    if settings.enabled:
        _switched_on(ctx, settings, store)
        return
    log.warning(texts.OFF_WARNING)
    ctx.on_service("commands", lambda commands: commands.register(NAME, OffCommand(store)))


def _switched_on(ctx: PluginContext, settings: TreeConfig, store: Store) -> None:
    marks = Marks(store, or_in_memory=True)
    gate = PauseGate(marks, ctx.clock)
    auto = AutoContinue(store, marks, rounds=settings.rounds)
    _add_tools(ctx, store)
    ctx.on_dispose(ctx.prompt.add(PLUGIN, settings.prompt_order, text=_prompt(ctx)))
    _listen(ctx, Folding(store), Presence(marks, gate, auto), gate)
    if settings.auto_continue:
        ctx.on_dispose(ctx.steps.on_idle(auto.idle))
    command = TreeCommand(
        store, marks, gate, auto=settings.auto_continue, now=lambda: int(ctx.clock.now)
    )
    ctx.on_service("commands", lambda commands: commands.register(NAME, command))
    ctx.provide("tree.panel", Panel(store))


def _add_tools(ctx: PluginContext, store: Store) -> None:
    replies = Replies(store, lambda: int(ctx.clock.now))
    bodies: dict[str, Body] = {
        schemas.STATUS: replies.status,
        schemas.CREATE: replies.create,
        schemas.PLAN: replies.plan,
        schemas.DONE: replies.done,
        schemas.UPDATE: replies.update,
        schemas.DROP: replies.drop,
    }
    for schema in schemas.SCHEMAS:
        tool = Tool(
            name=schema.name,
            description=schema.description,
            parameters=schema.parameters,
            run=_run(bodies[schema.name]),
        )
        ctx.on_dispose(ctx.tools.register(tool))


def _run(body: Body) -> Callable[[dict[str, Any], Call], ToolOutcome]:
    def run(arguments: dict[str, Any], call: Call) -> ToolOutcome:
        text = body(call.agent.session.id if call.agent else None, arguments)
        return ToolOutcome(text, value={"text": text})

    return run


def _prompt(ctx: PluginContext) -> Callable[[Agent], str]:
    def text(_: Agent) -> str:
        in_scope = any(tool["name"] == schemas.STATUS for tool in ctx.tools.list())
        return texts.PROMPT if in_scope else ""

    return text


def _listen(ctx: PluginContext, folding: Folding, presence: Presence, gate: PauseGate) -> None:
    """
    Join the chain of a step from the outside in, so that a held step folds when it is let go.
    """
    for listener in (folding.enter, presence.enter, gate.enter):
        ctx.on_dispose(ctx.steps.on_enter(listener))
    ctx.on_dispose(ctx.agents.on_inbox(presence.queued))
    ctx.on_dispose(ctx.steps.on_turn_stop(presence.turn_stops))
    ctx.on_dispose(gate.release_all)
