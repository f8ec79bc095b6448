"""
What a run was asked to do.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dsh_conformance.adapter.stdio import DEFAULT_CALL_TIMEOUT, DEFAULT_START_TIMEOUT
from dsh_conformance.contract.editions import DEFAULT_EDITION, PLUGINS
from dsh_conformance.contract.schema_check import suggestion
from dsh_conformance.errors import UsageError
from dsh_conformance.generate.profiles import Generation

# A day; the system's own limit for a wait, some 24 days, must not be met by a slip of the hand.
LONGEST_LIMIT = 86_400

REFERENCE = "dsh_reference.adapter:Adapter"


@dataclass(frozen=True)
class Settings:
    """
    The options of a run.

    Attributes:
        adapter: A command, or `package.module:Class`.
        edition: The edition of the contract.
        plugins: Only these plugins' cases; empty is all.
        clauses: Only cases of these clauses (ids or globs); empty is all.
        cases: Only these cases (ids or globs); empty is all.
        shard: Which part of how many, from 1.
        strict: Whether a broken `should` counts.
        call_timeout: Seconds that one call may take.
        start_timeout: Seconds that starting up may take, up to the first answer.
        fixtures: The folder of scenarios; None is the installed one.
        golden: Whether to play the recorded behaviour of the published tree plugin, too.
        known_failures: The file of known failures, or None.
        durations: A report whose times balance the shards, or None.
        build: What names the state of the implementation (a commit, say), or empty.
        generation: What is asked of the machines; None leaves them out.
    """

    adapter: str = REFERENCE
    edition: str = DEFAULT_EDITION
    plugins: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    shard: tuple[int, int] = (1, 1)
    strict: bool = False
    call_timeout: float = DEFAULT_CALL_TIMEOUT
    start_timeout: float = DEFAULT_START_TIMEOUT
    fixtures: Path | None = None
    golden: bool = False
    known_failures: Path | None = None
    durations: Path | None = None
    build: str = ""
    generation: Generation | None = None

    def __post_init__(self) -> None:
        for plugin in self.plugins:
            if plugin not in PLUGINS:
                raise UsageError(
                    "unknown plugin", "--plugin", value=plugin, hint=suggestion(plugin, PLUGINS)
                )
        for option, seconds in (
            ("--call-timeout", self.call_timeout),
            ("--start-timeout", self.start_timeout),
        ):
            if not 0 < seconds < LONGEST_LIMIT:
                raise UsageError(
                    f"a time limit must be more than 0 and less than {LONGEST_LIMIT} seconds",
                    option,
                    value=str(seconds),
                    hint="leave it out for the default",
                )


def parse_shard(text: str) -> tuple[int, int]:
    """
    Read `i/n`, with 1 ≤ i ≤ n.

    Raises:
        UsageError: It is not of that form.
    """
    part, slash, whole = text.partition("/")
    if slash and part.isdecimal() and whole.isdecimal() and 1 <= int(part) <= int(whole):
        return int(part), int(whole)
    raise UsageError("not a shard", "--shard", value=text, hint="write i/n, for example 1/3")
