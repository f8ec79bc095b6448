"""
The task registry: starting tasks, and finding them again.
"""

import pytest

from dsh_reference.host.deferred import Deferred
from dsh_reference.tasks.records import Outcome, Work
from dsh_reference.tasks.registry import TaskRegistry
from dsh_reference.tasks.words import JOBS


class TestStart:
    """
    What stands against a start, and what an id is.
    """

    def test_no_surface(self, desk):
        """
        Without a surface every start is refused, before anything else is looked at.
        """
        desk.detach()

        expected = (
            "background tasks unavailable: no control surface is attached"
            " (load @deepseek-ai/dsh-tool-tasks)"
        )
        assert expected == desk.refusal(desk.start, kind="", label="")

    def test_surfaces_are_counted(self, desk):
        """
        One of two surfaces of the same name is enough, and detaching twice takes only one off.
        """
        desk.registry.attach_surface("tests")
        desk.detach()
        desk.detach()

        assert desk.start() == "bash-1"

    def test_kind(self, desk):
        """
        An empty kind is refused, before an empty label.
        """
        expected = "invalid task kind: expected a non-empty string"

        assert expected == desk.refusal(desk.start, kind="", label="")

    def test_label(self, desk, make_desk):
        """
        An empty label is refused, before the owner is looked at.
        """
        desk.agent("alice")
        impostor = make_desk().agent("alice")

        expected = "invalid task label: expected a non-empty string"
        assert expected == desk.refusal(desk.start, impostor, label="")

    def test_blanks(self, desk):
        """
        Nothing is trimmed: kind and label may be blank, and hold blanks.
        """
        assert ["weird kind-1", " -1"] == [
            desk.start(kind="weird kind", label=" "),
            desk.start(kind=" ", label="\n"),
        ]

    def test_stale_owner(self, desk):
        """
        An owner that was replaced under its id is refused.
        """
        old = desk.agent("alice")
        desk.dispose(old)
        desk.agent("alice")

        expected = (
            'agent "alice" is not the registered agent instance'
            " (background task owner must be live)"
        )
        assert expected == desk.refusal(desk.start, old)

    def test_no_agent_registry(self, desk):
        """
        Ownership needs the agent registry.
        """
        lonely = TaskRegistry(desk.clock)
        lonely.attach_surface("tests")

        expected = (
            "background task ownership requires the agent registry (load @deepseek-ai/dsh-agent)"
        )
        assert expected == desk.refusal(
            lonely.start, kind="a", label="b", owner=desk.agent("alice"), run=pytest.fail
        )

    def test_unwound_owner(self, desk):
        """
        An owner whose life is over is refused, though it is registered still.
        """
        alice = desk.agent("alice")
        alice.scope.dispose()

        assert "cannot create effect on inactive context" == desk.refusal(desk.start, alice)

    def test_unwinding_owner(self, desk):
        """
        An owner that waits for its last task gets no new one.
        """
        alice = desk.agent("alice")
        desk.start(alice)
        alice.scope.dispose()

        assert "cannot create effect on inactive context" == desk.refusal(desk.start, alice)

    def test_owner_disposed_while_starting(self, desk):
        """
        Work whose owner goes while it begins is cancelled at once, not orphaned.
        """
        alice = desk.agent("alice")
        reasons = []

        def run():
            alice.scope.dispose()
            return Work(done=Deferred(), cancel=reasons.append)

        assert "cannot create effect on inactive context" == desk.refusal(
            desk.registry.start, kind="a", label="b", owner=alice, run=run
        )
        assert ["owner disposed"] == reasons

    def test_refused_work_never_begins(self, desk):
        """
        A refused start does not run the producer.
        """
        begun = []
        desk.refusal(desk.registry.start, kind="", label="x", run=lambda: begun.append(1))

        assert [] == begun

    def test_failed_start(self, desk):
        """
        A producer that throws leaves no task and uses up no id.
        """
        desk.refusal(desk.start, on_start="throw")

        assert [] == desk.registry.list()
        assert desk.start() == "bash-1"

    def test_malformed_work(self, desk):
        """
        A producer that returns no work leaves no task and uses up no id.
        """
        with pytest.raises(TypeError, match="must return Work, got dict"):
            desk.registry.start(kind="bash", label="b", run=dict)

        assert [] == desk.registry.list()
        assert desk.start() == "bash-1"

    def test_ids(self, desk):
        """
        Ids count by kind, whoever owns the task, and are never used again.
        """
        alice = desk.agent("alice")
        first = [desk.start(alice), desk.start(), desk.start(kind="sub")]
        desk.producers.settle("bash-1")
        desk.dispose(alice)

        assert ["bash-1", "bash-2", "sub-1"] == first
        assert desk.start() == "bash-3"

    def test_settled_from_the_start(self, desk):
        """
        A task is running right after its start, though its work is done already.
        """
        done = Deferred()
        done.resolve(Outcome(status="completed"))
        task = desk.registry.start(
            kind="a", label="b", run=lambda: Work(done=done, cancel=lambda _: None)
        )
        desk.clock.run_ready()

        assert ("running", "completed") == (task.status, desk.registry.get("a-1").status)


class TestLimit:
    """
    How many live tasks an owner may have.
    """

    def test_tasks_have_none(self, desk):
        """
        The default edition sets no limit.
        """
        alice = desk.agent("alice")

        assert [f"bash-{n}" for n in range(1, 13)] == [desk.start(alice) for _ in range(12)]

    def test_jobs(self, make_desk):
        """
        An eleventh live job of one owner is refused before it begins, and uses up no id.
        """
        desk = make_desk(JOBS)
        alice = desk.agent("alice")
        for _ in range(10):
            desk.start(alice)

        expected = (
            "background job limit reached for this owner (limit: 10); use job_kill to stop an"
            " unneeded job, wait for it to finish, then retry"
        )
        assert expected == desk.refusal(desk.start, alice)
        desk.registry.kill("bash-1", caller=alice)
        assert expected == desk.refusal(desk.start, alice)
        desk.settle("bash-1")
        assert desk.start(alice) == "bash-11"

    def test_unowned_jobs(self, make_desk):
        """
        Jobs without owner are limited among themselves.
        """
        desk = make_desk(JOBS)
        for _ in range(10):
            desk.start()

        assert desk.refusal(desk.start).startswith("background job limit reached")
        assert desk.start(desk.agent("alice")) == "bash-11"


class TestAccess:
    """
    Who may use a task.
    """

    @pytest.fixture
    def verbs(self, desk):
        """
        What is asked of one task.
        """
        registry = desk.registry
        return [
            registry.get,
            registry.read,
            registry.kill,
            lambda task_id, caller=None: registry.wait(task_id, 0, caller=caller),
        ]

    def test_unknown(self, desk, verbs):
        """
        An unknown id is refused first; ids are not trimmed.
        """
        expected = ["unknown task  bash-1"] * 4

        assert expected == [desk.refusal(verb, " bash-1") for verb in verbs]

    def test_foreign(self, desk, verbs):
        """
        A foreign session, or no caller, is refused before the timeout is looked at.
        """
        desk.start(desk.agent("alice"))
        bob = desk.agent("bob")

        expected = ["task bash-1 belongs to another session"] * 4
        assert expected == [desk.refusal(verb, "bash-1") for verb in verbs]
        assert expected == [desk.refusal(verb, "bash-1", caller=bob) for verb in verbs]

    def test_foreign_read(self, desk):
        """
        A refused read consumes nothing.
        """
        alice = desk.agent("alice")
        desk.start(alice)
        desk.producers.emit("bash-1", text="secret")
        desk.refusal(desk.registry.read, "bash-1", caller=desk.agent("bob"))

        assert desk.registry.read("bash-1", caller=alice).text == "secret"

    def test_same_session(self, desk):
        """
        Access goes by session, not by agent.
        """
        desk.start(desk.agent("alice", session="s"))
        twin = desk.agent("twin", session="s")

        assert desk.registry.get("bash-1", caller=twin).owner_session == "s"

    def test_unowned(self, desk):
        """
        A task without owner is everyone's.
        """
        desk.start()

        assert desk.registry.get("bash-1", caller=desk.agent("bob")).owner_session is None

    def test_list(self, desk):
        """
        The list has the caller's tasks and the unowned, oldest first, finished ones included.
        """
        alice, bob = desk.agent("alice"), desk.agent("bob")
        for owner in (alice, None, bob, alice, None):
            desk.start(owner)
        desk.settle("bash-1")

        def ids(caller):
            return [task.id for task in desk.registry.list(caller)]

        assert ["bash-1", "bash-2", "bash-4", "bash-5"] == ids(alice)
        assert ["bash-2", "bash-3", "bash-5"] == ids(bob)
        assert ["bash-2", "bash-5"] == ids(None)

    def test_list_order_is_not_of_text(self, desk):
        """
        `bash-10` stands after `bash-2`.
        """
        ids = [desk.start() for _ in range(11)]

        assert ids == [task.id for task in desk.registry.list()]

    def test_words_of_jobs(self, make_desk):
        """
        The jobs edition refuses in its own words.
        """
        desk = make_desk(JOBS)
        desk.start(desk.agent("alice"))

        assert "unknown job x" == desk.refusal(desk.registry.read, "x")
        assert "job bash-1 belongs to another session" == desk.refusal(desk.registry.read, "bash-1")
        desk.detach()
        assert "no job controller serves this agent" in desk.refusal(desk.start)
