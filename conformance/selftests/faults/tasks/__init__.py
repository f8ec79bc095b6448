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
    wording,
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
    "wording",
]
