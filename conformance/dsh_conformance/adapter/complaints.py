"""
What the author of an adapter is told when it misbehaves: what it did, and what to change.
"""

from __future__ import annotations

import signal
from contextlib import suppress

from dsh_conformance.adapter.wire import LINE_ADVICE, NotJson
from dsh_conformance.errors import AdapterFailure

CALL_TIMEOUT_OPTION = "--call-timeout"
START_TIMEOUT_OPTION = "--start-timeout"
PAGE = "docs/adapter-protocol.md"

# Enough to recognise a line by; reports show it whole.
EXCERPT = 400

RESULT_HINT = f"answer with what {PAGE} shows for this method"
ANSWER_HINT = 'answer with {"jsonrpc": "2.0", "id": <the request\'s>, "result": …} or "error"'
ONCE_HINT = "answer each request once, in the order of the requests, with its own id"


def hung(method: str, *, limit: float, option: str, unfinished: bytes, said: str) -> AdapterFailure:
    """
    No whole line came within the limit.
    """
    what, hint = f"no answer within {limit:g} s", f"answer every call at once, or raise {option}"
    if unfinished:
        what = f"{what}, only {len(unfinished)} bytes of a line without an end"
        hint = f"end each answer with a newline and flush, or raise {option}"
    return _failure("hang", what, method, value=excerpt(unfinished) or said, hint=hint)


def crashed(method: str, *, status: int | None, closed: str, said: str) -> AdapterFailure:
    """
    The process is gone, or one of its pipes is.
    """
    if status is None:
        what = f"the adapter closed its standard {closed} and stayed"
        hint = f"keep standard {closed} open until shutdown"
    else:
        what = f"the adapter {ending(status)} instead of answering"
        hint = "catch what went wrong and answer with an error; standard error may say what it was"
    return _failure("crash", what, method, value=said, hint=hint)


def left(method: str, status: str) -> AdapterFailure:
    """
    A class tried to end the process it shares with the suite.
    """
    what = f"the adapter called exit ({status}) instead of answering"
    return _failure("crash", what, method, hint="raise an exception instead")


def swollen(method: str, *, limit: int, said: str) -> AdapterFailure:
    """
    The process took more memory than any adapter needs.
    """
    what = f"the adapter took more than {limit >> 20} MiB of memory and was ended"
    hint = "look for a loop that collects without end"
    return _failure("crash", what, method, value=said, hint=hint)


def endless(method: str, *, limit: int) -> AdapterFailure:
    """
    A line had no end.
    """
    what = f"the adapter answered a line of over {limit >> 20} MiB"
    return _failure("protocol", what, method, hint="answer with what was asked for, on one line")


def garbled(method: str, why: NotJson, line: bytes) -> AdapterFailure:
    """
    A line is not JSON.
    """
    what = f"the adapter answered a line that is no message: {why}"
    return _failure("protocol", what, method, value=excerpt(line), hint=why.advice)


def misshapen(method: str, why: str, line: bytes) -> AdapterFailure:
    """
    A line is JSON, but no answer.
    """
    what = f"the adapter answered a wrong message: {why}"
    return _failure("protocol", what, method, value=excerpt(line), hint=ANSWER_HINT)


def misdirected(method: str, *, seen: int, expected: int, line: bytes) -> AdapterFailure:
    """
    An answer carries another request's id.
    """
    which = "an earlier request" if seen < expected else "a request that was not its turn"
    what = f"the adapter answered id {seen} instead of {expected}: {which}"
    return _failure("protocol", what, method, value=excerpt(line), hint=ONCE_HINT)


def unfit(method: str, why: str, result: bytes) -> AdapterFailure:
    """
    A result does not fit its schema.
    """
    what = f"the adapter answered a wrong result: {why}"
    return _failure("protocol", what, method, value=excerpt(result), hint=RESULT_HINT)


def unasked(method: str, line: bytes) -> AdapterFailure:
    """
    There is output although every request has its answer.
    """
    what = "the adapter wrote more than one line for one request"
    return _failure("protocol", what, method, value=excerpt(line), hint=LINE_ADVICE)


def excerpt(line: bytes) -> str:
    """
    Return the beginning of a line as text.
    """
    return line[:EXCERPT].decode("utf-8", "replace")


def ending(status: int) -> str:
    """
    Say how a process ended.
    """
    if status < 0:
        with suppress(ValueError):
            return f"was ended by {signal.Signals(-status).name}"
        return f"was ended by signal {-status}"
    return f"exited with status {status}"


def _failure(
    kind: str, what: str, method: str, *, value: str | None = None, hint: str
) -> AdapterFailure:
    return AdapterFailure(what, method, kind=kind, value=value or None, hint=hint)
