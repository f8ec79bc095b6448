"""
The page `docs/mutation.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

VERDICTS = Path(__file__).with_name("verdicts.yaml")
HEAD = """\
# Mutation score

How much of the reference may be changed before the suite notices. Cosmic Ray changes one operator,
number, comparison, loop or keyword at a time in the code of the three plugins; the judge is the
fixed scenarios of the plugin alone, in both editions (no unit tests, no generated cases). A mutant
is killed when a case fails, or can no longer be played. A survivor has a verdict: it means the same
(equivalent), it shows only where the contract is silent, or it was a gap that is closed since.

Cosmic Ray rather than mutmut: its operators can be used apart from its runner. The suite is read
once and each mutant forked off (`conformance/mutation/`), a hundred times faster than a test
command a mutant; and nothing is changed on disk.
"""
OPEN = "**no verdict yet**"

Result = dict[str, Any]


def page(results: dict[str, Result]) -> str:
    """
    Return the page for the results by module.
    """
    verdicts = yaml.safe_load(VERDICTS.read_text("utf-8")) or {}
    return "\n".join([HEAD, *_scores(results), "", *_survivors(results, verdicts)])


def _scores(results: dict[str, Result]) -> Iterator[str]:
    yield "| module | mutants | killed | score | date, commit |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for name, result in sorted(results.items()):
        yield _score(f"`{name}`", [result], f"{result['date']}, {result['commit']}")
    yield _score("all of these", list(results.values()), "")


def _score(name: str, results: list[Result], when: str) -> str:
    made = sum(result["mutants"] for result in results)
    killed = made - sum(len(result["survivors"]) for result in results)
    share = f"{100 * killed / made:.0f} %" if made else "–"
    return f"| {name} | {made} | {killed} | {share} | {when} |"


def _survivors(results: dict[str, Result], verdicts: dict[str, Any]) -> Iterator[str]:
    for name, result in sorted(results.items()):
        if result["survivors"]:
            yield f"## `{name}`\n"
            for survivor in result["survivors"]:
                verdict = _verdict(verdicts, name, survivor["key"])
                yield f"- line {survivor['line']}: `{survivor['key']}`: {verdict}"
            yield ""


def _verdict(verdicts: dict[str, Any], module: str, key: str) -> str:
    own = verdicts.get(module, {}).get(key)
    if own is not None:
        return str(own)
    before, _, after = key.partition(" → ")
    for rule in verdicts.get("everywhere", ()):
        if rule["from"] in before and rule["to"] in after:
            return str(rule["why"])
    return OPEN
