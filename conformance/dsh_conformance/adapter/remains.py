"""
What `/proc` tells of an adapter's processes: those it left behind, and the memory they hold.

Where there is no `/proc` (it is Linux's) nothing is found, and ending the process group has to do.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")

# In the environment of every adapter. A child that leaves the process group, or whose parents are
# gone, still carries it.
MARK = "DSH_CONFORMANCE_ADAPTER"

# A child that is ended while it starts another may leave that one; more rounds than this mean that
# something starts them faster than they can be found.
ROUNDS = 5


def marked(mark: str) -> list[int]:
    """
    Return the ids of live processes that were started with this mark, by whomever.
    """
    wanted = f"{MARK}={mark}".encode()
    return [pid for pid in _pids() if wanted in _environment(pid) and not _is_dead(pid)]


def end_marked(mark: str, *, but: int) -> list[str]:
    """
    Kill what carries the mark, except one process; return the names of what was found.
    """
    names: dict[int, str] = {}
    for _ in range(ROUNDS):
        found = [pid for pid in marked(mark) if pid != but]
        if not found:
            break
        for pid in found:
            names[pid] = name_of(pid)
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
    return list(names.values())


def group_memory(group: int) -> int:
    """
    Return the bytes of memory that the processes of a group hold, as far as can be told.
    """
    pages = sum(int(fields[21]) for fields in map(_stat, _pids()) if _in_group(fields, group))
    return pages * os.sysconf("SC_PAGE_SIZE")


def name_of(pid: int) -> str:
    """
    Return a process's program name, or its number when that cannot be told.
    """
    with suppress(OSError):
        return (PROC / str(pid) / "comm").read_text("utf-8", errors="replace").strip()
    return str(pid)


def _in_group(fields: list[str], group: int) -> bool:
    return len(fields) > 21 and fields[2] == str(group)


def _pids() -> Iterator[int]:
    with suppress(OSError):
        for entry in os.listdir(PROC):  # noqa: PTH208  # Four times faster, on every kill.
            if entry.isdecimal():
                yield int(entry)


def _environment(pid: int) -> list[bytes]:
    try:
        return (PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _is_dead(pid: int) -> bool:
    return _stat(pid)[:1] in (["Z"], ["X"], [])


def _stat(pid: int) -> list[str]:
    """
    Return the fields of `/proc/<pid>/stat` behind the program's name, the state first.
    """
    try:
        text = (PROC / str(pid) / "stat").read_text("utf-8", errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()
