"""
Faults in background tasks.
"""

from faults.tasks import (
    ends,
    finer_notices,
    finer_owners,
    finer_reads,
    kills,
    notices,
    reads,
    schemas,
    settings,
    starts,
    waits,
)

__all__ = [
    "ends",
    "finer_notices",
    "finer_owners",
    "finer_reads",
    "kills",
    "notices",
    "reads",
    "schemas",
    "settings",
    "starts",
    "waits",
]
