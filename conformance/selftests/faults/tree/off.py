"""
Faults of a plugin that is switched off, and in the section of the prompt.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from dsh_reference import tree
from dsh_reference.host.commands import CommandResult
from dsh_reference.host.tools import ToolRegistry
from dsh_reference.tree import plugin, schemas, texts
from dsh_reference.tree.auto_continue import AutoContinue
from dsh_reference.tree.command import OffCommand, TreeCommand
from dsh_reference.tree.folding import Folding
from dsh_reference.tree.gate import PauseGate
from dsh_reference.tree.marks import Marks
from dsh_reference.tree.panel import Panel
from dsh_reference.tree.store import Store
from faults.kit import Patch
from faults.kit import tree as fault

# Off


def off(name: str, clauses: str, keep: Callable[[Any, Any, Store], Any]) -> None:
    """
    Register a fault that leaves something of the plugin when it is switched off.
    """

    def apply(patch: Patch) -> None:
        def load(sound: Any, ctx: Any, given: Any) -> None:
            sound(ctx, given)
            settings = plugin.read_config(given, ctx.state_dir)
            if not settings.enabled:
                keep(ctx, settings, Store(settings.root, lambda: int(ctx.clock.now)))

        patch.around(tree, "apply", load)

    fault.plant(name, clauses, apply, {})


def _gate(ctx: Any, _: Any, __: Store) -> None:
    held = PauseGate(SimpleNamespace(paused=lambda _: True), ctx.clock)  # type: ignore[arg-type]
    ctx.on_dispose(ctx.steps.on_enter(held.enter))


def _auto(ctx: Any, settings: Any, store: Store) -> None:
    auto = AutoContinue(store, Marks(store), rounds=settings.rounds)
    ctx.on_dispose(ctx.steps.on_idle(auto.idle))


off(
    "off_leaves_the_tools", "tree.off.no-tools", lambda ctx, _, store: plugin._add_tools(ctx, store)
)
off(
    "off_leaves_the_section",
    "tree.off.no-section",
    lambda ctx, s, _: ctx.on_dispose(
        ctx.prompt.add(plugin.PLUGIN, s.prompt_order, text=texts.PROMPT)
    ),
)
off(
    "off_leaves_the_fold",
    "tree.off.no-fold",
    lambda ctx, _, store: ctx.on_dispose(ctx.steps.on_enter(Folding(store).enter)),
)
off("off_leaves_the_gate", "tree.off.no-gate", _gate)
off("off_leaves_auto_continue", "tree.off.no-continuation", _auto)
off(
    "off_leaves_the_panel",
    "tree.off.no-panel",
    lambda ctx, _, store: ctx.provide("tree.panel", Panel(store)),
)


@fault("tree.off.command-only")
def off_leaves_the_whole_command(patch: Patch) -> None:
    def run(sound: Any, self: OffCommand, agent: Any, line: str) -> CommandResult:
        store = self._store
        marks = Marks(store)
        whole = TreeCommand(store, marks, PauseGate(marks, None), auto=False, now=lambda: 0)  # type: ignore[arg-type]
        changes = line.split()[:1] in (["done"], ["drop"], ["reset"])
        return whole(agent, line) if changes else sound(self, agent, line)

    patch.around(OffCommand, "__call__", run)


fault.text("off_has_other_words", "tree.off.command-form", texts, "OFF_NOTE", "已被配置", "被")
fault.text(
    "off_refuses_in_other_words", "tree.off.command-form", texts, "OFF_REFUSAL", "只有", "仅有"
)
fault.around(
    "tools_of_the_tree_outlive_it",
    "tree.unload.leaves-nothing",
    ToolRegistry,
    "register",
    lambda sound, *given: (sound(*given), lambda: None)[1],
)


# The prompt


def section(name: str, clauses: str, change: Callable[..., Any]) -> None:
    """
    Register a fault in the section: `change` gets its name, its order and its text.
    """

    def apply(patch: Patch) -> None:
        def switch_on(sound: Any, ctx: Any, settings: Any, store: Store) -> None:
            sound(
                SimpleNamespace(**_all(ctx), prompt=_Prompt(ctx.prompt, change, store)),
                settings,
                store,
            )

        patch.around(plugin, "_switched_on", switch_on)

    fault.plant(name, clauses, apply, {})


def _all(ctx: Any) -> dict[str, Any]:
    names = ("composition", "scope", "clock", "edition", "state_dir", "tools", "agents", "steps")
    more = ("on_dispose", "service", "provide", "on_service")
    return {name: getattr(ctx, name) for name in (*names, *more)}


class _Prompt:
    """
    A prompt whose sections are changed on their way.
    """

    def __init__(self, sound: Any, change: Callable[..., Any], store: Store) -> None:
        self.add = lambda name, order, *, text: sound.add(
            *(changed := change(name, order, text, store))[:2], text=changed[2]
        )


section(
    "the_section_stands_elsewhere", "tree.prompt.order", lambda name, _, text, __: (name, 100, text)
)
section(
    "the_section_has_another_name",
    "tree.prompt.name",
    lambda _, order, text, __: ("tree", order, text),
)
section(
    "the_section_shows_the_plan",
    "tree.prompt.stable",
    lambda name, order, text, store: (
        name,
        order,
        lambda agent: f"{text(agent)}{store.plan(agent.session.id) or ''}",
    ),
)
section(
    "the_section_lists_the_tools",
    "tree.prompt.no-tool-list",
    lambda name, order, text, _: (
        name,
        order,
        lambda agent: text(agent) + " ".join(schema.name for schema in schemas.SCHEMAS),
    ),
)
