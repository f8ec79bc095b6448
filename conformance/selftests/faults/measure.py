"""
The power of the suite: every fault met by every scenario of its plugin.

`python -m faults.measure` plays them all (some minutes), writes beside this file what breaks along
with the clauses that a fault names (`consequences.yaml`, to be read in review), and names the
scenarios that nobody would miss. `--load FILE` takes what `--save FILE` kept.
"""

from __future__ import annotations

import json
import logging
import os
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from faults import FAULTS
from faults.kit import Fault
from faults.power import in_memory, look_at, scenarios
from faults.redundancy import redundant

CONSEQUENCES = Path(__file__).with_name("consequences.yaml")
HEAD = """\
# Clauses that break along with those that a fault names, because they rest on them.
# Written by `python -m faults.measure`; a clause that has nothing to do with its fault is a mistake
# of a scenario, and is looked for in review.
"""
# So many clauses of one topic are told by the topic, so many topics by the plugin.
MANY_CLAUSES = 3
MANY_TOPICS = 6

Power = dict[str, dict[str, list[str]]]


def measure() -> Power:
    """
    Return, for each fault, the clauses that break in each scenario.
    """
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(FAULTS, pool.map(_broken, FAULTS, chunksize=8), strict=True))


def _broken(name: str) -> dict[str, list[str]]:
    logging.disable(logging.CRITICAL)  # Faults make the reference complain.
    fault = FAULTS[name]
    with in_memory():
        seen = look_at(fault, scenarios(fault.edition, fault.plugin))
    return {case: sorted(clauses) for case, clauses in seen.red.items()}


def consequences(power: Power) -> dict[str, list[str]]:
    """
    Return what breaks beside the clauses that each fault names, as ids or globs.
    """
    return {
        name: found for name, broken in power.items() if (found := _beside(FAULTS[name], broken))
    }


def _beside(fault: Fault, broken: Mapping[str, Iterable[str]]) -> list[str]:
    clauses = {clause for each in broken.values() for clause in each} - fault.clauses
    topics: defaultdict[str, list[str]] = defaultdict(list)
    for clause in sorted(clauses):
        topics[".".join(clause.split(".")[:2])].append(clause)
    if len(topics) > MANY_TOPICS:
        return sorted({f"{topic.split('.')[0]}.*" for topic in topics})
    return [
        pattern
        for topic, ids in topics.items()
        for pattern in ([f"{topic}.*"] if len(ids) > MANY_CLAUSES else ids)
    ]


def main() -> None:
    """
    Measure, and write what was found.
    """
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--load", type=Path)
    given = parser.parse_args()
    power = json.loads(given.load.read_text("utf-8")) if given.load else measure()
    if given.save:
        given.save.write_text(json.dumps(power), "utf-8")
    rows = [f"{name}: [{', '.join(found)}]\n" for name, found in consequences(power).items()]
    CONSEQUENCES.write_text(HEAD + "".join(rows), "utf-8")
    for name, broken in power.items():
        named = {clause for each in broken.values() for clause in each}
        for clause in sorted(FAULTS[name].clauses - named):
            print(f"{name} does not break {clause}")  # noqa: T201  # What the script is for.  # What the script is for.
    for case in redundant(power):
        print(f"{case}: nothing would miss it")  # noqa: T201  # As above.  # As above.


if __name__ == "__main__":
    main()
