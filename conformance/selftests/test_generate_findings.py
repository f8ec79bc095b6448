"""
What becomes of a finding: kinds, scenario files, cases, replays and comparisons.
"""

import json
import logging
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.cli import main
from dsh_conformance.contract.catalogue import load_contract
from dsh_conformance.contract.documents import parse_document
from dsh_conformance.errors import UsageError
from dsh_conformance.generate.export import text
from dsh_conformance.generate.machines import Setup, ordered, run, search
from dsh_conformance.generate.profiles import ORACLE, Generation, parse_budget
from dsh_conformance.generate.search import Budget
from dsh_conformance.generate.shrink import plainer_texts, simpler
from dsh_conformance.generate.tasks import TASKS
from dsh_conformance.generate.todo import TODO
from dsh_conformance.run.settings import Settings
from dsh_conformance.run.state import RunState
from dsh_conformance.scenario.loader import load_scenario
from dsh_conformance.scenario.player import play
from dsh_conformance.scenario.values import worked_out

EDITION = "2026-08"
FEW = Budget(200, 12, 1, None, 5.0)


@pytest.fixture(autouse=True)
def quiet():
    """
    Keep the reference's warnings to itself.
    """
    logging.getLogger("dsh_reference").setLevel(logging.CRITICAL)


def setup(adapter, *, oracle=ORACLE, folder=None, **more):
    """
    Return what machines run with.
    """
    held = None if oracle is None else Connection(oracle, EDITION)
    tested = Connection(adapter, EDITION)
    return Setup(load_contract(EDITION), tested, held, 3, folder=folder, **more)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """
    Return a counterexample.
    """
    folder = tmp_path_factory.mktemp("found")
    run(TODO, setup("faults:appends_the_event_twice", folder=folder), FEW)
    return next(folder.glob("*.yaml"))


def invoke(*arguments):
    """
    Run a command line and return its status and output.
    """
    done = CliRunner().invoke(main, [str(one) for one in arguments])
    return done.exit_code, done.output


class TestKinds:
    """
    What a finding is when it is no failure of a clause.
    """

    def test_wavering_is_flaky(self):
        """
        An adapter that answers the same steps differently is told with both transcripts.
        """
        result, found = run(TODO, setup("generate_liars:Wavering"), FEW)

        assert "unverified" == result.outcome
        assert "flaky" == result.kind
        assert () == result.failures
        assert {"run 1", "run 2"} == {one.step.partition(",")[0] for one in result.transcript}
        assert 2 == len(found.findings[0].transcripts)

    def test_crash_is_unverified(self):
        """
        An adapter that breaks down is unverified, with the script that led there.
        """
        result, _ = run(TODO, setup("generate_liars:Crashing"), FEW)

        assert ("unverified", "error") == (result.outcome, result.kind)
        assert "in_progress" in result.script[-1]

    def test_wrong_oracle_is_named(self):
        """
        An oracle that breaks a law is named, and the implementation is not blamed.
        """
        result, _ = run(TODO, setup(ORACLE, oracle="generate_liars:Doubling"), FEW)

        assert ("unverified", "oracle") == (result.outcome, result.kind)
        assert "generate_liars:Doubling" in result.reason
        assert "todo.write.one-event" in result.reason

    @pytest.mark.parametrize("machine", [TODO, TASKS], ids=lambda one: one.name)
    def test_laws_bear_any_answer(self, machine):
        """
        An implementation that takes what it must refuse breaks clauses, and no law of ours.
        """
        result, found = run(
            machine, setup("generate_liars:Agreeing", oracle=None), Budget(300, 20, 5, None, 1.0)
        )

        assert result.outcome in {"failed", "passed"}
        assert found.examples

    def test_missing_capability_is_not_applicable(self):
        """
        A machine whose plugin is not declared is not applicable.
        """
        done = setup(ORACLE)
        object.__setattr__(done.tested.info, "capabilities", frozenset({"todo"}))

        assert "not applicable" == run(TASKS, done, FEW)[0].outcome


class TestFiles:
    """
    Counterexamples as scenario files.
    """

    @pytest.mark.parametrize(
        ("machine", "fault"),
        [
            (TODO, "appends_the_event_twice"),
            (TODO, "trims_as_python_does"),
            (TASKS, "reads_all_from_the_beginning"),
            (TASKS, "everyone_uses_every_task"),
        ],
        ids=lambda one: getattr(one, "name", one),
    )
    def test_play_as_scenarios(self, machine, fault, tmp_path):
        """
        A file fails on the faulty implementation and passes on the reference, in the plain player.
        """
        budget = Budget(600, 20, 1, None, 10.0)
        result, _ = run(machine, setup(f"faults:{fault}", folder=tmp_path), budget)
        (path,) = tmp_path.glob("*.yaml")
        contract = load_contract(EDITION)
        scenario = load_scenario(path, tmp_path, contract, frozenset(contract.clauses))
        outcomes = [
            play(scenario, Connection(adapter, EDITION), contract)
            for adapter in (f"faults:{fault}", ORACLE)
        ]

        assert ["failed", "passed"] == [one.outcome for one in outcomes]
        assert outcomes[0].failures[0].clause == result.failures[0].clause
        assert result.failures[0].where.startswith(f"{path}:")

    def test_say_where_they_come_from(self, tmp_path):
        """
        A file holds clause, edition, seed, suite version, steps, expected and seen.
        """
        run(TODO, setup("faults:appends_the_event_twice", folder=tmp_path), FEW)
        (path,) = tmp_path.glob("*.yaml")
        data = yaml.safe_load(path.read_text("utf-8"))

        assert ["todo.write.one-event"] == data["clauses"]
        assert {"machine", "seed", "suite", "edition", "oracle", "seen"} == set(data["found"])
        assert 3 == data["found"]["seed"]
        assert data["steps"][-1]["clause"] == data["clauses"][0]

    def test_same_bug_same_file(self, tmp_path):
        """
        Another run that finds the same bug writes no second file.
        """
        for _ in range(2):
            run(TODO, setup("faults:appends_the_event_twice", folder=tmp_path), FEW)

        assert 1 == len(list(tmp_path.glob("*.yaml")))

    @given(st.text(max_size=30))
    @settings(max_examples=200, deadline=None)
    def test_hold_any_text(self, value):
        """
        Any text without braces comes back from a file as it was.
        """
        written = text({"claim": "x", "steps": [{"say": value}]})
        data = parse_document(Path("x.yaml"), written).data

        assert value == worked_out(data["steps"][0]["say"])


class TestShrinking:
    """
    What the shrinker tries.
    """

    def test_long_texts_become_just_long_enough(self, tmp_path):
        """
        A limit of 200 characters is shown by 201, written as one repeated.
        """
        run(
            TODO,
            setup("faults:long_contents_are_cut", folder=tmp_path),
            Budget(1000, 20, 1, None, 60),
        )
        (path,) = tmp_path.glob("*.yaml")
        todos = yaml.safe_load(path.read_text("utf-8"))["steps"][-1]["with"]["todos"]

        assert [{"$repeat": ["a", 201]}] == [todo["content"] for todo in todos]

    def test_leaves_out_and_makes_plain(self):
        """
        A step loses parameters, items of lists and keys of maps, one at a time.
        """
        step = {"call": "todo_write", "by": "alice", "with": {"todos": [{"a": 1}, {"b": 2}]}}
        tried = [json.dumps(one["with"]) for one in simpler(step) if "with" in one]

        assert '{"todos": [{"b": 2}]}' in tried
        assert '{"todos": [{}, {"b": 2}]}' in tried
        assert "{}" in tried

    def test_names_are_left_alone(self):
        """
        A text that holds a name is not made plainer.
        """
        assert [] == list(plainer_texts("{task1}"))
        assert "a" in list(plainer_texts("é"))

    def test_known_failures_are_not_shrunk(self):
        """
        A failure that is known is reported as it was found.
        """
        fault = "faults:reads_all_from_the_beginning"
        short = search(TASKS, setup(fault), FEW).findings[0]
        found = search(TASKS, setup(fault, known=lambda _case, _clause: True), FEW).findings[0]

        assert len(short.program.steps) < len(found.program.steps)


class TestReplay:
    """
    `dsh-conformance replay`.
    """

    @pytest.mark.parametrize(
        ("adapter", "status", "word"),
        [
            (ORACLE, 0, "fixed"),
            ("faults:appends_the_event_twice", 1, "still failing"),
        ],
    )
    def test_tells(self, file, adapter, status, word):
        """
        A file is fixed or still failing, and the status says so.
        """
        done, output = invoke("replay", file, "--adapter", adapter)

        assert status == done, output
        assert f"{file}: {word}" in output

    def test_not_reproducible(self, file, tmp_path):
        """
        Two plays that disagree, or a script that does not come to its end, prove nothing.
        """
        other = tmp_path / "wavering.yaml"
        data = yaml.safe_load(file.read_text("utf-8"))
        says = "Updated todo list: 0 pending, 0 in progress, 0 completed."
        call = {"call": "todo_write", "by": "alice", "with": {"todos": []}, "says": says}
        data["steps"] = [data["steps"][0], *[{**call, "clause": data["clauses"][0]}] * 4]
        other.write_text(text(data), "utf-8")
        done, output = invoke("replay", other, "--adapter", "generate_liars:Wavering")

        assert 3 == done, output
        assert "not reproducible" in output

    def test_a_bad_file_is_one_message(self, tmp_path):
        """
        A file that is no scenario ends with status 2 and its place.
        """
        bad = tmp_path / "bad.yaml"
        bad.write_text("claim: x\n")
        done, output = invoke("replay", bad)

        assert 2 == done
        assert f"{bad}:1:1" in output


class TestCompare:
    """
    `dsh-conformance compare`.
    """

    def test_gives_the_shortest_script(self):
        """
        The script on which two part is shown with both answers.
        """
        done, output = invoke(
            *("compare", "--adapter", ORACLE, "--adapter", "faults:appends_the_event_twice"),
            *("--plugin", "todo"),
        )

        assert 1 == done, output
        assert "they part at todo.write" in output
        assert "dsh-reference (faults:appends_the_event_twice)" in output
        assert "3. " in output
        assert "4. " not in output

    def test_finds_nothing_between_twins(self):
        """
        Two of a kind do not part.
        """
        done, output = invoke(
            *("compare", "--adapter", ORACLE, "--adapter", ORACLE, "--examples", "5")
        )

        assert 0 == done, output
        assert "todo: no difference in 5 examples" in output

    def test_wants_two(self):
        """
        One adapter is not enough.
        """
        done, output = invoke("compare", "--adapter", ORACLE)

        assert 2 == done
        assert "give --adapter twice" in output


class TestBudgets:
    """
    How much is drawn.
    """

    @pytest.mark.parametrize(
        ("written", "seconds"), [("60s", 60), ("2m", 120), ("5", 5), ("500ms", 0.5)]
    )
    def test_reads_times(self, written, seconds):
        """
        A budget is a time with its unit.
        """
        assert seconds == parse_budget(written)

    @pytest.mark.parametrize("written", ["", "0s", "-1s", "1d", "soon"])
    def test_refuses_other_words(self, written):
        """
        Anything else is refused with a hint.
        """
        with pytest.raises(UsageError, match="write 60s, 10m or 1h"):
            parse_budget(written)

    def test_refuses_unknown_profiles(self):
        """
        A profile nobody knows is refused with the list of those there are.
        """
        with pytest.raises(UsageError, match="one of quick, ci, deep"):
            Generation(profile="fast")

    def test_quick_begins_at_zero(self):
        """
        The profile of every run draws the same each time; the others draw anew.
        """
        assert 0 == Generation().seeded().seed
        assert Generation(profile="deep").seeded().seed != Generation(profile="deep").seeded().seed

    def test_time_ends_a_search(self):
        """
        A search ends when its time is over, with what it has.
        """
        budget = Budget(1_000_000, 12, 1, 1.0, 5.0)
        outcome = search(TODO, setup(ORACLE), budget)

        assert 0 < outcome.examples < 1_000_000
        assert outcome.seconds < 10

    def test_failing_machines_come_first(self, tmp_path):
        """
        A machine whose failure stands in the database goes before the others, and meets it at once.
        """
        fault = "faults:trims_information_separators"
        first = search(TODO, setup(fault, database=tmp_path), FEW)
        again = search(TODO, setup(fault, database=tmp_path), FEW)

        assert [TASKS, TODO] == ordered([TASKS, TODO], None)
        assert [TODO, TASKS] == ordered([TASKS, TODO], tmp_path)
        assert first.findings[0].clause == again.findings[0].clause
        assert 1 == again.found_after[0]


class TestRuns:
    """
    Machines within a run.
    """

    def test_are_cases(self, tmp_path):
        """
        A machine is a case: it is listed, and what it finds decides the status.
        """
        save = tmp_path / "found"
        done, output = invoke(
            *("run", "machine/todo", "--adapter", "faults:appends_the_event_twice"),
            *("--save", save),
        )

        assert 1 == done, output
        assert "✗ machine/todo" in output
        assert "todo.write.one-event (must)" in output
        assert f"replay: dsh-conformance replay {save}" in output.replace("\n", "")

    def test_are_left_out_when_asked(self):
        """
        `--no-generated` leaves the machines out, and so does a narrower choice.
        """
        every = RunState(Settings(plugins=("todo",), generation=Generation()))
        clause = RunState(Settings(clauses=("todo.tool.only-one",), generation=Generation()))

        assert ["machine/todo"] == every.machines
        assert [] == clause.machines
        assert [] == RunState(Settings()).machines

    def test_stand_in_one_shard_each(self):
        """
        Every machine is in exactly one shard.
        """
        parts = [
            RunState(Settings(shard=(part, 3), generation=Generation())).machines
            for part in (1, 2, 3)
        ]

        assert 4 == sum(map(len, parts))
        assert 4 == len({case for part in parts for case in part})

    def test_an_interrupt_keeps_what_was_found(self, tmp_path):
        """
        Ctrl-C ends a run with the failure found so far, and its status.
        """
        done, output = invoke(
            *("run", "machine/todo", "--profile", "deep", "--seed", "1"),
            *("--adapter", "generate_liars:Interrupted", "--save", tmp_path),
        )

        assert 1 == done, output
        assert "todo.write.one-event" in output
        assert "interrupted" in output

    def test_an_interrupt_without_a_failure(self, tmp_path):
        """
        Ctrl-C before anything was found ends with 130.
        """
        done, output = invoke(
            *("run", "machine/tasks", "--profile", "deep", "--seed", "1"),
            *("--adapter", "generate_liars:Interrupted", "--save", tmp_path),
        )

        assert 130 == done, output
