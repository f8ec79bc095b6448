"""
Faults in background tasks.
"""

from faults.tasks import ends, kills, notices, reads, schemas, settings, starts, waits

__all__ = ["ends", "kills", "notices", "reads", "schemas", "settings", "starts", "waits"]
