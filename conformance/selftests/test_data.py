"""
The project's own data: clauses, scenarios, schemas and the pages about them say the same.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import jsonschema_rs
import pytest
import yaml
from jsonschema import Draft7Validator

from dsh_conformance.adapter.protocol import CAPABILITIES
from dsh_conformance.contract.documents import read_document
from dsh_conformance.paths import fixtures_root, spec_root
from dsh_conformance.scenario.loader import load_scenarios, scenario_files
from dsh_conformance.scenario.pattern_check import _OPERANDS
from dsh_conformance.scenario.patterns import OPERATORS, VALUES
from dsh_conformance.scenario.verbs import VERBS

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = spec_root() / "schemas"
PAGE = (ROOT / "docs" / "scenarios.md").read_text("utf-8")
LEAST = {"todo": 60, "tasks": 120, "tree": 150}


def schema(name):
    """
    Read a schema.
    """
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def scenario_schema():
    """
    The editors' schema of a scenario.
    """
    return schema("scenario")


@pytest.fixture(scope="module")
def loaded(contracts, known):
    """
    Our scenarios, by edition.
    """
    return {
        name: load_scenarios(fixtures_root(), contract, known)
        for name, contract in contracts.items()
    }


@pytest.fixture(scope="module")
def files():
    """
    What our scenarios' files hold.
    """
    return {path: read_document(path).data for path in scenario_files(fixtures_root())}


class TestScenarios:
    """
    Our own scenarios.
    """

    def test_load(self, loaded, files):
        """
        Every one loads in every edition.
        """
        assert {len(files)} == {len(scenarios) for scenarios in loaded.values()}

    def test_enough(self):
        """
        Each plugin has no fewer than it once had.
        """
        counts = Counter(
            path.relative_to(fixtures_root()).parts[0] for path in scenario_files(fixtures_root())
        )

        assert {} == {name: counts[name] for name, least in LEAST.items() if counts[name] < least}

    def test_played_somewhere(self, loaded):
        """
        None is left out of all editions.
        """
        excluded = [{one.id for one in scenarios if one.excluded} for scenarios in loaded.values()]

        assert set() == set.intersection(*excluded)

    def test_one_claim(self, files):
        """
        A claim is one sentence, and no two files claim the same.
        """
        claims = Counter()
        for path, data in files.items():
            claim = data["claim"]
            claims[claim] += 1
            assert claim.endswith("."), path
            assert "\n" not in claim, path

        assert [] == [claim for claim, times in claims.items() if times > 1]

    def test_editors_schema(self, scenario_schema, files):
        """
        The schema that editors use accepts every one.
        """
        accepts = jsonschema_rs.validator_for(scenario_schema).is_valid
        for path, data in files.items():
            assert accepts(data), path


class TestScenarioSchema:
    """
    The editors' schema says what the loader holds.
    """

    @pytest.mark.parametrize("name", sorted(path.name for path in SCHEMAS.glob("*.schema.json")))
    def test_is_a_schema(self, name):
        """
        Every schema is one.
        """
        Draft7Validator.check_schema(schema(name.removesuffix(".schema.json")))

    def test_head(self, scenario_schema):
        """
        The head that the loader checks is the whole but for the steps' own forms.
        """
        head = scenario_schema["definitions"]["head"]

        assert set(scenario_schema["properties"]) == set(head["properties"])
        assert scenario_schema["required"] == head["required"]

    def test_verbs(self, scenario_schema):
        """
        Each verb has a form, with the keys of the verbs' table.
        """
        forms = {
            name.removeprefix("step-"): set(form["properties"])
            for name, form in scenario_schema["definitions"].items()
            if name.startswith("step-")
        }

        assert {name: set(verb.keys) for name, verb in VERBS.items()} == forms

    def test_each_step_is_one_form(self, scenario_schema):
        """
        A step is one of the forms, one for each verb.
        """
        names = [one["$ref"] for one in scenario_schema["definitions"]["step"]["oneOf"]]

        assert {f"#/definitions/step-{name}" for name in VERBS} == set(names)

    @pytest.mark.parametrize(
        "step",
        [
            {"cll": "x"},
            {"call": "x", "sys": "y"},
            {"repeat": 0, "steps": [{"say": "x"}]},
            {"file": "x", "unchanged": ["a"]},
            {"advance": "10 minutes"},
            {"together": []},
        ],
    )
    def test_refuses(self, scenario_schema, step):
        """
        What the loader refuses by form, the schema refuses, too.
        """
        head = {"claim": "c", "clauses": ["a.b"]}

        assert not Draft7Validator(scenario_schema).is_valid({**head, "steps": [step]})

    def test_capabilities(self, scenario_schema):
        """
        Capabilities are those of the protocol, wherever they are listed.
        """
        clause = schema("clauses")["definitions"]["clause"]

        assert list(CAPABILITIES) == scenario_schema["properties"]["needs"]["items"]["enum"]
        assert list(CAPABILITIES) == clause["properties"]["needs"]["items"]["enum"]


class TestScenarioPage:
    """
    `docs/scenarios.md` tells of every verb, key and operator.
    """

    ROWS = tuple(
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.splitlines()
        if line.startswith("| `")
    )

    def row(self, verb):
        """
        Return the row of a verb.
        """
        for cells in self.ROWS:
            if re.search(rf"`{re.escape(verb)}: ", cells[0]) and len(cells) == 4:
                return cells
        return None

    def test_verbs(self):
        """
        The table has each verb once, and no other.
        """
        told = [
            name
            for cells in self.ROWS
            if len(cells) == 4
            for name in re.findall(r"`([a-z-]+): ", cells[0])
        ]

        assert sorted(VERBS) == sorted(told)

    @pytest.mark.parametrize("name", sorted(VERBS))
    def test_parameters(self, name):
        """
        Its parameters stand beside it.
        """
        told = set(re.findall(r"`([A-Za-z0-9]+)(?:: true)?`", self.row(name)[1]))

        assert set(VERBS[name].params) == told

    def test_expectations(self):
        """
        Every key that says what must be seen is told.
        """
        keys = set().union(*(verb.expects | verb.seen for verb in VERBS.values()))

        assert [] == [key for key in sorted(keys) if f"`{key}" not in PAGE]

    def test_operators(self):
        """
        Every operator is told, and every told one exists.
        """
        told = set(re.findall(r"\$[a-zA-Z]+", PAGE))

        assert OPERATORS | VALUES == told
        assert OPERATORS == set(_OPERANDS)


class TestContract:
    """
    Where clauses come from.
    """

    def clauses(self, contracts):
        """
        Yield the clauses of all editions.
        """
        return [clause for one in contracts.values() for clause in one.clauses.values()]

    def test_decisions(self, contracts):
        """
        Every decision that a clause names is a record.
        """
        records = {int(path.name[:4]) for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md")}
        named = {clause.provenance.record for clause in self.clauses(contracts)} - {None}

        assert set() == named - records

    def test_sections(self, contracts):
        """
        Every section that a clause names is one of its document's.
        """
        path = Path(__file__).parent / "data" / "sections.yaml"
        sections = yaml.safe_load(path.read_text("utf-8"))
        unknown = {
            (clause.provenance.detail["document"], clause.provenance.detail["section"])
            for clause in self.clauses(contracts)
            if clause.provenance.kind == "stated"
            and clause.provenance.detail["section"]
            not in sections[clause.provenance.detail["document"]]
        }

        assert set() == unknown

    def test_ids(self, contracts):
        """
        An id is never a former id of another clause.
        """
        for contract in contracts.values():
            assert set() == set(contract.aliases) & set(contract.clauses)

    def test_levels(self, contracts):
        """
        What a document states is no mere should, unless a decision says so.
        """
        odd = [
            clause.id
            for clause in self.clauses(contracts)
            if clause.provenance.kind == "stated"
            and clause.level == "should"
            and clause.provenance.record is None
        ]

        assert [] == odd

    def test_statements(self, contracts):
        """
        A statement is a sentence.
        """
        assert [] == [one.id for one in self.clauses(contracts) if not one.statement.endswith(".")]
