"""
Faults in the tree task flow.
"""

from faults.tree import (
    callers,
    changes,
    command,
    cursors,
    moments,
    notice,
    off,
    panel,
    pause,
    ranges,
    rounds,
    state,
    status,
    tools,
)

__all__ = [
    "callers",
    "changes",
    "command",
    "cursors",
    "moments",
    "notice",
    "off",
    "panel",
    "pause",
    "ranges",
    "rounds",
    "state",
    "status",
    "tools",
]
