"""
Agents, their inboxes and their steps.
"""

import pytest

from dsh_reference.errors import Rejected
from dsh_reference.host.agents import AgentRegistry
from dsh_reference.host.deferred import Deferred
from dsh_reference.host.log import Session
from dsh_reference.host.steps import REJECT, Decision, Steps, following

NOTE = {"kind": "user", "text": "note", "source": {"kind": "plugin", "plugin": "p"}}


@pytest.fixture
def agents():
    """
    A registry without agents.
    """
    return AgentRegistry()


@pytest.fixture
def agent(agents):
    """
    An agent.
    """
    return agents.create("a", Session("s"))


class TestDisposal:
    """
    The end of an agent.
    """

    def test_waits_for_cleanups(self, agents, agent):
        """
        Disposal settles when the last cleanup has.
        """
        slow, fast = Deferred(), Deferred()
        agent.scope.on_dispose(lambda: slow)
        agent.scope.on_dispose(lambda: fast)
        disposal = agents.dispose("a")

        fast.resolve(None)
        between = disposal.settled
        slow.reject(Exception("failed"))

        assert not between
        assert disposal.settled

    def test_frees_the_id_at_once(self, agents, agent):
        """
        A replacement may come while the old agent's cleanups still run.
        """
        agent.scope.on_dispose(Deferred)
        agents.dispose("a")

        replacement = agents.create("a", agent.session)

        assert not agent.alive
        assert agents.get("a") is replacement

    def test_closes_the_inbox(self, agents, agent):
        """
        Nothing can be queued for a dead agent, and nothing hung on its life.
        """
        agents.dispose("a")

        with pytest.raises(Rejected, match='agent "a" is disposed'):
            agent.inbox.inject(NOTE)
        with pytest.raises(Rejected, match="cannot create effect on inactive context"):
            agent.scope.on_dispose(lambda: None)

    def test_refuses_a_second_agent_of_one_id(self, agents, agent):
        """
        Ids of live agents are unique.
        """
        with pytest.raises(Rejected):
            agents.create("a", agent.session)


class TestInbox:
    """
    What is queued for an agent.
    """

    def test_announces_what_is_queued(self, agents, agent):
        """
        Listeners hear of every message, for whichever agent.
        """
        heard = []
        agents.on_inbox(lambda agent, message: heard.append((agent.id, message["text"])))

        agent.inbox.inject(NOTE)
        agent.inbox.say("hello")

        assert [("a", "note"), ("a", "hello")] == heard
        assert {"kind": "user"} == agent.inbox.messages[1]["source"]


class TestSteps:
    """
    The question before a model request.
    """

    def test_claims_what_is_queued(self, agent):
        """
        On entry the queued messages, then the given ones, join the log.
        """
        agent.inbox.say("hello")

        step = Steps().enter(agent, [NOTE])

        assert "entered" == step.state
        assert [] == agent.inbox.messages
        assert ["hello", "note"] == [node["text"] for node in agent.session.nodes()]

    def test_loses_what_was_claimed_when_rejected(self, agent):
        """
        A rejected step has claimed its messages all the same.
        """
        agent.inbox.say("hello")

        step = Steps().enter(agent, decision=REJECT)

        assert "rejected" == step.state
        assert ([], []) == (agent.inbox.messages, agent.session.events)

    def test_asks_the_first_listener_outermost(self, agent):
        """
        The chain runs from the first listener inward, and back.
        """
        steps, seen = Steps(), []

        def listener(name):
            def listen(_step, proceed):
                seen.append(f"{name} before")
                return following(proceed(), lambda decision: (seen.append(name), decision)[1])

            return listen

        steps.on_enter(listener("outer"))
        steps.on_enter(listener("inner"))
        steps.enter(agent)

        assert ["outer before", "inner before", "inner", "outer"] == seen

    def test_holds_until_the_decision_falls(self, agent):
        """
        A held step enters later, and only then do its messages join the log.
        """
        steps, later = Steps(), Deferred()
        steps.on_enter(lambda *_: later)
        agent.inbox.say("hello")
        step = steps.enter(agent)
        before = (step.state, len(agent.session.events))

        later.resolve(Decision("enter", step.messages))

        assert ("held", 0) == before
        assert ("entered", 1) == (step.state, len(agent.session.events))

    @pytest.mark.parametrize("stop", ["signal", "turn", "agent"])
    def test_aborts_a_held_step(self, agents, agent, stop):
        """
        The step's own signal, the user's stop and the agent's end all reach a waiting listener.
        """
        steps, later = Steps(), Deferred()

        def gate(step, _proceed):
            step.signal.on_abort(lambda: later.resolve(Decision("enter")))
            return later

        steps.on_enter(gate)
        step = steps.enter(agent)
        {
            "signal": step.signal.abort,
            "turn": lambda: steps.stop_turn(agent, aborted=True),
            "agent": lambda: agents.dispose("a"),
        }[stop]()

        assert ("rejected" if stop == "agent" else "entered") == step.state

    def test_tells_idle_listeners_of_all_that_waits(self, agent):
        """
        The inbox counts with what else is queued, and what a listener pushes is returned.
        """
        steps, heard = Steps(), []
        agent.inbox.say("hello")

        def push(agent, queued):
            heard.append(queued)
            agent.inbox.followup(NOTE)

        steps.on_idle(push)

        assert [NOTE] == steps.idle(agent, queued=2)
        assert [3] == heard
