"""
The verbs that are more than one call, or none: names, groups of steps, files.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from altered import altered

START = """\
plugins: [tasks]
steps:
  - agent: a
  - start: bash
    label: sleep 10
    owner: a
    bind: {t1: id}
"""


class TestNames:
    """
    Ids of the implementation's own making.
    """

    def test_bound(self, play):
        """
        A field of an answer, or a part of a text, is used from then on.
        """
        text = (
            START
            + """\
  - call: task_list
    says: "{id} [bash] running — sleep 10"
    bind: [id]
  - settle: "{t1}"
  - call: task_output
    with: {task_id: "{id}"}
    says: {$endsWith: "[status: completed]"}
"""
        )
        result = play(text)

        assert ("passed", "") == (result.outcome, result.reason), result.failures

    def test_no_such_field(self, play):
        """
        A field that is not there leaves the case unverified.
        """
        result = play(START.replace("t1: id", "t1: idd") + "    clause: todo.content.unique\n")

        assert ("unverified", "prerequisite") == (result.outcome, result.kind)
        assert "nothing to bind at 'idd'" in result.reason

    def test_unbound_after_other_words(self, play):
        """
        A name that other words did not bind ends the script, and the failure stands.
        """
        text = """\
steps:
  - agent: a
  - call: todo_write
    with: {todos: []}
    says: "Done: {x}"
    bind: [x]
  - say: "{x}"
"""

        result = play(text)

        assert ("failed", 2) == (result.outcome, len(result.script))

    def test_remember(self, play):
        """
        `remember` keeps an observation, for `$same` and `$extends`.
        """
        text = """\
steps:
  - agent: a
  - request: a
    remember: before
  - request: a
    shows: {$same: before}
  - append: a
    events: [{human: hi}]
  - request: a
    shows: {$extends: before}
  - surface: a
    shows: {$not: {$same: before}}
"""

        assert "passed" == play(text).outcome


class TestRepeat:
    """
    `repeat` plays its steps over and over.
    """

    TEXT = """\
steps:
  - agent: a
  - repeat: 3
    steps:
      - call: todo_write
        with: {todos: [{content: "item {n}", status: pending}]}
        logs: [{todos: [{content: "item {n}", status: pending}]}]
"""

    def test_count(self, play):
        """
        `{n}` counts from 1.
        """
        result = play(self.TEXT)

        contents = [
            exchange.params["arguments"]["todos"][0]["content"]
            for exchange in result.transcript
            if exchange.method == "tools.call"
        ]
        assert ["item 1", "item 2", "item 3"] == contents

    def test_script(self, play):
        """
        The script shows the round in which it ended.
        """
        rounds = count(1)

        def third_fails(sound, **params):
            return {**sound(**params), **({"isError": True} if next(rounds) == 2 else {})}

        text = self.TEXT.replace("        logs:", "        says: {$any: true}\n        logs:")
        result = play(text, altered(tools_call=third_fails))

        assert ["agent: a", "repeat: 3"] == list(result.script[:2])
        assert 3 == len(result.script)
        assert "item 2" in result.script[2]
        assert len(result.script) == len(result.places) == len(result.expectations)

    def test_names_are_new(self, play):
        """
        What a round binds is new in the next.
        """
        text = """\
plugins: [tasks]
steps:
  - agent: a
  - repeat: 2
    steps:
      - {start: bash, label: "l {n}", owner: a, bind: {t: id}}
      - {settle: "{t}"}
      - {call: task_list, says: {$contains: "{t} [bash] completed — l {n}"}}
"""

        assert "passed" == play(text).outcome


class TestTogether:
    """
    `together` is one call, judged step by step.
    """

    RACE = (
        START
        + """\
  - call: task_output
    with: {task_id: "{t1}", wait: true, timeout_ms: 60000}
    pending: true
    bind: {c1: call}
  - together:
      - {settle: "{t1}", status: completed}
      - {abort: "{c1}"}
"""
    )

    def test_one_call(self, play):
        """
        All steps go over the wire at once.
        """
        result = play("services: []\n" + self.RACE.replace("timeout_ms: 60000", "timeout: 60"))
        methods = [exchange.method for exchange in result.transcript]

        assert 1 == methods.count("together")
        assert "tasks.settle" not in methods

    def test_inner_failure(self, play):
        """
        Each step is judged by itself, at its own place.
        """
        text = """\
steps:
  - agent: a
  - together:
      - {call: todo_write, with: {todos: []}, error: x}
"""

        (failure,) = play(text).failures

        assert ("error", "6:9") == (failure.key, failure.where.partition("x.yaml:")[2])

    @pytest.mark.parametrize(
        ("results", "reason"),
        [([], "answered 0 of 1 calls"), ([{"result": {"done": 3}}], "tools.call")],
        ids=["too few", "a wrong one"],
    )
    def test_protocol(self, play, results, reason):
        """
        Answers that are too few, or wrong inside, teach nothing.
        """
        text = (
            "steps:\n  - agent: a\n  - together: [{call: todo_write, with: {todos: []}, says: x}]\n"
        )

        result = play(text, altered(together=lambda _, **__: {"results": results}))

        assert ("unverified", "protocol") == (result.outcome, result.kind)
        assert reason in result.reason

    @pytest.mark.parametrize("early", [True, False])
    def test_early_end(self, play, early):
        """
        A call may end inside together or give a handle: its end is read alike, and so is its log.
        """
        done = {"done": True, "isError": False, "text": "over"}
        first = done if early else {"done": False, "call": "h1"}
        adapter = altered(
            together=lambda _, **__: {"results": [{"result": first}]},
            tools_poll=lambda _, **__: done,
            log_read=lambda _, **__: {"events": []},
        )
        text = """\
steps:
  - agent: a
  - together: [{call: todo_write, by: a, bind: {c1: call}}]
  - poll: "{c1}"
    says: over
    logs: []
  - any-of:
      - - {poll: "{c1}", says: never}
      - - {poll: "{c1}", says: over}
"""

        result = play(text, adapter)
        assert ("passed", "") == (result.outcome, result.reason)
        # The log that is held to be as it was is the caller's, also for a call that ended early.
        assert "log.read" in [exchange.method for exchange in result.transcript]


class TestAnyOf:
    """
    `any-of` holds when one of its alternatives does.
    """

    TEXT = """\
steps:
  - agent: a
  - say: hi
  - any-of:
      - - {inbox: a, shows: []}
      - - {inbox: a, shows: [{human: %s}]}
"""

    def test_one(self, play):
        """
        The second alternative holds; the look is made once.
        """
        result = play(self.TEXT % "hi")

        assert "passed" == result.outcome
        assert 1 == [exchange.method for exchange in result.transcript].count("agent.inbox")

    def test_none(self, play):
        """
        The failure shows every alternative and what was seen.
        """
        (failure,) = play(self.TEXT % "ho").failures

        assert ("any-of", "wrong effect") == (failure.key, failure.grade)
        assert " or " in failure.differences[0].expected
        assert '"hi"' in failure.differences[0].seen


class TestModelCall:
    """
    `model-call` writes the call and its result to the log, as a model's call would stand there.
    """

    def test_log(self, play):
        """
        Call, the tool's own event, result: in this order, with one id.
        """
        text = """\
steps:
  - agent: a
  - work: a
    calls: [{name: read, result: null}]
  - log: a
  - model-call: todo_write
    with: {todos: []}
    logs:
      - {assistant: "", calls: [{name: todo_write, with: {todos: []}}]}
      - {todos: []}
      - {result: {$startsWith: Updated}, call: call-2}
"""

        result = play(text)

        assert ("passed", "") == (result.outcome, result.reason), result.failures


class TestFiles:
    """
    The state folder is the case's own.
    """

    @pytest.fixture
    def on_files(self, play):
        """
        Play steps that look at files.
        """

        def played(steps, adapter=None):
            text = "plugins: [tree]\nsteps:\n  - agent: a\n" + steps
            return play(text, adapter)

        return played

    def test_written(self, on_files):
        """
        What is written is there, as text, bytes or JSON; what is not there is absent.
        """
        result = on_files("""\
  - {write-file: sub/a.json, text: '{"x": 1}'}
  - {write-file: sub/b, base64: gA==}
  - {file: sub/a.json, json: true, shows: {x: 1}}
  - {file: sub/a.json, shows: '{"x": 1}'}
  - {file: sub/b, shows: {$json: '"\\ufffd"'}}
  - {file: sub/b, json: true, shows: {$startsWith: not JSON}}
  - {file: sub/c, shows: {$absent: true}}
  - {files: 'sub/*', shows: [sub/a.json, sub/b]}
  - {files: '../*', shows: []}
""")

        assert ("passed", "") == (result.outcome, result.reason), result.failures

    def test_difference(self, on_files):
        """
        Another text breaks the clause.
        """
        result = on_files("  - {write-file: a, text: x}\n  - {file: a, shows: y}\n")

        assert "wrong effect" == result.grade

    def test_cannot_be_written(self, on_files):
        """
        A file where a folder is needed leaves the case unverified.
        """
        result = on_files(
            "  - {write-file: a, text: x}\n"
            "  - {write-file: a/b, text: x}\n"
            "  - {file: a, shows: x}\n"
        )

        assert ("unverified", "prerequisite") == (result.outcome, result.kind)

    def test_link_outside(self, on_files):
        """
        A link that the implementation put there is not followed.
        """

        def reset(sound, **params):
            Path(params["stateDir"], "out").symlink_to("/etc")
            return sound(**params)

        result = on_files("  - {file: out/passwd, shows: x}\n", altered(reset=reset))

        assert ("unverified", "prerequisite") == (result.outcome, result.kind)
        assert "leaves the case's folder" in result.reason

    def test_own_folder(self, on_files):
        """
        Each case gets an empty folder of its own, and it is gone afterwards.
        """
        folders = []

        def reset(sound, **params):
            folders.append(Path(params["stateDir"]))
            assert [] == list(folders[-1].iterdir())
            return sound(**params)

        for _ in range(2):
            on_files("  - {file: x, shows: {$absent: true}}\n", altered(reset=reset))

        assert 2 == len(set(folders))
        assert not any(folder.exists() for folder in folders)
