"""
Background tasks as a plugin: what is registered where, and taken back when it is unloaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dsh_reference.host.composition import Composition, PluginContext, PluginForm
from dsh_reference.tasks.bodies import TaskTools
from dsh_reference.tasks.catalog import build_tools
from dsh_reference.tasks.config import Config, defaults, load_config
from dsh_reference.tasks.delivery import Delivery
from dsh_reference.tasks.guidance import ORDER, guidance, section
from dsh_reference.tasks.notices import Notifier
from dsh_reference.tasks.registry import TaskRegistry
from dsh_reference.tasks.words import EDITIONS, Words

SERVICE = "tasks"
INJECT = ("tools", SERVICE, "systemPrompt")
EXPORTS = ("Config", "apply", "inject", "name", "statusLine")


def build_service(composition: Composition) -> TaskRegistry:
    """
    Return the task service of a composition, without tools.
    """
    words = EDITIONS[composition.edition]
    return TaskRegistry(composition.clock, agents=composition.agents, words=words)


def apply(ctx: PluginContext, config: Mapping[str, Any]) -> None:
    """
    Register the tools, the guidance and the notices, and open the registry for starts.

    Raises:
        LoadFailed: The configuration is not valid.
    """
    words = EDITIONS[ctx.edition]
    settings = load_config(config, words)
    registry: TaskRegistry = ctx.service(SERVICE)
    for tool in build_tools(TaskTools(registry, settings), words):
        ctx.on_dispose(ctx.tools.register(tool))
    ctx.on_dispose(ctx.prompt.add(section(words), ORDER, text=guidance(words)))
    _deliver_notices(ctx, registry, settings)
    ctx.on_dispose(registry.attach_surface(words.plugin))


def for_edition(edition: str) -> PluginForm:
    """
    Return the plugin as an edition publishes it.
    """
    words: Words = EDITIONS[edition]
    return PluginForm(
        name=words.plugin,
        inject=INJECT,
        apply=apply,
        exports=EXPORTS,
        defaults=defaults(words),
    )


def _deliver_notices(ctx: PluginContext, registry: TaskRegistry, settings: Config) -> None:
    delivery = Delivery(settings.wakes)
    ctx.on_dispose(registry.on_task_done(Notifier(registry.words, delivery)))
    ctx.on_dispose(ctx.steps.on_enter(delivery.on_enter))
    ctx.on_dispose(ctx.steps.on_turn_stop(delivery.on_turn_stop))
