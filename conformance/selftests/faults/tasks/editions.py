"""
Faults that are a change of words or rules of one edition.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dsh_reference.tasks.words import EDITIONS, JOBS, TASKS
from faults.kit import JOBS_EDITION
from faults.kit import tasks as fault


def words(name: str, clauses: str, **changes: Any) -> None:
    """
    Register a fault in the words and rules of the default edition.
    """
    fault.set(name, clauses, EDITIONS, TASKS.edition, replace(TASKS, **changes))


def jobs(name: str, clauses: str, **changes: Any) -> None:
    """
    Register a fault in the words and rules of the older edition.
    """
    fault.set(name, clauses, EDITIONS, JOBS.edition, replace(JOBS, **changes), edition=JOBS_EDITION)
