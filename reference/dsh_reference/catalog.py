"""
Which plugins and services there are, by the names of the protocol; each is imported when asked for.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any

from dsh_reference.host.composition import Composition, Factory, Plugin

EDITIONS = ("2026-08", "0.1.0-rc.8")

PLUGINS = {
    "todo": "dsh_reference.todo",
    "tasks": "dsh_reference.tasks",
    "tree": "dsh_reference.tree",
}

_HOST = ("log", "surface", "request")
_CAPABILITIES = {
    "todo": ("todo", "todo.projection", "todo.present", "todo.exports"),
    "tasks": ("tasks", "tasks.present", "tasks.dispose"),
    "tree": (
        "tree",
        "tree.fold",
        "tree.commands",
        "tree.pause",
        "tree.autocontinue",
        "tree.state",
        "tree.panel",
    ),
}
# The published packages of that release know no tree.
_ABSENT = {"0.1.0-rc.8": {"tree"}}


def plugin(name: str, edition: str) -> Plugin:
    """
    Return a plugin with the face that it has in an edition.
    """
    module: Any = importlib.import_module(PLUGINS[name])
    form: Plugin = module.for_edition(edition) if hasattr(module, "for_edition") else module
    return form


def describe(name: str, edition: str) -> dict[str, Any]:
    """
    Return what a plugin's module shows of itself.
    """
    found: Any = plugin(name, edition)
    exports = found.exports if hasattr(found, "exports") else found.__all__
    return {
        "name": found.name,
        "inject": list(found.inject),
        "exports": list(exports),
        "hasDefault": "default" in exports,
        "defaults": dict(found.defaults),
    }


def capabilities(edition: str) -> list[str]:
    """
    Return what can be checked in an edition.
    """
    absent = _ABSENT.get(edition, set())
    there = [name for name in PLUGINS if name not in absent and find_spec(PLUGINS[name])]
    return [*_HOST, *(capability for name in there for capability in _CAPABILITIES[name])]


def _tasks(composition: Composition) -> object:
    module: Any = importlib.import_module(PLUGINS["tasks"])
    registry: object = module.build_service(composition)
    return registry


SERVICES: dict[str, Factory] = {"tasks": _tasks}
