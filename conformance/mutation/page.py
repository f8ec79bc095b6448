"""
The page `docs/mutation.md`; run as a script, it is written anew from `results.json`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
VERDICTS = HERE / "verdicts.yaml"
PAGE = HERE.parents[1] / "docs" / "mutation.md"
# As the page says; the rest is scored.
LEFT_OUT = frozenset({"tree/panel_server.py", "tree/panel_actions.py", "tasks/producers.py"})
HEAD = """\
# Mutation score

How much of the reference may be changed before the suite notices. Cosmic Ray changes one operator,
number, comparison, loop or keyword at a time in the code of the three plugins; the judge is the
fixed scenarios of the plugin alone, in both editions (no unit tests, no generated cases). A mutant
is killed when a case fails, or can no longer be played. Each survivor has a verdict: it means the
same (equivalent), it shows nowhere from outside (cannot be seen), or only where the contract is
silent (no clause). A survivor that an implementation's users could meet gets a clause, a case and a
planted fault instead.

Cosmic Ray rather than mutmut: its operators can be used apart from its runner. The suite is read
once and each mutant forked off (`conformance/mutation/`), a hundred times faster than a test
command a mutant; and nothing is changed on disk. To score again, here one module:

<!-- not run: takes minutes -->
```console
pip install -e ".[mutation]"
python conformance/mutation/run.py tree/fold.py --workers 2
```

Left out are modules that no case reaches: the panel's server and its actions, which serve browsers
and have tests of their own, and the producers that the reference's adapter drives tasks with.
"""
OPEN = "**no verdict yet**"
# Survivors that say nothing of the suite.
UNSEEN = ("equivalent", "cannot be seen")

Result = dict[str, Any]
Verdicts = dict[str, Any]


def verdicts() -> Verdicts:
    """
    Return what is written on survivors: by module and change, and on every change like it.
    """
    return yaml.safe_load(VERDICTS.read_text("utf-8"))


def page(results: dict[str, Result], verdicts: Verdicts) -> str:
    """
    Return the page for the results by module.
    """
    return "\n".join(
        [HEAD, *_scores(results), "", *_kinds(results, verdicts), *_survivors(results, verdicts)]
    )


def write(results: dict[str, Result]) -> None:
    """
    Write the page.
    """
    PAGE.write_text(page(results, verdicts()), "utf-8")


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


def _kinds(results: dict[str, Result], verdicts: Verdicts) -> Iterator[str]:
    """
    Count the survivors by the beginning of what is written on them, and score what can be seen.
    """
    kinds = Counter(
        verdict_on(survivor["key"], name, verdicts).partition(":")[0]
        for name, result in results.items()
        for survivor in result["survivors"]
    )
    made = sum(result["mutants"] for result in results.values())
    seen = made - sum(kinds[kind] for kind in UNSEEN)
    killed = made - kinds.total()
    counted = ", ".join(f"{count} × {kind}" for kind, count in kinds.most_common())
    share = f"{100 * killed / seen:.1f} %" if seen else "–"
    yield f"The survivors: {counted or 'none'}."
    yield "Without those that are equivalent or cannot be seen,"
    yield f"{killed} of {seen} mutants are killed: {share}.\n"


def _survivors(results: dict[str, Result], verdicts: Verdicts) -> Iterator[str]:
    for name, result in sorted(results.items()):
        if result["survivors"]:
            yield f"## `{name}`\n"
            for survivor in result["survivors"]:
                verdict = verdict_on(survivor["key"], name, verdicts)
                yield f"- line {survivor['line']}: `{survivor['key']}`: {verdict}"
            yield ""


def verdict_on(key: str, module: str, verdicts: Verdicts) -> str:
    """
    Return what is written on a survivor of a module, or that nothing is yet.
    """
    own = verdicts.get(module, {}).get(key)
    if own is not None:
        return str(own)
    before, _, after = key.partition(" → ")
    for rule in verdicts.get("everywhere", ()):
        if rule["from"] in before and rule["to"] in after:
            return str(rule["why"])
    return OPEN


if __name__ == "__main__":
    write(json.loads(RESULTS.read_text("utf-8")))
