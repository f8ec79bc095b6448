"""
What can go wrong, rung by rung, and what the user is told.

A mistake in the data or on the command line (`UsageError`) ends the run with status 2 before any
verdict. An adapter that misbehaves (`AdapterFailure`) leaves a case unverified, or, when it never
came up (`AdapterNeverUp`), ends the run with status 2. A mistake on our side of the wire
(`RunnerBug`), or anywhere in our code (`InternalError`), says so. Each one carries what was wrong,
where, the value, and what to do next.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = "dsh_conformance"


class DshError(Exception):
    """
    A message in four parts.

    Args:
        what: What was wrong, one line.
        where: A file with line and column, a step, an option, a command.
        value: The offending value, shortened for display.
        hint: What to do next.
    """

    def __init__(
        self,
        what: str,
        where: str | None = None,
        *,
        value: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(what, where, value, hint)
        self.what = what
        self.where = where
        self.value = value
        self.hint = hint

    def __str__(self) -> str:
        lines = [f"{self.where}: {self.what}" if self.where else self.what]
        if self.value is not None:
            lines.append(f"  value: {shorten(self.value)}")
        if self.hint is not None:
            lines.append(f"  next:  {self.hint}")
        return "\n".join(map(harmless, "\n".join(lines).split("\n")))


class UsageError(DshError):
    """
    A wrong option, name or file: nothing was run.
    """


class DataError(UsageError):
    """
    A mistake in a clause, edition or scenario file.
    """


class AdapterFailure(DshError):
    """
    The adapter crashed, hung, or broke the protocol.

    Args:
        kind: `crash`, `hang`, `protocol` or `error`, for reports.
    """

    def __init__(
        self,
        what: str,
        where: str | None = None,
        *,
        kind: str,
        value: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(what, where, value=value, hint=hint)
        self.kind = kind


class AdapterNeverUp(UsageError):
    """
    The adapter did not get through the handshake, or kept failing: no verdict is possible.
    """


class RunnerBug(DshError):
    """
    The suite sent something its own schema refuses.
    """


class InternalError(DshError):
    """
    A mistake in dsh-conformance itself.
    """


TRACEBACK = "DSH_CONFORMANCE_TRACEBACK"
"""The environment variable that lets such a mistake through, with its traceback."""


def internal_error(error: BaseException) -> InternalError:
    """
    Return the message about an exception that nobody foresaw.
    """
    import traceback  # noqa: PLC0415  # Nobody hopes to need it.

    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if PACKAGE in Path(frame.filename).parts] or frames
    where = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else None
    return InternalError(
        "a mistake in dsh-conformance itself",
        where,
        value=f"{type(error).__name__}: {error}",
        hint=f"please report it; with {TRACEBACK}=1 in the environment it shows where it came from",
    )


def shorten(text: str, limit: int = 300) -> str:
    """
    Make a text fit for one line of a message: control characters shown, long texts cut.
    """
    shown = harmless(text[: limit + 1])
    return shown if len(text) <= limit else f"{shown[:limit]}… ({len(text)} characters)"


def harmless(text: str) -> str:
    """
    Return a text with everything shown that would move a cursor, ring a bell or turn a line round.
    """
    return "".join(char if char.isprintable() else visible(char) for char in text)


def visible(char: str) -> str:
    """
    Show one character that would not print as itself as an escape.
    """
    common = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return common.get(char) or char.encode("unicode_escape", "surrogatepass").decode("ascii")
