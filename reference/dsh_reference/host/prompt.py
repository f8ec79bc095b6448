"""
The sections of the system prompt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dsh_reference.host.agents import Agent
from dsh_reference.host.listeners import Disposer, Listeners


@dataclass(frozen=True)
class _Section:
    name: str
    order: float
    text: Callable[[Agent], str]


class PromptSections:
    """
    What plugins say to the model in the system prompt, by rising order.
    """

    def __init__(self) -> None:
        self._sections: Listeners[_Section] = Listeners()

    def add(self, name: str, order: float, *, text: str | Callable[[Agent], str]) -> Disposer:
        """
        Add a section, whose text is fixed or worked out for each agent; return what removes it.
        """
        work_out = text if callable(text) else lambda _: text
        return self._sections.add(_Section(name, order, work_out))

    def render(self, agent: Agent) -> list[dict[str, Any]]:
        """
        Return the sections that have text for this agent, as `{name, order, text}`.
        """
        rendered = [
            {"name": section.name, "order": section.order, "text": section.text(agent)}
            for section in sorted(self._sections, key=lambda section: section.order)
        ]
        return [section for section in rendered if section["text"]]
