"""
Scenario files: how they are read for an edition, and what is wrong with a wrong one.
"""

from __future__ import annotations

import pytest

from dsh_conformance.errors import DataError
from dsh_conformance.scenario.loader import load_scenarios, scenario_files

CALL = "steps:\n  - agent: a\n  - call: todo_write\n"


@pytest.fixture
def refused(load):
    """
    Return the error about a scenario.
    """

    def error(text, **more):
        with pytest.raises(DataError) as caught:
            load(text, **more)
        return caught.value

    return error


class TestReading:
    """
    A scenario is what its file says, with defaults.
    """

    def test_head(self, load):
        """
        The id is the path; the plugin is the folder's; the main clause stands first.
        """
        scenario = load(CALL + "    says: x\n")

        assert ("todo/x", "todo") == (scenario.id, scenario.plugin)
        assert ({"name": "todo"},) == scenario.plugins
        assert ("todo.content.unique",) == scenario.clauses

    def test_plugin_of_clause(self, load):
        """
        In a folder that is no plugin's, the main clause says which plugin is loaded.
        """
        assert ({"name": "todo"},) == load(CALL + "    says: x\n", name="mine/x").plugins

    def test_config_of_edition(self, load):
        """
        A plugin named without a configuration gets the edition's own.
        """
        scenario = load(CALL + "    says: x\n", edition="0.1.0-rc.8")

        assert {"allowParallelInProgress": False} == scenario.plugins[0]["config"]

    def test_words(self, load):
        """
        Texts, tool names and keys are put into the edition's words.
        """
        text = (
            "plugins: [tasks]\nsteps:\n  - agent: a\n"
            "  - {call: task_kill, with: {task_id: x}, says: unknown task x}\n"
        )
        known, old = load(text), load(text, edition="0.1.0-rc.8")

        assert ("task_kill", {"says": "unknown task x"}) == (
            known.steps[1].value,
            known.steps[1].expects,
        )
        assert ("job_kill", {"job_id": "x"}) == (old.steps[1].value, old.steps[1].params["with"])
        assert {"says": "unknown job x"} == old.steps[1].expects

    def test_only_agent(self, load):
        """
        The only agent is meant where none is named.
        """
        assert "a" == load(CALL + "    says: x\n").steps[1].params["by"]

    def test_needs(self, load):
        """
        It needs what its clauses, its verbs and its expectations need.
        """
        scenario = load("needs: [todo.present]\n" + CALL + "    logs: []\n  - surface: a\n")

        assert {"todo", "todo.present", "log", "surface"} == scenario.needs

    def test_other_edition(self, load):
        """
        A scenario of another edition is excluded, a step of one is left out.
        """
        text = CALL + "    says: x\n  - say: y\n    editions: [0.1.0-rc.8]\n"

        assert 2 == len(load(text).steps)
        assert 3 == len(load(text, edition="0.1.0-rc.8").steps)
        assert "it is about edition 0.1.0-rc.8" == load("editions: [0.1.0-rc.8]\n" + text).excluded

    def test_clause_missing(self, load):
        """
        A scenario whose clause the edition lacks is excluded.
        """
        head = "claim: c\nclauses: [todo.config.required]\n"

        excluded = load(CALL + "    says: x\n", head=head).excluded

        assert "edition 2026-08 has no clause todo.config.required" == excluded

    def test_together(self, load):
        """
        Steps inside others are steps of their own.
        """
        step = load("steps:\n  - agent: a\n  - together: [{say: x, clause: todo.content.unique}]\n")

        assert ["say"] == [inner.verb.name for inner in step.steps[1].steps]


class TestClauses:
    """
    Each clause of the head is one that some step could break.
    """

    @pytest.mark.parametrize(
        "steps",
        [
            "steps:\n  - agent: a\n  - say: x\n",
            "given:\n  - agent: a\n  - call: todo_write\n    says: x\nsteps:\n  - say: x\n",
        ],
        ids=["no expectation", "only on the stage"],
    )
    def test_unchecked(self, refused, steps):
        """
        A clause that nothing checks is refused: the case could not fail.
        """
        error = refused(steps)

        assert "no step checks the clause 'todo.content.unique'" == error.what
        assert error.where.endswith("x.yaml:2:11")

    def test_not_in_head(self, refused):
        """
        A step cannot break a clause that the head does not name.
        """
        error = refused(
            CALL + "    says: x\n    logs: []\n"
            "    clause: {logs: todo.content.unique, says: todo.result.text}\n"
        )

        assert "a step names the clause 'todo.result.text', which the head does not" == error.what

    def test_no_such_expectation(self, refused):
        """
        A clause for what the step does not expect would never be named.
        """
        error = refused(CALL + "    says: x\n    clause: {call: todo.content.unique}\n")

        assert "the step expects no 'call'" == error.what

    def test_by_key(self, load):
        """
        What was expected decides which clause a surprise breaks.
        """
        head = "claim: c\nclauses: [todo.content.unique, todo.refused.writes-nothing]\n"
        text = (
            CALL + "    error: x\n    logs: []\n    clause: {logs: todo.refused.writes-nothing}\n"
        )
        step = load(text, head=head).steps[1]

        assert "todo.refused.writes-nothing" == step.clause_for("logs")
        assert "todo.content.unique" == step.clause_for("error")


class TestMistakes:
    """
    A mistake is reported as file, line and column, what was found, and what to do.
    """

    @pytest.mark.parametrize(
        ("text", "where", "what", "hint"),
        [
            ("stps: []", "3:1", "unknown key 'stps'", "'steps'"),
            ("steps: []", "3:8", "this must not be empty", "docs/"),
            ("steps: 3", "3:8", "expected a list, found a number", "docs/"),
            ("steps: [3]", "3:9", "a step must be a map that begins with a verb", "docs/"),
            ("steps: [{}]", "3:9", "a step without a verb", "docs/"),
            ("steps: [{cll: x}]", "3:10", "a step begins with its verb; 'cll' is none", "'call'"),
            ("steps: [{by: a, call: x}]", "3:10", "a step begins with its verb", "write 'call'"),
            (CALL + "    sys: x", "6:5", "unknown key 'sys'", "'says'"),
            (CALL + "    says: 3", "6:11", "expected text or a map, found a number", "docs/"),
            (CALL + "    clause: todo.content.uniqe", "6:13", "unknown clause", "unique'?"),
            ("plugins: [tod]\n" + CALL, "3:11", "expected one of todo", "'todo'"),
            ("plugins: [{todo: 3}]\n" + CALL, "3:18", "expected a map", "docs/"),
            ("needs: [todo.projectoin]\n" + CALL, "3:9", "expected one of", "'todo.projection'"),
            ("services: [comands]\n" + CALL, "3:12", "expected one of", "'commands'"),
            ("editions: [2026-07]\n" + CALL, "3:12", "unknown edition '2026-07'", "'2026-08'"),
            (CALL + "    editions: [x]", "6:16", "unknown edition 'x'", "2026-08"),
            ("steps:\n  - advance: 10 minutes", "4:14", "not of the form", "docs/"),
            ("steps:\n  - say: x", "4:5", "who does this?", "`by:`"),
        ],
    )
    def test_form(self, refused, text, where, what, hint):
        """
        Keys, verbs, names and values that do not exist.
        """
        error = refused(text)

        assert error.where.endswith(f"todo/x.yaml:{where}")
        assert error.what.startswith(what)
        assert hint in error.hint

    @pytest.mark.parametrize(
        ("step", "what", "hint"),
        [
            ("says: {$match: x}", "unknown operator '$match'", "'$matches'"),
            ("says: {$matches: '(x'}", "not a regular expression", "re module"),
            ("value: {$has: {a: 1}, b: 2}", "operators and ordinary keys do not mix", "$has"),
            ("value: {$size: x}", "$size takes a count", "Patterns"),
            ("value: {$size: true}", "$size takes a count", "Patterns"),
            ("value: {$oneOf: x}", "$oneOf takes a list of patterns", "Patterns"),
            ("value: {$includes: []}", "$includes takes a list of patterns", "Patterns"),
            ("value: {$absent: false}", "$absent takes true", "Patterns"),
            ("value: {$not: {$contans: x}}", "unknown operator '$contans'", "'$contains'"),
            ("value: {$same: x}", "no earlier step remembers 'x'", "remember"),
            ("with: {$jsn: x}", "'$jsn' cannot stand in what is sent", "$json"),
            ("with: {$json: '{'}", "$json holds no JSON text", "Patterns"),
            ("with: {x: {$repeat: [a]}}", "$repeat takes [TEXT, N]", "Patterns"),
            ("with: {x: {$repeat: [aaa, 9000000]}}", "$repeat takes a text and a count", "Patt"),
            ("with: {$each: {to: 99999999999999999, value: x}}", "$each unfolds to more", "Patt"),
            ("with: {$each: {value: x}}", "$each takes", "Patterns"),
        ],
    )
    def test_patterns(self, refused, step, what, hint):
        """
        Operators that do not exist, or whose operand is of another kind.
        """
        error = refused(f"{CALL}    {step}\n    error: x\n")

        assert error.what.startswith(what)
        assert "todo/x.yaml:6:" in error.where
        assert hint in error.hint

    @pytest.mark.parametrize(
        ("steps", "what", "hint"),
        [
            ("- together: [{call: x, logs: []}]", "'logs' cannot stand inside together", "leave"),
            ("- together: [{file: x}]", "'file' cannot stand inside together", "before or behind"),
            ("- any-of: [[{call: x}], [{inbox: a}]]", "'call' cannot stand inside any-of", "looks"),
            (
                "- any-of: [[{poll: x, bind: {y: call}}], [{inbox: a}]]",
                "'bind' cannot stand inside any-of",
                "leave",
            ),
            ("- {file: /etc/passwd, shows: x}", "not a path in the state folder", "relative"),
            ("- {file: a/../../../x, shows: x}", "not a path in the state folder", "relative"),
            ("- {files: ../../*, shows: []}", "not a path in the state folder", "relative"),
            ("- {write-file: x}", "exactly one of text and base64 is needed", "text: ''"),
            ("- {write-file: x, base64: '='}", "not base64", "="),
            ("- {settle: x, reject: y, detail: z}", "'detail' cannot stand beside reject", "leave"),
            ("- {call: x, by: nobody, logs: []}", "'logs' says nothing of a caller", "leave"),
            ("- {say: x, by: nobody}", "'say' needs an agent", "name one"),
            ("- {say: x, by: b}", "no step makes the agent 'b'", "known: a"),
            ("- {say: x, unchanged: [b]}", "no step makes the agent 'b'", "known: a"),
        ],
    )
    def test_steps(self, refused, steps, what, hint):
        """
        Steps that cannot be played where they stand, or say nothing there.
        """
        error = refused(f"steps:\n  - agent: a\n  {steps}\n")

        assert error.what.startswith(what)
        assert "todo/x.yaml:5:" in error.where
        assert hint in error.hint


class TestNames:
    """
    A name is bound once, and before it is used.
    """

    def test_twice(self, refused):
        """
        A name that is bound twice is refused.
        """
        again = "    says: '{t1}'\n    bind: [t1]\n"
        error = refused(CALL + again + "  - call: x\n" + again)

        assert "the name 't1' is bound twice" == error.what
        assert error.where.endswith("x.yaml:10:11")

    @pytest.mark.parametrize(
        "text",
        [
            "    says: '{t1}'\n  - call: x\n    says: '{t1}'\n    bind: [t1]\n",
            "    with: {x: '{t1}'}\n    says: '{t1}'\n    bind: [t1]\n",
            "    with: {x: '{t1}'}\n    bind: {t1: call}\n",
        ],
        ids=["a later step", "sent by the step that binds it", "a field of its own answer"],
    )
    def test_too_early(self, refused, text):
        """
        A name that stands before what binds it is refused.
        """
        error = refused(CALL + text)

        assert "the name {t1} is used before it is bound" == error.what
        assert "bind it at an earlier step" == error.hint

    def test_inside_repeat(self, refused):
        """
        What a repeat binds is gone behind it.
        """
        text = (
            "steps:\n  - agent: a\n"
            "  - {repeat: 2, steps: [{call: x, says: '{t1}', bind: [t1]}]}\n"
            "  - {call: x, says: '{t1}'}\n"
        )

        assert "before it is bound" in refused(text).what

    def test_inside_together(self, refused):
        """
        What together binds is known when all of it is over.
        """
        text = (
            "steps:\n  - agent: a\n"
            "  - together: [{call: x, says: '{t1}', bind: [t1]}, {poll: '{t1}'}]\n"
        )

        assert "bound only when all of together is over" in refused(text).what

    def test_nowhere(self, refused):
        """
        A name that no text of the step could bind is refused.
        """
        error = refused(CALL + "    says: {$contains: '{t1}'}\n    bind: [t1]\n")

        assert "{t1} stands in no text of this step that could bind it" == error.what

    def test_slip(self, refused):
        """
        A near miss of a bound name is refused.
        """
        error = refused(CALL + "    says: '{task1}'\n    bind: [task1]\n  - say: '{tsk1}'\n")

        assert ("no step binds {tsk1}", "did you mean {task1}?") == (error.what, error.hint)

    def test_count(self, refused):
        """
        The count of a repeat is no name to bind.
        """
        assert "the count of a repeat" in refused(CALL + "    says: '{n}'\n    bind: [n]\n").what

    def test_braces(self, load):
        """
        Other braces are ordinary text.
        """
        assert load(CALL + "    says: '{goal} {\"a\": 1}'\n").steps


class TestFolders:
    """
    Scenarios are found below a folder.
    """

    def test_missing(self, tmp_path):
        """
        A folder that does not exist is named.
        """
        with pytest.raises(DataError, match="no such folder of scenarios"):
            scenario_files(tmp_path / "none")

    def test_empty(self, tmp_path):
        """
        A folder without scenarios is a mistake.
        """
        with pytest.raises(DataError, match="no scenario files here"):
            scenario_files(tmp_path)

    def test_below_golden(self, tmp_path):
        """
        Recorded vectors are no scenarios, but a folder may lie below one of that name.
        """
        (root := tmp_path / "golden" / "cases" / "todo").mkdir(parents=True)
        (root / "golden").mkdir()
        for path in (root / "x.yaml", root / "golden" / "y.yaml"):
            path.write_text("", "utf-8")

        assert [root / "x.yaml"] == scenario_files(root.parent)

    def test_file(self, tmp_path, contract, known):
        """
        A single file is a scenario of its own.
        """
        path = tmp_path / "counterexample.yaml"
        path.write_text(
            "claim: c\nclauses: [todo.content.unique]\n" + CALL + "    says: x\n", "utf-8"
        )

        assert ["counterexample"] == [one.id for one in load_scenarios(path, contract, known)]

    def test_unparsable(self, tmp_path, contract):
        """
        A file that is no YAML names its place.
        """
        (tmp_path / "x.yaml").write_text("claim: 'x", "utf-8")

        with pytest.raises(DataError, match="not YAML") as caught:
            load_scenarios(tmp_path, contract)

        assert caught.value.where.endswith("x.yaml:1:10")
