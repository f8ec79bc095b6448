"""
Compositions: plugins, services, projections, commands, sections.
"""

from types import SimpleNamespace

import pytest

from dsh_reference.errors import LoadFailed, Rejected
from dsh_reference.host.clock import Clock
from dsh_reference.host.commands import CommandResult
from dsh_reference.host.composition import Composition
from dsh_reference.host.log import Session
from dsh_reference.host.projections import ProjectionRegistry, ProjectionUnit
from dsh_reference.host.prompt import PromptSections

COUNT = ProjectionUnit(
    key="turns",
    init=0,
    apply=lambda state, event: state + 1 if event["type"] == "turn/start" else state,
    state_version=1,
)


def plugin(apply, inject=()):
    """
    Return a plugin named `p`.
    """
    return SimpleNamespace(name="p", inject=inject, defaults={}, apply=apply)


def counting(ctx, _config):
    """
    Register a section, a command and a projection.
    """
    ctx.on_dispose(ctx.prompt.add("s", 1, text="text"))
    ctx.on_service("projections", lambda registry: registry.register(COUNT))
    ctx.on_service(
        "commands",
        lambda commands: commands.register("c", lambda _, rest: CommandResult("success", rest)),
    )


@pytest.fixture
def composition():
    """
    A composition with commands.
    """
    return Composition(Clock(), "2026-08", services=["commands"])


class TestPlugins:
    """
    Loading and unloading.
    """

    def test_takes_everything_along(self, composition):
        """
        Nothing that a plugin registered outlives it.
        """
        agent = composition.create_agent("a")
        composition.load(plugin(counting, inject=["projections"]))
        loaded = (len(composition.prompt.render(agent)), composition.commands.names())

        composition.unload("p")

        assert (1, ["c"]) == loaded
        assert ([], []) == (composition.prompt.render(agent), composition.commands.names())
        assert composition.projections.unit("turns") is None

    def test_attaches_to_what_comes_late(self, composition):
        """
        A service that is mounted later is served, from the log as it stands.
        """
        composition.load(plugin(counting))
        session = composition.session("s")
        session.append({"type": "turn/start"})

        composition.mount("projections")

        assert 1 == composition.projections.value(session, "turns")

    def test_leaves_nothing_of_a_refused_plugin(self, composition):
        """
        A plugin that refuses its configuration is not half loaded.
        """

        def refuse(ctx, config):
            counting(ctx, config)
            raise LoadFailed("no")

        with pytest.raises(LoadFailed):
            composition.load(plugin(refuse))

        assert [] == composition.commands.names()
        assert {} == composition.plugins

    def test_refuses_a_service_that_nobody_builds(self, composition):
        """
        A plugin cannot inject what there is not.
        """
        with pytest.raises(Rejected, match='no service "x" is known'):
            composition.load(plugin(counting, inject=["x"]))


class TestReload:
    """
    The restart of the process.
    """

    def test_keeps_logs_and_nothing_else(self, composition):
        """
        Plugins are loaded anew, and agents are gone.
        """
        composition.load(plugin(counting))
        agent = composition.create_agent("a", session="s")
        agent.session.append({"type": "turn/start"})
        composition.clock.advance(5)
        composition.clock.soon(pytest.fail)

        fresh = composition.reload()
        fresh.clock.run_ready()

        assert agent.session.events == fresh.session("s").events
        assert fresh.session("s") is not agent.session
        assert fresh.agents.get("a") is None
        assert (["c"], 5) == (fresh.commands.names(), fresh.clock.now)


class TestProjections:
    """
    Folding.
    """

    def test_tells_the_same_reference(self):
        """
        A fold says after each event whether the state stayed the same object.
        """
        registry = ProjectionRegistry()
        registry.register(COUNT)

        events = [{"type": "turn/start"}, {"type": "turn/end"}]

        assert ([1, 1], [False, True]) == registry.fold("turns", events)

    def test_folds_each_event_once(self):
        """
        Reading again folds only what is new.
        """
        registry, session, folded = ProjectionRegistry(), Session("s"), []
        unit = ProjectionUnit(
            key="k", init=None, apply=lambda _, event: folded.append(event), state_version=0
        )
        registry.register(unit)
        for _ in range(3):
            session.append({"type": "turn/end"})
            registry.value(session, "k")

        assert [0, 1, 2] == [event["seq"] for event in folded]

    @pytest.mark.parametrize(
        ("unit", "message"),
        [
            (COUNT, 'session projection key "turns" is already registered'),
            (
                ProjectionUnit(key="k", init=0, apply=max, state_version=-1),
                'session projection "k" stateVersion must be a non-negative integer, got -1',
            ),
        ],
    )
    def test_refuses(self, unit, message):
        """
        Keys are unique and versions count from 0.
        """
        registry = ProjectionRegistry()
        registry.register(COUNT)

        with pytest.raises(Rejected) as refused:
            registry.register(unit)

        assert message == str(refused.value)


class TestPrompt:
    """
    Sections of the system prompt.
    """

    def test_sorts_by_order_and_drops_the_empty(self):
        """
        Sections stand by rising order; one without text for an agent is left out.
        """
        prompt = PromptSections()
        prompt.add("late", 2, text="b")
        prompt.add("early", 1, text=lambda agent: f"for {agent}")
        prompt.add("empty", 0, text="")

        assert [("early", "for x"), ("late", "b")] == [
            (section["name"], section["text"]) for section in prompt.render("x")
        ]


class TestCommands:
    """
    Lines that a person writes.
    """

    def test_runs_by_name(self, composition):
        """
        A command is given what stands behind its name.
        """
        composition.load(plugin(counting))

        assert CommandResult("success", "x  y") == composition.commands.run(" /c x  y")
        assert "error" == composition.commands.run("/d").kind
