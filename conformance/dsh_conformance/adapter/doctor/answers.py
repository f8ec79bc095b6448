"""
Answers that are not what they have to be, and what to say of them.
"""

from __future__ import annotations

from typing import Any

from dsh_conformance.adapter.protocol import (
    LOAD_FAILED,
    METHOD_NOT_FOUND,
    REJECTED,
    UNSUPPORTED,
    Reply,
)
from dsh_conformance.adapter.schemas import violation

Json = dict[str, Any]

LET_FINISH = (
    "before answering, let all ready work finish: microtasks, settled promises, woken waiters"
)


class Amiss(Exception):  # A finding, not a mistake of ours.
    """
    Something did not work.

    Args:
        what: What was seen.
        hint: What to do about it, where the probe knows better than its general advice.
        value: The offending value.
    """

    def __init__(self, what: str, hint: str | None = None, *, value: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint
        self.value = value


def slip_of(reply: Reply) -> str | None:
    """
    Say what an error should have said and did not, or return None.
    """
    named = reply.code in {UNSUPPORTED, LOAD_FAILED, REJECTED}
    if named and not reply.message.strip():
        return f"answered error {reply.code} without a message"
    if reply.code != UNSUPPORTED:
        return None
    reason = reply.data.get("reason") if isinstance(reply.data, dict) else None
    if isinstance(reason, str) and reason:
        return None
    return "answered error 1 without data: {reason}"


def inner_reply(method: str, one: Json) -> Reply:
    """
    Return one answer inside `together` as a reply.

    Raises:
        Amiss: Its result does not fit the method's schema.
    """
    if "error" in one:
        error = one["error"]
        return Reply(None, error["code"], error["message"], error.get("data"))
    wrong = violation(f"{method}.result", one["result"])
    if wrong is not None:
        raise Amiss(f"together, {method}: a wrong result: {wrong}", value=repr(one["result"]))
    return Reply(one["result"])


def refusal(reply: Reply) -> str:
    """
    Say how a call failed, behind the name of its method.
    """
    if reply.code == METHOD_NOT_FOUND:
        return "is not written yet (method not found)"
    if reply.code == UNSUPPORTED:
        return f"is unsupported: {reply.message}"
    return f"failed with {reply.code}: {reply.message}"


def remedy(method: str, reply: Reply) -> str | None:
    """
    Say what to do about it; None where the probe's own advice is what to do.
    """
    if reply.code in {METHOD_NOT_FOUND, UNSUPPORTED}:
        return None
    if reply.code in {LOAD_FAILED, REJECTED}:
        return f"make {method} work here, or answer error 1 (unsupported) with data: {{reason}}"
    return f"error {reply.code} says that the adapter itself failed: find out why"


def is_adapter_error(reply: Reply) -> bool:
    """
    Whether the adapter itself failed, rather than what it drives.
    """
    return reply.code not in {METHOD_NOT_FOUND, UNSUPPORTED, LOAD_FAILED, REJECTED}
