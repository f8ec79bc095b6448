"""
Faults in todo lists.
"""

from faults.todo import (
    arguments,
    contents,
    face,
    finer,
    finer_calls,
    finer_lists,
    order,
    owner,
    projection,
    write,
)

__all__ = [
    "arguments",
    "contents",
    "face",
    "finer",
    "finer_calls",
    "finer_lists",
    "order",
    "owner",
    "projection",
    "write",
]
