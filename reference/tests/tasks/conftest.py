"""
What the tests of background tasks share: a registry under control, and a whole composition.
"""

import pytest

from dsh_reference import tasks
from dsh_reference.errors import Rejected
from dsh_reference.host.agents import AgentRegistry
from dsh_reference.host.clock import Clock
from dsh_reference.host.composition import Composition
from dsh_reference.host.log import Session
from dsh_reference.tasks.producers import ProducerControl
from dsh_reference.tasks.registry import TaskRegistry
from dsh_reference.tasks.words import TASKS


class Desk:
    """
    A registry with an attached surface, agents, producers under control, and a record of the rest.
    """

    def __init__(self, words=TASKS):
        self.clock = Clock()
        self.agents = AgentRegistry()
        self.warnings = []
        self.registry = TaskRegistry(
            self.clock, agents=self.agents, words=words, warn=self.warnings.append
        )
        self.detach = self.registry.attach_surface("tests")
        self.producers = ProducerControl(self.registry)
        self.ends = []
        self.registry.on_task_done(lambda task, owner: self.ends.append((task, owner)))

    def agent(self, name, session=None):
        """
        Register an agent.
        """
        return self.agents.create(name, Session(session or name))

    def start(self, owner=None, *, kind="bash", label="work", **producer):
        """
        Start a task and return its id.
        """
        return self.producers.start(kind=kind, label=label, owner=owner, **producer)

    def settle(self, task_id, **outcome):
        """
        End a task, and let what follows happen.
        """
        self.producers.settle(task_id, **outcome)
        self.clock.run_ready()

    def dispose(self, agent):
        """
        End an agent, and let what follows happen; the answer comes when all is done.
        """
        gone = self.agents.dispose(agent.id)
        self.clock.run_ready()
        return gone

    @staticmethod
    def seen(deferred):
        """
        Return a list that gets the value or the error of a deferred when it settles.
        """
        answers = []
        deferred.then(answers.append, answers.append)
        return answers

    @staticmethod
    def refusal(call, *args, **kwargs):
        """
        Return the text with which a call is refused.
        """
        with pytest.raises(Rejected) as caught:
            call(*args, **kwargs)
        return str(caught.value)


class Office:
    """
    A composition with the plugin loaded, spoken to in the words of its edition.
    """

    def __init__(self, edition="2026-08", **config):
        self.composition = Composition(Clock(), edition, factories={"tasks": tasks.build_service})
        self.plugin = tasks.for_edition(edition)
        self.composition.load(self.plugin, config)
        self.registry = self.composition.services.get("tasks")
        self.producers = ProducerControl(self.registry)
        self.noun = self.registry.words.noun

    def agent(self, name, session=None):
        """
        Register an agent.
        """
        return self.composition.create_agent(name, session=session)

    def start(self, owner=None, *, kind="bash", label="work", **producer):
        """
        Start a task and return its id.
        """
        return self.producers.start(kind=kind, label=label, owner=owner, **producer)

    def settle(self, task_id, **outcome):
        """
        End a task, and let what follows happen.
        """
        self.producers.settle(task_id, **outcome)
        self.composition.clock.run_ready()

    def call(self, verb, agent=None, **arguments):
        """
        Call one of the tools, by its last word; `id` stands for the edition's own parameter.
        """
        given = {f"{self.noun}_id" if key == "id" else key: arguments[key] for key in arguments}
        return self.composition.tools.call(f"{self.noun}_{verb}", given, agent=agent)

    def text(self, verb, agent=None, **arguments):
        """
        Call a tool and return the text of its result.
        """
        return self.call(verb, agent, **arguments).result.text


@pytest.fixture
def desk():
    """
    A desk of the default edition.
    """
    return Desk()


@pytest.fixture
def make_desk():
    """
    What makes a desk, in the words given.
    """
    return Desk


@pytest.fixture
def office():
    """
    An office of the default edition, with short waits.
    """
    return Office(waitTimeoutMs=200, maxWaitTimeoutMs=500)


@pytest.fixture
def make_office():
    """
    What makes an office, of the edition and with the settings given.
    """
    return Office


@pytest.fixture
def jobs():
    """
    An office of the edition that speaks of jobs.
    """
    return Office("0.1.0-rc.8", waitTimeoutMs=200, maxWaitTimeoutMs=500)
