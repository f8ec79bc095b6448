"""
The plugin on its host: who is held, who is freed, what is pushed, and what is left when it goes.
"""

import pytest

from dsh_reference import tree
from dsh_reference.errors import LoadFailed
from dsh_reference.host.clock import Clock
from dsh_reference.host.composition import Composition
from dsh_reference.host.steps import ENTERED, HELD
from dsh_reference.tree import texts

STEP_ONE = "接下来需要进行步骤：「一」(s-1)。"
NOTE = {"kind": "user", "text": "n", "source": {"kind": "plugin", "plugin": "other"}}


class House:
    """
    A composition with the plugin and one agent, on session A.
    """

    def __init__(self, root, config):
        self.on(Composition(Clock(), "2026-08", state_dir=root, services=["commands"]))
        self.composition.load(tree, config)

    def on(self, composition):
        """
        Move to a composition.
        """
        self.composition = composition
        self.agent = composition.create_agent("a", session="A")

    def reload(self):
        """
        Restart the process.
        """
        self.on(self.composition.reload())

    def tool(self, name, agent="own", **arguments):
        """
        Return a tool's result.
        """
        caller = self.agent if agent == "own" else agent
        return self.composition.tools.call(f"tree_task_{name}", arguments, agent=caller).result

    def broken_down(self):
        """
        Make a plan with two open steps.
        """
        self.tool("create", title="目标", tasks=[{"title": "任务"}])
        self.tool("plan", parentId="t-1", children=[{"title": "一"}, {"title": "二"}])

    def command(self, line):
        """
        Return what `/task-tree` answers, with all that follows from it done.
        """
        result = self.composition.commands.run(f"/task-tree {line}", agent=self.agent)
        self.composition.clock.run_ready()
        return result.text

    def enter(self, *messages, **options):
        """
        Begin a step.
        """
        return self.composition.steps.enter(self.agent, messages, **options)

    def say(self, text="weiter"):
        """
        Let a person write.
        """
        self.agent.inbox.say(text)
        self.composition.clock.run_ready()

    def stop(self):
        """
        Let the user stop the turn.
        """
        self.composition.steps.stop_turn(self.agent, aborted=True)
        self.composition.clock.run_ready()

    def pushed(self):
        """
        Return the texts pushed to the idle agent, and take them out of its inbox.
        """
        pushed = self.composition.steps.idle(self.agent)
        self.agent.inbox.claim()
        return [message["text"] for message in pushed]


@pytest.fixture
def house(tmp_path):
    """
    Make a house with given settings.
    """
    return lambda **config: House(tmp_path, config)


class TestPause:
    """
    The gate.
    """

    def test_frees_a_waiting_step_when_a_person_writes(self, house):
        """
        The message waits in the inbox, and the step before it goes on.
        """
        here = house()
        here.command("pause")
        step = here.enter()
        held = step.state
        here.say()

        assert (HELD, ENTERED) == (held, step.state)
        assert ["weiter"] == [message["text"] for message in here.agent.inbox.messages]
        assert ENTERED == here.enter().state

    def test_stays_for_messages_of_plugins(self, house):
        """
        A plugin's message in the inbox or in the step lifts nothing.
        """
        here = house()
        here.command("pause")
        waiting = here.enter(NOTE)
        here.agent.inbox.inject(NOTE)
        here.composition.clock.run_ready()

        assert HELD == waiting.state

    def test_lets_go_only_what_is_ready(self, house):
        """
        A resumed step goes on after what was begun in the same instant.
        """
        here = house()
        here.command("pause")
        step = here.enter()
        here.composition.commands.run("/task-tree resume", agent=here.agent)
        held = step.state
        here.composition.clock.run_ready()

        assert (HELD, ENTERED) == (held, step.state)

    def test_outlives_a_restart(self, house):
        """
        A paused session does not start by itself.
        """
        here = house()
        here.command("pause")
        here.reload()

        assert HELD == here.enter().state

    def test_ends_with_the_plugin(self, house):
        """
        An unloaded plugin holds nothing back.
        """
        here = house()
        here.command("pause")
        step = here.enter()
        here.composition.unload("dsh-tree-task-flow")
        here.composition.clock.run_ready()

        assert ENTERED == step.state

    def test_keeps_sessions_apart(self, house):
        """
        Another session's steps go on.
        """
        here = house()
        here.command("pause")
        other = here.composition.create_agent("b")

        assert ENTERED == here.composition.steps.enter(other).state


class TestAutoContinue:
    """
    What is pushed to an idle agent.
    """

    def test_is_off_by_default(self, house):
        """
        Nothing is pushed unless somebody asked for it.
        """
        here = house()
        here.broken_down()

        assert [] == here.pushed()

    def test_pushes_until_the_rounds_are_used(self, house):
        """
        Only a person gives them back.
        """
        here = house(autoContinue=True, maxAutoRounds=2)
        here.broken_down()
        pushed = [here.pushed() for _ in range(3)]
        here.enter(NOTE)
        more = here.pushed()
        here.say()
        here.enter()

        assert ([[STEP_ONE], [STEP_ONE], []], []) == (pushed, more)
        assert [STEP_ONE] == here.pushed()

    def test_stays_stopped_until_a_person_writes(self, house):
        """
        Neither resume nor a restart nor further idling undoes a stop.
        """
        here = house(autoContinue=True)
        here.broken_down()
        here.stop()
        seen = [here.pushed()]
        resumed = here.command("resume")
        seen.append(here.pushed())
        here.reload()
        seen.append(here.pushed())
        here.say()
        here.enter()

        assert [[], [], []] == seen
        assert texts.RESUMED_INTERRUPTED == resumed
        assert [STEP_ONE] == here.pushed()

    def test_takes_an_aborted_step_for_a_stop(self, house):
        """
        A host may tell of a stop by the step's signal alone.
        """
        here = house(autoContinue=True)
        here.broken_down()
        here.enter(aborted=True)

        assert [] == here.pushed()

    def test_does_not_take_a_dying_agent_for_a_stop(self, house):
        """
        The next agent of the session goes on.
        """
        here = house(autoContinue=True)
        here.broken_down()
        here.command("pause")
        here.enter()
        here.composition.agents.dispose("a")
        here.composition.clock.run_ready()
        here.reload()
        here.command("resume")

        assert [STEP_ONE] == here.pushed()

    def test_lets_a_queued_message_go_first(self, house):
        """
        A person's message in the inbox costs no round.
        """
        here = house(autoContinue=True, maxAutoRounds=1)
        here.broken_down()
        here.say()

        assert [] == here.pushed()
        assert [STEP_ONE] == here.pushed()


class TestTools:
    """
    The six tools on the host.
    """

    def test_keep_counting_after_reset_and_restart(self, house):
        """
        No id of a session is given out twice.
        """
        here = house()
        here.broken_down()
        here.command("reset")
        here.reload()
        text = here.tool("create", title="neu", tasks=[{"title": "x"}]).text

        assert "g-2  neu" in text
        assert "t-2  x" in text

    def test_store_nothing_without_a_session(self, house):
        """
        A caller that is no agent has no plan, and is told so.
        """
        here = house()
        text = here.tool("create", agent=None, title="x", tasks=[{"title": "y"}]).text

        assert "建立目标失败：拿不到当前会话。" == text
        assert texts.NO_PLAN_TREE == here.tool("status", agent=None).text
        assert texts.NO_PLAN == here.tool("done", agent=None, id="g-1", result="r").text
        assert [] == list(here.composition.state_dir.iterdir())

    def test_write_once_a_change(self, house, monkeypatch):
        """
        A change is one file written; a refusal none.
        """
        here = house()
        here.broken_down()
        written = []
        replace = type(here.composition.state_dir).replace
        monkeypatch.setattr(
            type(here.composition.state_dir),
            "replace",
            lambda path, target: written.append(target.name) or replace(path, target),
        )
        here.tool("done", id="s-1", result="r")
        here.tool("done", id="s-1", result="r")

        assert ["A.json"] == written

    def test_report_a_folder_that_cannot_be_written(self, house):
        """
        The model reads that nothing was stored; commands and steps go on.
        """
        here = house()
        (here.composition.state_dir / "plans").write_text("no folder")
        (here.composition.state_dir / "surfaces").write_text("no folder")
        result = here.tool("create", title="x", tasks=[{"title": "y"}])
        here.say()
        here.stop()

        assert result.is_error
        assert texts.STATE_FAILED in result.text
        assert texts.NO_PLAN_TREE in here.command("status")
        assert ENTERED == here.enter().state

    def test_holds_in_memory_what_cannot_be_written(self, house):
        """
        A pause holds, a resume frees, and a stop silences although neither can be stored.
        """
        here = house(autoContinue=True)
        here.broken_down()
        (here.composition.state_dir / "surfaces").write_text("no folder")
        here.command("pause")
        held = here.enter()
        waits = held.state
        here.command("resume")
        pushed = here.pushed()
        here.stop()

        assert (HELD, ENTERED) == (waits, held.state)
        assert ([True], []) == ([bool(text) for text in pushed], here.pushed())


class TestCommand:
    """
    The line of `/task-tree`.
    """

    def test_splits_at_blanks_of_ecmascript(self, house):
        """
        A byte order mark is a blank; an ASCII separator is part of a word.
        """
        here = house()
        here.broken_down()
        here.command("done s-1 \ufeffa\ufeffb\x1cc")

        assert "结果: a b\x1cc" in here.tool("status").text


class TestFolding:
    """
    Folding at the beginning of a step.
    """

    def test_needs_no_stored_plan(self, house):
        """
        After a reset the surface alone decides.
        """
        here = house()
        done = {"id": "c", "name": "tree_task_done", "arguments": "{}"}
        for message in (
            {"kind": "system", "text": "s"},
            {"kind": "assistant", "text": "w"},
            {"kind": "assistant", "text": "", "calls": [done]},
        ):
            here.agent.session.say(message)
        here.enter()

        assert [0, 3, 2] == [node["seq"] for node in here.agent.session.nodes()]

    def test_leaves_the_log_alone_otherwise(self, house):
        """
        Commands, pauses and tools append nothing.
        """
        here = house()
        here.broken_down()
        here.command("pause")
        here.command("done s-1 r")
        here.command("resume")
        here.enter()

        assert [] == here.agent.session.events


class TestOff:
    """
    Switched off.
    """

    @pytest.mark.parametrize("enabled", [False, "true", 1, None])
    def test_leaves_the_command(self, enabled, house):
        """
        Anything but true: no tool, no section, no gate, no panel, and no file is touched.
        """
        house().broken_down()
        here = house(enabled=enabled, autoContinue=True)
        before = sorted(here.composition.state_dir.rglob("*"))
        refused = here.command("reset")

        assert [] == here.composition.tools.list()
        assert [] == here.composition.prompt.render(here.agent)
        assert texts.OFF_REFUSAL in refused
        assert "任务" in here.command("status")
        assert ENTERED == here.enter().state
        assert [] == here.pushed()
        assert here.composition.services.get("tree.panel") is None
        assert before == sorted(here.composition.state_dir.rglob("*"))


class TestLoading:
    """
    Coming and going.
    """

    @pytest.mark.parametrize(
        "config",
        [{"maxAutoRounds": -1}, {"maxAutoRounds": "5"}, {"promptOrder": None}, {"rootDir": 3}],
    )
    def test_refuses_settings_that_cannot_be(self, config, house):
        """
        The message names the setting and its value.
        """
        (name,) = config

        with pytest.raises(LoadFailed, match=name):
            house(**config)

    def test_uses_the_given_folder(self, house, tmp_path):
        """
        `rootDir` wins over the host's folder.
        """
        here = house(rootDir=str(tmp_path / "mine"))
        here.broken_down()

        assert (tmp_path / "mine" / "plans" / "A.json").exists()

    def test_takes_commands_that_come_late(self, tmp_path):
        """
        A host without commands has the rest; the command comes with the service.
        """
        composition = Composition(Clock(), "2026-08", state_dir=tmp_path)
        composition.load(tree, {})
        tools = len(composition.tools.list())
        composition.mount("commands")

        assert (6, ["task-tree"]) == (tools, composition.commands.names())

    def test_leaves_nothing_behind(self, house):
        """
        Unloaded, no tool, section, command or panel is left.
        """
        here = house()
        here.composition.unload("dsh-tree-task-flow")

        assert [] == here.composition.tools.list()
        assert [] == here.composition.prompt.render(here.agent)
        assert [] == here.composition.commands.names()
        assert here.composition.services.get("tree.panel") is None


class TestPrompt:
    """
    What the model is told at all times.
    """

    def test_does_not_change_with_the_plan(self, house):
        """
        Section and tools are the same bytes before and after.
        """
        here = house(promptOrder=7)
        before = (here.composition.prompt.render(here.agent), here.composition.tools.list())
        here.broken_down()
        after = (here.composition.prompt.render(here.agent), here.composition.tools.list())

        assert before == after
        assert [("dsh-tree-task-flow", 7, texts.PROMPT)] == [
            (section["name"], section["order"], section["text"]) for section in before[0]
        ]
