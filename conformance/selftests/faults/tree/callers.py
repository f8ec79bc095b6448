"""
Faults in what callers without a session, and words too many, lead to.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from dsh_reference.host.commands import ERROR, CommandResult
from dsh_reference.tree import texts
from dsh_reference.tree.command import OffCommand, TreeCommand
from dsh_reference.tree.replies import Replies
from faults.kit import Patch
from faults.kit import tree as fault

# Nobody's calls


@fault("tree.tools.no-session")
def callers_without_a_session_share_a_plan(patch: Patch) -> None:
    for name in ("status", "create", "plan", "done"):
        patch.around(
            Replies,
            name,
            lambda sound, self, session, given: sound(
                self, "nobody" if session is None else session, given
            ),
        )


# Words too many

fault.around(
    "the_last_word_is_dropped",
    "tree.command.further-words",
    TreeCommand,
    "_drop",
    lambda sound, self, session, rest: sound(self, session, rest[-1:]),
)
fault.around(
    "further_words_are_taken_amiss",
    "tree.command.further-words",
    TreeCommand,
    "_pause",
    lambda sound, self, session, rest: (
        CommandResult(ERROR, texts.USAGE) if rest else sound(self, session, rest)
    ),
)
fault.around(
    "off_knows_no_status",
    "tree.off.command-form",
    OffCommand,
    "__call__",
    lambda sound, self, agent, line: sound(self, agent, line.replace("status", "state")),
)
fault.around(
    "off_takes_the_last_word_for_the_verb",
    "tree.off.command-only",
    OffCommand,
    "__call__",
    lambda sound, self, agent, line: sound(self, agent, " ".join(line.split()[-1:])),
)
