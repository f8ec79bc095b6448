"""
Which clause of the background-task contract a difference breaks.
"""

from __future__ import annotations

from dsh_conformance.generate.blame import Blame

# Both words, since an edition may call a task a job.
_READ, _LIST, _KILL = "(task|job)_output", "(task|job)_list", "(task|job)_kill"
_DONE = r"\[status: (completed|failed|killed)"
_LIVE = r"\[status: (running|stopping)"

BLAME = (
    Blame(
        "tasks.arguments.order",
        value=_READ,
        key="error",
        expected="invalid wait",
        seen="belongs|unknown",
    ),
    Blame(
        "tasks.arguments.order",
        value=_READ,
        key="error",
        expected="belongs|unknown",
        seen="invalid wait",
    ),
    Blame("tasks.arguments.required.text", key="error", expected="missing required", words=True),
    Blame("tasks.access.fence.text", key="error", expected="another session", words=True),
    Blame("tasks.arguments.empty-id", key="error", expected="non-empty string"),
    Blame("tasks.arguments.required", key="error", expected="missing required"),
    Blame("tasks.arguments.type", key="error", expected="must be an? "),
    Blame("tasks.access.fence", key="error", expected="another session"),
    Blame("tasks.read.unknown", key="error", expected="unknown (task|job)"),
    Blame("tasks.wait.invalid", key="error", expected="invalid wait"),
    Blame("tasks.wait.abort", key="error", expected="aborted"),
    Blame("tasks.wait.abort-late", key="says", seen="aborted"),
    Blame("tasks.kill.throws", value=_KILL, key="error"),
    Blame("tasks.wait.fraction", key="says|pending", seen="invalid wait"),
    Blame("tasks.access.unowned", key="says", seen="another session"),
    Blame("tasks.owner.exact", key="says", seen="unknown (task|job)"),
    Blame("tasks.wait.settlement", verb="poll", key="says", seen="not finished yet"),
    Blame("tasks.wait.timeout-alive", verb="poll|call", key="pending"),
    Blame("tasks.wait.cap", value=_READ, key="says", seen="not finished yet"),
    Blame("tasks.wait.timeout-alive", key="says", expected=_LIVE, seen="^an error"),
    Blame("tasks.status.stopping", key="says", expected="stopping", seen="running"),
    Blame("tasks.kill.finished", value=_KILL, key="says", expected="already finished", words=False),
    Blame("tasks.kill.finished.text", value=_KILL, key="says", expected="already finished"),
    Blame("tasks.kill.again", value=_KILL, key="says", seen="an error"),
    Blame("tasks.kill.requests", value=_KILL, key="says"),
    Blame("tasks.list.empty", value=_LIST, key="says", expected=r"^\(no background"),
    Blame(
        "tasks.list.finished",
        value=_LIST,
        key="says",
        expected="(completed|failed|killed) — ",
        seen=r"^\(no background",
    ),
    Blame("tasks.list.no-detail", value=_LIST, key="says", seen="exit code|signal:"),
    Blame("tasks.list.line", value=_LIST, key="says"),
    Blame(
        "tasks.read.no-new-output", key="says", expected=r"^\(no new output\)", seen=r"^\n?\[status"
    ),
    Blame("tasks.read.final.again", key="says", expected=_DONE, seen=r"^\(no new output"),
    Blame(
        "tasks.status.stopping",
        key="says",
        expected=r"\[status: stopping",
        seen=r"\[status: running",
    ),
    Blame("tasks.status.final", key="says", expected=_DONE, seen=_LIVE),
    Blame("tasks.read.detail", key="says", expected=r"\[status: \w+, ", seen=r"\[status: \w+\]$"),
    Blame("tasks.read.status-line", key="says", seen=r"[^\]]$"),
    Blame("tasks.read.split-character", key="says", seen="\ufffd"),
    Blame(
        "tasks.read.joint", key="says", expected=r"\n\[status", seen=r"[^\n]\[status|\n\n\[status"
    ),
    Blame("tasks.read.delta", key="says"),
    Blame("tasks.value.list", value=_LIST, key="value"),
    Blame("tasks.value.kill", value=_KILL, key="value"),
    Blame("tasks.value.output", key="value"),
    Blame("tasks.kill.reason", verb="cancellations"),
    Blame("tasks.start.kind", verb="start", key="refused", expected="kind"),
    Blame("tasks.start.label", verb="start", key="refused", expected="label"),
    Blame("tasks.limit.per-owner", verb="start", key="refused", expected="limit"),
    Blame("tasks.start.live-owner", verb="start", key="refused", expected="registered"),
    Blame("tasks.start.throws", verb="start", key="refused"),
    Blame("tasks.limit.per-owner", verb="start", seen="refused: .*limit"),
    Blame("tasks.start.untrimmed", verb="start", seen="refused"),
    Blame("tasks.notice.source", verb="inbox|log", path="source"),
    Blame("tasks.notice.text", verb="inbox|log", path="text$"),
    Blame("tasks.notice.once", verb="inbox"),
    Blame("tasks.notice.next-request", verb="log|surface|request"),
    Blame("tasks.settle.rejected", verb="settle"),
)
