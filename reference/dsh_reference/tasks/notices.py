"""
The notice an owner gets when a task of its ends and nobody has been told yet.
"""

from __future__ import annotations

from dsh_reference.errors import Rejected
from dsh_reference.host.agents import Agent
from dsh_reference.host.log import Message
from dsh_reference.tasks.delivery import Delivery
from dsh_reference.tasks.records import Snapshot, status_line
from dsh_reference.tasks.words import Words

# A client shows the summary on one line; what the model reads is never cut.
SUMMARY_LENGTH = 120

_TEXT = "{background} {id} ({kind}: {label}) finished {status}. Read its output with {output}."
_SUMMARY = "{kind} {label} {status}"


class Notifier:
    """
    A completion listener that sends the notice to the exact owner.
    """

    def __init__(self, words: Words, delivery: Delivery) -> None:
        self._words = words
        self._delivery = delivery

    def __call__(self, task: Snapshot, owner: Agent | None) -> None:
        """
        Tell the owner; one that is going away needs no notice.
        """
        if owner is None or task.reported:
            return
        try:
            self._delivery.deliver(owner, notice(task, self._words))
        except Rejected:
            if owner.alive:
                raise


def notice(task: Snapshot, words: Words) -> Message:
    """
    Return the notice of a task that has ended.
    """
    facts = {
        "id": task.id,
        "kind": task.kind,
        "label": task.label,
        "status": status_line(task),
    }
    text = _TEXT.format(background=words.background, output=words.output, **facts)
    source = {"kind": "plugin", "plugin": words.plugin}
    if words.summaries:
        source |= {"form": "notice", "summary": _cut(_SUMMARY.format(**facts))}
    return {"kind": "user", "text": text, "source": source}


def _cut(summary: str) -> str:
    return summary if len(summary) <= SUMMARY_LENGTH else f"{summary[: SUMMARY_LENGTH - 1]}…"
