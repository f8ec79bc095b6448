"""
The power of the suite: every fault met by every scenario of its plugin.

`python -m faults.measure` plays them all (some minutes), writes beside this file what breaks along
with the clauses that a fault names (`consequences.yaml`, to be read in review), names the clauses
of scenarios that no fault turns red there, and the scenarios that nobody would miss; if there are
any, its status is 1. `--save FILE` keeps what was seen; `--load FILE` starts from it, and plays
again only the faults that are named, that are new, or that `--cases` asks for:

    python -m faults.measure --load power.json --save power.json accepts_duplicates
    python -m faults.measure --load power.json --save power.json --cases 'tree/ids-*' todo/x
"""

from __future__ import annotations

import json
import logging
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

from faults import FAULTS
from faults.kit import Fault
from faults.power import in_memory, look_at, scenarios
from faults.redundancy import outdated, redundant, unproven

CONSEQUENCES = Path(__file__).with_name("consequences.yaml")
HEAD = """\
# Clauses that break along with those that a fault names, because they rest on them: each by its id,
# so that whatever breaks anew shows. Written by `python -m faults.measure`; a clause that has
# nothing to do with its fault is a mistake of a scenario, and is looked for in review. Of those
# that break much `wide.yaml` says why.
"""

# By fault, by case: the clauses that fail, with their grades.
Power = dict[str, dict[str, dict[str, str]]]


def measure(
    faults: Iterable[str], cases: Sequence[str] = ("*",), processes: int | None = None
) -> Power:
    """
    Return, for each fault, the clauses that break in each scenario.

    Args:
        faults: Their names.
        cases: Globs of scenario ids.
        processes: How many to share the work; as many as there are processors by default.
    """
    names = list(faults)
    with ProcessPoolExecutor(processes or os.cpu_count()) as pool:
        broken = pool.map(partial(_broken, cases), names, chunksize=8)
        return dict(zip(names, broken, strict=True))


def _broken(cases: Sequence[str], name: str) -> dict[str, dict[str, str]]:
    logging.disable(logging.CRITICAL)  # Faults make the reference complain.
    fault = FAULTS[name]
    chosen = [s for s in scenarios(fault.edition, fault.plugin) if _is_one(s.id, cases)]
    with in_memory():
        return look_at(fault, chosen).red


def _is_one(case: str, globs: Iterable[str]) -> bool:
    return any(fnmatchcase(case, glob) for glob in globs)


def consequences(power: Power) -> dict[str, list[str]]:
    """
    Return the clauses that break beside those that each fault names.
    """
    return {
        name: found for name, broken in power.items() if (found := _beside(FAULTS[name], broken))
    }


def _beside(fault: Fault, broken: Mapping[str, Iterable[str]]) -> list[str]:
    return sorted({clause for each in broken.values() for clause in each} - fault.clauses)


def brought_up(kept: Power, given: Any) -> Power:
    """
    Return what was kept, with what is asked for played again.

    Args:
        kept: An earlier power.
        given: The command line.
    """
    whole = [name for name in FAULTS if name not in kept or name in given.faults]
    power = kept | measure(whole, processes=given.processes)
    rest = [name for name in FAULTS if name not in whole] if given.cases else []
    for name, broken in measure(rest, given.cases, given.processes).items():
        stays = {case: red for case, red in kept[name].items() if not _is_one(case, given.cases)}
        power[name] = stays | broken
    return {name: power[name] for name in FAULTS}


def to_be_mended(power: Power) -> Iterator[str]:
    """
    Yield what is wrong with faults, with scenarios, and with the reasons for keeping them.
    """
    for name, broken in power.items():
        named = {clause for each in broken.values() for clause in each}
        yield from (f"{name} does not break {c}" for c in sorted(FAULTS[name].clauses - named))
    yield from (f"{case}: no fault turns {clause} red in it" for case, clause in unproven(power))
    yield from (f"{case}: nothing would miss it" for case in redundant(power))
    yield from (f"{case}: is missed, and needs no reason" for case in outdated(power))


def main() -> int:
    """
    Measure, write what was found, and return 1 if anything is to be mended.
    """
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("faults", nargs="*", metavar="FAULT")
    parser.add_argument("--cases", nargs="+", default=[], metavar="GLOB")
    parser.add_argument("--processes", type=int)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--load", type=Path)
    given = parser.parse_args()
    kept = json.loads(given.load.read_text("utf-8")) if given.load else {}
    power = brought_up(kept, given)
    if given.save:
        given.save.write_text(json.dumps(power), "utf-8")
    found = consequences(power)
    rows = [f"{name}: [{', '.join(clauses)}]\n" for name, clauses in found.items()]
    CONSEQUENCES.write_text(HEAD + "".join(rows), "utf-8")
    wrong = list(to_be_mended(power))
    print(*wrong, sep="\n", end="\n" if wrong else "")  # noqa: T201  # What the script is for.
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
