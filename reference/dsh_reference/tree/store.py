"""
The state files of one state folder: `plans/<session>.json` and `surfaces/<session>.json`.

The second kind holds the cursors and, while there are any, the marks of a session and the ids that
a reset cleared away: what must outlive the plan, or the process.

A file that is missing, unreadable, broken or foreign counts as absent: it never stops a session. A
file is written beside its place and renamed, so no reader meets half of one.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import time_ns
from urllib.parse import unquote

from dsh_reference.errors import Rejected
from dsh_reference.tree import texts
from dsh_reference.tree.codec import (
    Json,
    SessionState,
    plan_from_json,
    plan_to_json,
    state_from_json,
    state_to_json,
)
from dsh_reference.tree.cursors import Cursors
from dsh_reference.tree.model import LastIds, TreePlan

_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
# A file name may have 255 bytes; the suffixes of the file and of its temporary twin need 50.
_LONGEST = 180
_KEPT_OF_LONG = 80
_DIGEST = "%-"  # Stands in no encoded id, so a digest never meets one.


class Store:
    """
    Plans and session states, read and written whole.
    """

    def __init__(self, root: Path, now: Callable[[], int]) -> None:
        self.root = root
        self._now = now
        self._held: dict[str, SessionState] = {}

    def plan(self, session: str) -> TreePlan | None:
        """
        Return the plan of a session.
        """
        return plan_from_json(_read(self._path("plans", session)))

    def save_plan(self, session: str, plan: TreePlan) -> None:
        """
        Store the plan of a session.

        Raises:
            Rejected: The file cannot be written.
        """
        _write(self._path("plans", session), plan_to_json(plan))

    def state(self, session: str) -> SessionState:
        """
        Return what is kept of a session beside its plan.
        """
        held = self._held.get(session)
        return held or state_from_json(_read(self._path("surfaces", session))) or SessionState()

    def save_state(self, session: str, state: SessionState) -> None:
        """
        Store what is kept of a session beside its plan.

        Raises:
            Rejected: The file cannot be written.
        """
        _write(self._path("surfaces", session), state_to_json(session, state, self._now()))
        self._held.pop(session, None)

    def hold_state(self, session: str, state: SessionState) -> None:
        """
        Keep in memory what could not be stored.
        """
        self._held[session] = state

    def clear(self, session: str) -> None:
        """
        Forget plan and cursors of a session; its marks stay, and no id is given out twice.

        Raises:
            Rejected: A file cannot be written.
        """
        state = self.state(session)
        last = state.last_ids.at_least(LastIds.of(self.plan(session)))
        cleared = replace(state, cursors=Cursors(), last_ids=last)
        if cleared != state:
            self.save_state(session, cleared)
        _write(self._path("plans", session), None)

    def sessions(self) -> list[str]:
        """
        Return the sessions that have a plan file, but for those whose name is a digest.
        """
        names = {path.stem for path in (self.root / "plans").glob("*.json")}
        return sorted({each for each in map(unquote, names) if file_name(each) in names})

    def _path(self, kind: str, session: str) -> Path:
        return self.root / kind / f"{file_name(session)}.json"


def file_name(session: str) -> str:
    """
    Return a name that no other session id has, and that names no other folder.

    Ordinary ids stay as they are; of others each odd byte becomes `%XX`, and a long one ends in its
    digest.
    """
    raw = session.encode("utf-8", "surrogatepass")
    name = "".join(chr(byte) if chr(byte) in _PLAIN else f"%{byte:02X}" for byte in raw)
    if not name.strip("."):
        name = name.replace(".", "%2E")
    if name and len(name) <= _LONGEST:
        return name
    return f"{name[:_KEPT_OF_LONG]}{_DIGEST}{hashlib.sha256(raw).hexdigest()}"


def _read(path: Path) -> Json:
    try:
        return json.loads(path.read_bytes().decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _write(path: Path, value: Json) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    twin = path.with_name(f"{path.name}.{os.getpid()}.{time_ns() // 1_000_000}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A lone surrogate has no UTF-8 form; its escape is the same in JSON.
        twin.write_bytes(text.encode("utf-8", "backslashreplace"))
        twin.replace(path)
    except OSError as error:
        with suppress(OSError):
            twin.unlink()
        raise Rejected(f"{texts.STATE_FAILED}{error}") from error
