"""
What must hold before a producer may begin: nothing runs that nobody could keep account of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dsh_reference.errors import Rejected
from dsh_reference.host.agents import Agent, AgentRegistry
from dsh_reference.tasks.records import Work
from dsh_reference.tasks.words import Words

_EMPTY = "invalid {noun} {field}: expected a non-empty string"
_NO_AGENTS = "{background} ownership requires the agent registry (load @deepseek-ai/dsh-agent)"
_NOT_REGISTERED = (
    'agent "{id}" is not the registered agent instance ({background} owner must be live)'
)


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskSpec:
    """
    A task to be: `run` begins the work, and is called once, when nothing stands against it.
    """

    kind: str
    label: str
    run: Callable[[], Work]
    owner: Agent | None = None


def check_spec(spec: TaskSpec, words: Words) -> None:
    """
    Refuse an empty kind, then an empty label.
    """
    for field, value in (("kind", spec.kind), ("label", spec.label)):
        if not value:
            raise Rejected(_EMPTY.format(noun=words.noun, field=field))


def check_owner(owner: Agent, agents: AgentRegistry | None, words: Words) -> None:
    """
    Refuse an owner that is not, itself, the agent registered under its id.
    """
    if agents is None:
        raise Rejected(_NO_AGENTS.format(background=words.background))
    if agents.get(owner.id) is not owner:
        raise Rejected(_NOT_REGISTERED.format(id=owner.id, background=words.background))
