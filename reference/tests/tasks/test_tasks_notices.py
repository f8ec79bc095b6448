"""
Notices of tasks that ended unseen.
"""

import logging

import pytest

from dsh_reference.errors import Rejected
from dsh_reference.host.agents import NEXT_STEP, NEXT_TURN


def lanes(agent):
    """
    Return the lanes of what is queued for an agent.
    """
    return [queued.lane for queued in agent.inbox.queue]


def turns(agent):
    """
    Return the types of the events in an agent's log.
    """
    return [event["type"] for event in agent.session.events]


class TestTasks:
    """
    Notices of the default edition.
    """

    def test_text(self, office):
        """
        The notice names the task, says how it ended and what to do, in the plugin's name.
        """
        alice = office.agent("alice")
        office.start(alice, label="echo\none {x}")
        office.settle("bash-1", detail="exit code: 0")

        text = (
            "background task bash-1 (bash: echo\none {x}) finished"
            " [status: completed, exit code: 0]. Read its output with task_output."
        )
        source = {"kind": "plugin", "plugin": "tool-tasks"}
        assert [{"kind": "user", "text": text, "source": source}] == alice.inbox.messages

    def test_never_wakes(self, office):
        """
        A notice waits for the next step, and nothing enters the log.
        """
        alice = office.agent("alice")
        office.start(alice)
        office.settle("bash-1")

        assert ([NEXT_STEP], []) == (lanes(alice), turns(alice))

    @pytest.mark.parametrize(
        ("before", "notices"),
        [
            (lambda office, alice: office.text("kill", alice, id="bash-1"), 0),
            (lambda office, alice: office.call("output", alice, id="bash-1", wait=True), 0),
            (lambda office, alice: office.text("output", alice, id="bash-1"), 1),
            (lambda office, alice: office.text("list", alice), 1),
        ],
        ids=["kill", "wait", "read", "list"],
    )
    def test_suppression(self, office, before, notices):
        """
        A kill, and a wait that is on, suppress the notice; a read of a live task does not.
        """
        alice = office.agent("alice")
        office.start(alice)
        before(office, alice)
        office.settle("bash-1")

        assert notices == len(alice.inbox.messages)

    def test_after_a_timed_out_wait(self, office):
        """
        A wait that timed out suppresses nothing.
        """
        alice = office.agent("alice")
        office.start(alice)
        office.call("output", alice, id="bash-1", wait=True)
        office.composition.clock.advance(200)
        office.settle("bash-1")

        assert 1 == len(alice.inbox.messages)

    def test_unowned(self, office):
        """
        A task without owner is announced to nobody.
        """
        alice = office.agent("alice")
        office.start()
        office.settle("bash-1")

        assert [] == alice.inbox.messages

    def test_exact_owner(self, office):
        """
        The notice goes to the owner itself, not to another agent of its session.
        """
        owner = office.agent("owner", session="s")
        twin = office.agent("twin", session="s")
        office.start(owner)
        office.settle("bash-1")

        assert (1, 0) == (len(owner.inbox.messages), len(twin.inbox.messages))

    def test_many(self, office):
        """
        Tasks that end in one instant are announced one by one.
        """
        alice = office.agent("alice")
        for _ in range(5):
            office.start(alice)
        for n in range(1, 6):
            office.producers.settle(f"bash-{n}")
        office.composition.clock.run_ready()

        assert [f"background task bash-{n}" for n in range(1, 6)] == [
            message["text"].split(" (")[0] for message in alice.inbox.messages
        ]

    def test_disposed_owner(self, office, caplog):
        """
        An owner that is going away gets no notice, and that is no cause for a warning.
        """
        alice = office.agent("alice")
        office.start(alice)
        office.composition.agents.dispose("alice")
        office.settle("bash-1")

        assert ([], []) == (alice.inbox.messages, caplog.records)

    def test_end_during_disposal(self, office, caplog):
        """
        A task that had ended in the very instant of its owner's disposal costs no warning either.
        """
        alice = office.agent("alice")
        office.start(alice)
        office.producers.settle("bash-1")
        office.composition.agents.dispose("alice")
        office.composition.clock.run_ready()

        assert ([], []) == (alice.inbox.messages, caplog.records)

    def test_broken_inbox(self, office, caplog, monkeypatch):
        """
        An inbox of a live owner that refuses the notice is worth a warning, whatever it says.
        """
        alice = office.agent("alice")
        office.start(alice)

        def refuse(_):
            raise Rejected("cache is disposed")

        monkeypatch.setattr(alice.inbox, "inject", refuse)
        with caplog.at_level(logging.WARNING):
            office.settle("bash-1")

        assert [
            "tasks: onTaskDone listener threw for bash-1: Error: cache is disposed"
        ] == caplog.messages


class TestJobs:
    """
    Notices of the edition that wakes idle owners.
    """

    @pytest.fixture
    def alice(self, jobs):
        """
        An idle agent.
        """
        return jobs.agent("alice")

    def finish(self, jobs, alice, count=1):
        """
        Start and end jobs of an agent.
        """
        for _ in range(count):
            jobs.settle(jobs.start(alice))

    def test_form(self, jobs, alice):
        """
        The notice speaks of a job, and carries a summary.
        """
        jobs.start(alice, label="echo one")
        jobs.settle("bash-1", detail="exit code: 0")
        (message,) = alice.inbox.messages

        assert (
            "background job bash-1 (bash: echo one) finished [status: completed, exit code: 0]."
            " Read its output with job_output."
        ) == message["text"]
        assert {
            "kind": "plugin",
            "plugin": "tool-jobs",
            "form": "notice",
            "summary": "bash echo one [status: completed, exit code: 0]",
        } == message["source"]

    def test_long_summary(self, jobs, alice):
        """
        A summary is cut at 120 characters, the mark included; the text is not.
        """
        jobs.start(alice, label="x" * 200)
        jobs.settle("bash-1")
        (message,) = alice.inbox.messages

        assert "bash " + "x" * 114 + "…" == message["source"]["summary"]
        assert "x" * 200 in message["text"]

    def test_wakes_the_idle(self, jobs, alice):
        """
        An idle owner is woken; while that turn is open, further notices are only queued.
        """
        self.finish(jobs, alice, 2)

        assert [NEXT_TURN, NEXT_STEP] == lanes(alice)
        assert ["turn/start"] == turns(alice)

    def test_busy(self, jobs, alice):
        """
        An owner in the midst of a turn is not woken.
        """
        alice.session.append({"type": "turn/start"})
        self.finish(jobs, alice)

        assert [NEXT_STEP] == lanes(alice)

    def test_budget(self, jobs, alice):
        """
        Three wakes in a row are the most, until a step claims what a person wrote.
        """
        steps = jobs.composition.steps
        for _ in range(5):
            self.finish(jobs, alice)
            steps.stop_turn(alice, aborted=False)
        spent = lanes(alice)
        alice.inbox.say("go on")
        self.finish(jobs, alice)
        steps.enter(alice)
        self.finish(jobs, alice)

        assert [NEXT_TURN] * 3 + [NEXT_STEP] * 2 == spent
        assert [NEXT_TURN] == lanes(alice)
        assert ["turn/start", "turn/end"] * 3 == [
            kind for kind in turns(alice)[:-1] if kind != "message"
        ]

    def test_notices_do_not_refill(self, jobs, alice):
        """
        A step that claims only notices gives no budget back.
        """
        steps = jobs.composition.steps
        for _ in range(4):
            self.finish(jobs, alice)
            steps.enter(alice)
            steps.stop_turn(alice, aborted=True)

        assert 3 == turns(alice).count("turn/start")

    def test_quiet(self, make_office):
        """
        With quiet delivery nobody is ever woken.
        """
        jobs = make_office("0.1.0-rc.8", completionDelivery="quiet")
        alice = jobs.agent("alice")
        self.finish(jobs, alice)

        assert ([NEXT_STEP], []) == (lanes(alice), turns(alice))
