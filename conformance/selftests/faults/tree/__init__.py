"""
Faults in the tree task flow.
"""

from faults.tree import (
    changes,
    command,
    corners,
    finer_command,
    finer_folds,
    finer_notice,
    finer_pause,
    finer_plan,
    finer_ranges,
    finer_state,
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
    "corners",
    "finer_command",
    "finer_folds",
    "finer_notice",
    "finer_pause",
    "finer_plan",
    "finer_ranges",
    "finer_state",
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
