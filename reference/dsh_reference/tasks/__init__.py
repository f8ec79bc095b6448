"""
Background tasks: the registry, its three tools, and the notice of a task that ended unseen.

The package itself is the plugin; `for_edition` is the same plugin under an edition's own name.
"""

from __future__ import annotations

from dsh_reference.tasks.config import Config
from dsh_reference.tasks.plugin import apply, for_edition
from dsh_reference.tasks.plugin import build_service as build_service
from dsh_reference.tasks.records import status_line
from dsh_reference.tasks.words import TASKS

__all__ = ["Config", "apply", "inject", "name", "statusLine"]  # What the plugin exports.

_plugin = for_edition(TASKS.edition)
name, inject, defaults = _plugin.name, _plugin.inject, _plugin.defaults

statusLine = status_line  # noqa: N816  # The name it is published under.
