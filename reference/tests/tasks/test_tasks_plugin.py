"""
The plugin: its settings, its place in the system prompt, and what is left when it goes.
"""

import math

import pytest

from dsh_reference import tasks
from dsh_reference.errors import LoadFailed, Rejected
from dsh_reference.host.clock import Clock
from dsh_reference.host.composition import Composition

RC8 = "0.1.0-rc.8"


class TestConfig:
    """
    Settings that load, and those that do not.
    """

    @pytest.mark.parametrize(
        "config",
        [
            {},
            {"waitTimeoutMs": None, "zz": 1},
            {"waitTimeoutMs": 500, "maxWaitTimeoutMs": 500},
            {"waitTimeoutMs": 1.5},
            {"maxConsecutiveWakes": 1.5, "completionDelivery": "x"},
        ],
    )
    def test_loads(self, make_office, config):
        """
        Equal limits, fractions, null and unknown keys are fine.
        """
        assert "tool-tasks" in make_office(**config).composition.plugins

    @pytest.mark.parametrize(
        ("config", "text"),
        [
            ({"waitTimeoutMs": 600001}, "waitTimeoutMs (600001) exceeds maxWaitTimeoutMs (600000)"),
            ({"maxWaitTimeoutMs": 50}, "waitTimeoutMs (30000) exceeds maxWaitTimeoutMs (50)"),
            ({"waitTimeoutMs": 1e21}, "waitTimeoutMs (1e+21) exceeds maxWaitTimeoutMs (600000)"),
        ],
    )
    @pytest.mark.parametrize(("edition", "name"), [("2026-08", "tasks"), (RC8, "jobs")])
    def test_default_above_cap(self, make_office, edition, name, config, text):
        """
        A default wait above the cap is refused in the plugin's name.
        """
        with pytest.raises(LoadFailed) as caught:
            make_office(edition, **config)

        assert f"tool-{name}: {text}" == str(caught.value)

    @pytest.mark.parametrize(
        ("key", "value", "problem"),
        [
            ("waitTimeoutMs", 0, "expected number >= 1 but got 0"),
            ("maxWaitTimeoutMs", -2.5, "expected number >= 1 but got -2.5"),
            ("waitTimeoutMs", "5", "expected number but got 5"),
            ("waitTimeoutMs", True, "expected number but got true"),
            ("waitTimeoutMs", math.nan, "expected number but got NaN"),
            ("waitTimeoutMs", [1, None], "expected number but got 1,"),
            ("waitTimeoutMs", {"a": 1}, "expected number but got [object Object]"),
            ("maxConsecutiveWakes", 0, "expected number >= 1 but got 0"),
            ("completionDelivery", "x", 'expected "quiet" | "wakeup" but got "x"'),
            ("completionDelivery", 5, 'expected "quiet" | "wakeup" but got 5'),
            ("completionDelivery", {"a": 1}, 'expected "quiet" | "wakeup" but got {"a":1}'),
        ],
    )
    def test_wrong_kind(self, make_office, key, value, problem):
        """
        A value of the wrong kind is refused with its key, what was expected, and itself.
        """
        with pytest.raises(LoadFailed) as caught:
            make_office(RC8, **{key: value})

        assert f"invalid config:\n  - $.{key} {problem} (at {key})" == str(caught.value)

    def test_first_problem(self, make_office):
        """
        Of several problems the first is told.
        """
        with pytest.raises(LoadFailed) as caught:
            make_office(waitTimeoutMs=0, maxWaitTimeoutMs=0)

        assert str(caught.value).endswith("(at waitTimeoutMs)")

    def test_whole_wakes(self, make_office):
        """
        Turns are not halved.
        """
        with pytest.raises(LoadFailed) as caught:
            make_office(RC8, maxConsecutiveWakes=1.5)

        assert "tool-jobs: maxConsecutiveWakes (1.5) must be a whole number of turns" == str(
            caught.value
        )


class TestGuidance:
    """
    The section in the system prompt.
    """

    def test_tasks(self, office):
        """
        The paragraph stands at its place, word for word.
        """
        text = (
            "Track every background task id you start. You are notified in-session when a task"
            " finishes — do not busy-poll or sleep on one; keep working on independent steps and do"
            " not duplicate a running task's work. Before giving a final answer, collect every"
            " still-relevant task with task_output (set wait: true only when you are genuinely"
            " blocked on it), and task_kill tasks that stopped mattering."
        )
        rendered = office.composition.prompt.render(office.agent("alice"))

        assert [{"name": "tool:tasks", "order": 106, "text": text}] == rendered

    def test_jobs(self, jobs):
        """
        The other edition says the same of jobs.
        """
        (section,) = jobs.composition.prompt.render(jobs.agent("alice"))

        assert "tool:jobs" == section["name"]
        assert section["text"].endswith("and job_kill jobs that stopped mattering.")
        assert "task" not in section["text"]


class TestFace:
    """
    What the plugin shows of itself.
    """

    def test_module(self):
        """
        The package is the plugin of the default edition, and exports what upstream's does.
        """
        form = tasks.for_edition("2026-08")

        assert (form.name, form.inject, form.defaults) == (
            tasks.name,
            tasks.inject,
            tasks.defaults,
        )
        assert ["Config", "apply", "inject", "name", "statusLine"] == sorted(tasks.__all__)
        assert sorted(tasks.__all__) == list(form.exports)

    def test_defaults(self):
        """
        Only the edition that wakes has settings for it.
        """
        waits = {"waitTimeoutMs": 30_000, "maxWaitTimeoutMs": 600_000}
        wakes = {"completionDelivery": "wakeup", "maxConsecutiveWakes": 3}

        assert waits == tasks.for_edition("2026-08").defaults
        assert {**waits, **wakes} == tasks.for_edition(RC8).defaults

    def test_tools(self, office, jobs):
        """
        Three tools stand in their order, each edition with its own names and words.
        """
        listed = office.composition.tools.list()

        assert ["task_output", "task_list", "task_kill"] == [tool["name"] for tool in listed]
        assert [
            ["task_id", "wait", "timeout_ms"],
            [],
            ["task_id", "reason"],
        ] == [list(tool["parameters"]["properties"]) for tool in listed]
        assert "job" not in str(listed)
        assert "task" not in str(jobs.composition.tools.list())


class TestLife:
    """
    Loading and unloading.
    """

    def test_service_alone(self):
        """
        Without the plugin the service refuses every start.
        """
        composition = Composition(
            Clock(), "2026-08", services=["tasks"], factories={"tasks": tasks.build_service}
        )

        with pytest.raises(Rejected, match="no control surface is attached"):
            composition.services.get("tasks").start(kind="a", label="b", run=pytest.fail)

    def test_unload(self, office):
        """
        When the plugin goes, so do its tools, its guidance, its notices and the right to start.
        """
        alice = office.agent("alice")
        office.start(alice)
        office.composition.unload("tool-tasks")
        office.settle("bash-1")

        assert [] == office.composition.tools.list()
        assert [] == office.composition.prompt.render(alice)
        assert [] == alice.inbox.messages
        assert "completed" == office.registry.get("bash-1", caller=alice).status
        with pytest.raises(Rejected, match="no control surface is attached"):
            office.start(alice)

    def test_load_again(self, office):
        """
        Loaded again, it finds the tasks of before.
        """
        office.start()
        office.composition.unload("tool-tasks")
        office.composition.load(tasks.for_edition("2026-08"))

        assert "bash-1 [bash] running — work" == office.text("list")
