"""
A finding as a scenario file: the same words, the same player, no Hypothesis.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from dsh_conformance import __version__
from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.generate.finding import Finding
from dsh_conformance.generate.observe import UNNAMED
from dsh_conformance.generate.program import RawStep
from dsh_conformance.generate.record import Record, at_path
from dsh_conformance.scenario.patterns import ABSENT
from dsh_conformance.scenario.render import value_text

# Keys that say how a step ended, which a scenario must name to go on behind it.
_ENDINGS = ("error", "refused", "pending")
# A text of so many characters is written as so few, repeated, where it is that.
_LONG, _UNIT = 100, 8
_LAWS_ONLY = frozenset({"advance"})


@dataclass(frozen=True)
class Origin:
    """
    Where a finding comes from.
    """

    machine: str
    seed: int
    edition: str
    oracle: str | None


def scenario(finding: Finding, contract: Contract, origin: Origin) -> dict[str, Any]:
    """
    Return the finding as the data of a scenario file.
    """
    clause = contract.clauses[finding.clause]
    found: dict[str, Any] = {
        "machine": origin.machine,
        "seed": origin.seed,
        "suite": __version__,
        "edition": origin.edition,
    }
    if origin.oracle is not None:
        found["oracle"] = origin.oracle
    found["seen"] = value_text(_written(finding.seen, plain=True))
    data: dict[str, Any] = {
        "claim": clause.statement,
        "found": found,
        "clauses": [finding.clause],
        "editions": [origin.edition],
        "plugins": list(finding.program.plugins),
    }
    if finding.program.services:
        data["services"] = list(finding.program.services)
    data["steps"] = [_step(record, finding) for record in finding.records]
    return data


def write(finding: Finding, contract: Contract, origin: Origin, folder: Path) -> Path:
    """
    Write a finding below a folder and return the file; the same bug always has the same name.
    """
    digest = hashlib.sha256("\0".join(finding.identity).encode()).hexdigest()[:8]
    path = folder / f"{finding.clause.replace('.', '-')}-{digest}.yaml"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text(scenario(finding, contract, origin)), "utf-8")
    return path


def text(data: dict[str, Any]) -> str:
    """
    Return a scenario as YAML that its loader reads back to the same values.
    """
    written = {key: _written(value, plain=key == "found") for key, value in data.items()}
    return yaml.dump(written, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100)


class _Dumper(yaml.SafeDumper):
    """
    Writes every value out: a scenario file has no anchors.
    """

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002  # The library's signature.
        return True


def _represent_text(dumper: _Dumper, value: str) -> yaml.ScalarNode:
    # Written plain, what looks like a line break to YAML would come back as a blank.
    style = None if all(char.isprintable() for char in value) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _represent_text)


def _step(record: Record, finding: Finding) -> RawStep:
    step = dict(finding.program.steps[record.index])
    step = {key: value for key, value in step.items() if key != "bind"} | _bound(step, record)
    if record.index != finding.index:
        for key in _ENDINGS:
            if key in record.facts:
                step.pop("says", None)
                step[key] = record.facts[key]
        return step
    step.pop("says", None)
    if finding.key != "works" and record.verb not in _LAWS_ONLY:
        expected = finding.expected
        step[finding.key] = {"$absent": True} if expected is ABSENT else _open_names(expected)
    step["clause"] = finding.clause
    return step


def _open_names(value: Any) -> Any:
    # What no step names may be any id.
    if isinstance(value, str):
        return value.replace(f"{{{UNNAMED}", f"{{rest-{UNNAMED}")
    if isinstance(value, list):
        return [_open_names(item) for item in value]
    if isinstance(value, dict):
        return {key: _open_names(inner) for key, inner in value.items()}
    return value


def _bound(step: RawStep, record: Record) -> dict[str, Any]:
    wanted = step.get("bind")
    if isinstance(wanted, dict):
        kept = {
            name: path for name, path in wanted.items() if at_path(record.raw, path) is not None
        }
        return {"bind": kept} if kept else {}
    if wanted and "says" in record.facts:
        return {"bind": list(wanted)}
    return {}


def _written(value: Any, *, plain: bool = False) -> Any:
    if isinstance(value, str):
        lone = any("\ud800" <= char <= "\udfff" for char in value)
        if lone:
            return json.dumps(value) if plain else {"$json": json.dumps(value)}
        unit = None if plain else _repeated(value)
        return value if unit is None else {"$repeat": [unit, len(value) // len(unit)]}
    if isinstance(value, list | tuple):
        return [_written(item, plain=plain) for item in value]
    if isinstance(value, dict):
        return {key: _written(inner, plain=plain) for key, inner in value.items()}
    return "nothing" if value is ABSENT else value


def _repeated(value: str) -> str | None:
    if len(value) < _LONG:
        return None
    units = (value[:size] for size in range(1, _UNIT + 1) if not len(value) % size)
    return next((unit for unit in units if unit * (len(value) // len(unit)) == value), None)
