"""
Faults in the tree task flow.
"""

from faults.tree import (
    changes,
    command,
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
    "changes",
    "command",
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
