"""
Faults in background tasks.
"""

from faults.tasks import ends, kills, notices, reads, schemas, settings, starts, waits, wording

__all__ = ["ends", "kills", "notices", "reads", "schemas", "settings", "starts", "waits", "wording"]
