"""
The words and rules in which the published editions of background tasks differ.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Words:
    """
    The vocabulary of one edition: `noun` is the short word, `background` the long one.

    Attributes:
        output, listing, kill: names of the three tools.
        parameter: the tools' parameter for an id.
        plugin: the name the plugin signs with, in notices and load errors.
        no_surface: the refusal of a start that nobody could collect.
        live_limit: how many live tasks one owner may have, None for any number.
        wakes: whether a notice may wake an idle owner.
        summaries: whether a notice carries a short form of itself.
        values: whether results carry a canonical value beside their text.
    """

    edition: str
    noun: str
    background: str
    output: str
    listing: str
    kill: str
    parameter: str
    plugin: str
    no_surface: str
    live_limit: int | None = None
    wakes: bool = False
    summaries: bool = False
    values: bool = False


TASKS = Words(
    edition="2026-08",
    noun="task",
    background="background task",
    output="task_output",
    listing="task_list",
    kill="task_kill",
    parameter="task_id",
    plugin="tool-tasks",
    no_surface=(
        "background tasks unavailable: no control surface is attached"
        " (load @deepseek-ai/dsh-tool-tasks)"
    ),
)

JOBS = Words(
    edition="0.1.0-rc.8",
    noun="job",
    background="background job",
    output="job_output",
    listing="job_list",
    kill="job_kill",
    parameter="job_id",
    plugin="tool-jobs",
    no_surface=(
        "background jobs unavailable: no job controller serves this agent"
        " (load @deepseek-ai/dsh-tool-jobs in its composition)"
    ),
    live_limit=10,
    wakes=True,
    summaries=True,
    values=True,
)

EDITIONS = {words.edition: words for words in (TASKS, JOBS)}
