"""
The contract as pages for readers: one a plugin, every clause with its text, origin and cases.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from dsh_conformance.contract.catalogue import Contract, load_contracts
from dsh_conformance.contract.clauses import Clause
from dsh_conformance.contract.editions import DEFAULT_EDITION, PLUGINS
from dsh_conformance.paths import fixtures_root
from dsh_conformance.scenario.loader import load_scenarios
from dsh_conformance.scenario.model import Scenario

TITLES = {
    "todo": "todo: the task list",
    "tasks": "tasks: background work",
    "tree": "tree: the task flow that folds",
}
HEAD = """\
This page is made from `spec/{plugin}.yaml` and `fixtures/` by `python conformance/site/pages.py`.
A **must** is stated in a document, a **should** is what the published plugin does
where the documents are silent or what a decision record settles, a **may** is allowed and worth
reporting ([editions and levels](../editions-and-levels.md)).
"""


def write_pages(folder: Path) -> dict[Path, str]:
    """
    Return each page's path and text; nothing is written.

    Raises:
        DataError: A clause or scenario file is wrong.
    """
    contracts = load_contracts()
    contract = contracts[DEFAULT_EDITION]
    cases = _cases(contracts)
    decisions = (folder.parent / "decisions").glob("[0-9]*.md")
    records = {int(path.name[:4]): path.name for path in decisions}
    pages = {
        folder / f"{plugin}.md": "\n".join(_page(plugin, contracts, cases, records)) + "\n"
        for plugin in PLUGINS
    }
    return {folder / "README.md": "\n".join(_index(contract)) + "\n", **pages}


def _cases(contracts: dict[str, Contract]) -> dict[str, list[Scenario]]:
    cases: dict[str, dict[str, Scenario]] = defaultdict(dict)
    known = {clause for one in contracts.values() for clause in one.clauses}
    for contract in contracts.values():
        for scenario in load_scenarios(fixtures_root(), contract, known):
            for clause in scenario.clauses:
                cases[clause].setdefault(scenario.id, scenario)
    return {clause: list(found.values()) for clause, found in cases.items()}


def _index(contract: Contract) -> Iterator[str]:
    yield "# The contract"
    yield ""
    yield "| plugin | must | should | may | cannot be tested from outside |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for plugin in PLUGINS:
        clauses = [one for one in contract.clauses.values() if one.plugin == plugin]
        counts = [
            str(sum(one.level == level and not one.untestable for one in clauses))
            for level in ("must", "should", "may")
        ]
        untestable = sum(one.untestable is not None for one in clauses)
        yield f"| [{TITLES[plugin]}]({plugin}.md) | {' | '.join(counts)} | {untestable} |"


def _page(
    plugin: str,
    contracts: dict[str, Contract],
    cases: dict[str, list[Scenario]],
    records: dict[int, str],
) -> Iterator[str]:
    yield f"# {TITLES[plugin]}"
    yield ""
    yield HEAD.format(plugin=plugin)
    clauses: dict[str, Clause] = {}
    for contract in contracts.values():
        for name, clause in contract.clauses.items():
            if clause.plugin == plugin:
                clauses.setdefault(name, clause)
    for clause in clauses.values():
        yield from _clause(clause, contracts, cases.get(clause.id, []), records)


def _clause(
    clause: Clause,
    contracts: dict[str, Contract],
    cases: list[Scenario],
    records: dict[int, str],
) -> Iterator[str]:
    yield f"## {clause.id}"
    yield ""
    yield f"**{clause.level}**: {clause.statement}"
    yield ""
    if clause.text:
        yield "```text"
        yield from clause.text
        yield "```"
        yield ""
    yield f"- {_origin(clause, records)}"
    for line in _editions(clause, contracts):
        yield f"- {line}"
    if clause.untestable is not None:
        yield f"- cannot be tested from outside: {clause.untestable}"
    for scenario in cases:
        yield f"- case `{scenario.id}`: {scenario.claim}"
    yield ""


def _origin(clause: Clause, records: dict[int, str]) -> str:
    text, record = str(clause.provenance), clause.provenance.record
    return text if record is None else f"{text} ([record](../decisions/{records[record]}))"


def _editions(clause: Clause, contracts: dict[str, Contract]) -> Iterator[str]:
    for name, contract in contracts.items():
        other = contract.clauses.get(clause.id)
        if other is None:
            yield f"edition {name} has no such clause"
        elif other.statement != clause.statement:
            yield f"edition {name} ({other.level}): {other.statement}"
        if other is not None and other.text != clause.text:
            texts = ", ".join(f"`{text}`" for text in other.text if "\n" not in text)
            yield f"edition {name} words it {texts or 'differently'}"
