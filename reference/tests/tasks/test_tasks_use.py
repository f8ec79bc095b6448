"""
The task registry: reading, killing and waiting.
"""

import math

import pytest

from dsh_reference.host.deferred import Deferred
from dsh_reference.host.signals import AbortSignal
from dsh_reference.tasks.records import Outcome, Work


class TestRead:
    """
    Reading output.
    """

    def test_stream(self, desk):
        """
        A stream task returns what is new, live or ended, and not the outcome's output.
        """
        desk.start()
        reads = []
        for piece in ("a", "b"):
            desk.producers.emit("bash-1", text=piece)
            reads.append(desk.registry.read("bash-1").text)
        desk.producers.emit("bash-1", text="c")
        desk.settle("bash-1", output="ignored")
        reads += [desk.registry.read("bash-1").text for _ in range(2)]

        assert ["a", "b", "c", ""] == reads

    def test_final(self, desk):
        """
        A final-output task returns nothing while it lives, then its result at every read.
        """
        desk.start(mode="final")
        live = desk.registry.read("bash-1").text
        desk.settle("bash-1", output="RESULT")

        assert ["", "RESULT", "RESULT"] == [
            live,
            *(desk.registry.read("bash-1").text for _ in range(2)),
        ]

    def test_final_without_output(self, desk):
        """
        A final-output task that left nothing returns nothing.
        """
        desk.start(mode="final")
        desk.settle("bash-1")

        assert desk.registry.read("bash-1").text == ""

    def test_reported(self, desk):
        """
        A read counts as a report once the task has ended, not before.
        """
        desk.start()
        live = desk.registry.read("bash-1").snapshot.reported
        desk.settle("bash-1")
        unread = desk.registry.get("bash-1").reported

        assert [False, False, True] == [
            live,
            unread,
            desk.registry.read("bash-1").snapshot.reported,
        ]

    def test_throwing_reader(self, desk):
        """
        A reader that throws passes its error on and reports nothing.
        """

        def explode():
            raise ValueError("no disk")

        done = Deferred()
        work = Work(done=done, cancel=lambda _: None, read_output=explode)
        desk.registry.start(kind="a", label="b", run=lambda: work)
        done.resolve(Outcome(status="completed"))
        desk.clock.run_ready()
        with pytest.raises(ValueError, match="no disk"):
            desk.registry.read("a-1")

        assert not desk.registry.get("a-1").reported


class TestKill:
    """
    Asking a task to stop.
    """

    def test_each_reaches_the_producer(self, desk):
        """
        Every kill of a live task is forwarded with its reason, an absent one as absent.
        """
        desk.start()
        requested = [desk.registry.kill("bash-1", why)[0] for why in ("why", None, "")]

        assert [True] * 3 == requested
        assert ["why", None, ""] == desk.producers.cancellations("bash-1")
        assert ("stopping", True) == (
            desk.registry.get("bash-1").status,
            desk.registry.get("bash-1").reported,
        )

    def test_producer_has_the_last_word(self, desk):
        """
        A killed task may end completed; nobody is owed a notice.
        """
        desk.start()
        desk.registry.kill("bash-1")
        desk.settle("bash-1", status="completed")

        assert [("completed", True)] == [(task.status, task.reported) for task, _ in desk.ends]

    def test_cancel_that_settles(self, desk):
        """
        A cancellation that ends the work at once ends the task, and does not leave it stopping.
        """
        desk.start(on_cancel="settle")
        _, asked = desk.registry.kill("bash-1")
        desk.clock.run_ready()

        assert ["stopping", "killed"] == [asked.status, desk.registry.get("bash-1").status]

    def test_cancel_that_throws(self, desk):
        """
        A cancellation that throws changes nothing: the task runs and its end is announced.
        """
        desk.start(on_cancel="throw")
        desk.refusal(desk.registry.kill, "bash-1")
        running = desk.registry.get("bash-1")
        desk.settle("bash-1")

        assert ("running", False) == (running.status, running.reported)
        assert [False] == [task.reported for task, _ in desk.ends]

    def test_finished(self, desk):
        """
        A kill of a finished task does not reach the producer, consumes nothing, and reports.
        """
        desk.start()
        desk.producers.emit("bash-1", text="rest")
        desk.settle("bash-1")
        requested, task = desk.registry.kill("bash-1")

        assert (False, "completed", True) == (requested, task.status, task.reported)
        assert [] == desk.producers.cancellations("bash-1")
        assert desk.registry.read("bash-1").text == "rest"


class TestWait:
    """
    Waiting for a task.
    """

    @pytest.mark.parametrize(
        ("timeout", "shown"),
        [
            (0, "0"),
            (-1, "-1"),
            (-1.0, "-1"),
            (-0.5, "-0.5"),
            (math.nan, "null"),
            (math.inf, "null"),
            (True, "true"),
            (None, "null"),
            ('5"', '"5\\""'),
        ],
    )
    def test_bad_timeout(self, desk, timeout, shown):
        """
        A timeout that is no positive number is refused, also for a finished task.
        """
        desk.start()
        desk.settle("bash-1")

        expected = f"invalid wait timeout: expected a positive number of milliseconds, got {shown}"
        assert expected == desk.refusal(desk.registry.wait, "bash-1", timeout)

    def test_finished(self, desk):
        """
        A finished task is waited for in no time, even by an aborted caller, and thereby reported.
        """
        desk.start()
        desk.settle("bash-1")
        signal = AbortSignal()
        signal.abort()
        (task,) = desk.seen(desk.registry.wait("bash-1", 1, signal=signal))

        assert ("completed", True) == (task.status, task.reported)

    def test_aborted_before(self, desk):
        """
        An aborted caller does not wait for a live task.
        """
        desk.start()
        signal = AbortSignal()
        signal.abort()

        assert "wait aborted" == desk.refusal(desk.registry.wait, "bash-1", 1, signal=signal)

    def test_timeout(self, desk):
        """
        A wait that takes too long shows the live task, and its later end is unreported.
        """
        desk.start()
        answers = desk.seen(desk.registry.wait("bash-1", 0.5))
        desk.clock.advance(0.4)
        early = list(answers)
        desk.clock.advance(0.1)
        desk.settle("bash-1")

        assert ([], ["running"]) == (early, [task.status for task in answers])
        assert [False] == [task.reported for task, _ in desk.ends]

    def test_long_timeout(self, desk):
        """
        A timeout beyond 32 bits is as long as it says.
        """
        desk.start()
        answers = desk.seen(desk.registry.wait("bash-1", 3e9))
        desk.clock.advance(2.9e9)

        assert [] == answers

    def test_stopping(self, desk):
        """
        A task that is stopping is waited for like a running one.
        """
        desk.start()
        desk.registry.kill("bash-1")
        answers = desk.seen(desk.registry.wait("bash-1", 10))
        desk.clock.advance(10)

        assert ["stopping"] == [task.status for task in answers]

    def test_all_waiters_are_told(self, desk):
        """
        Every waiter sees the end, reported before the listeners hear of it, and after them.
        """
        order = []
        desk.registry.on_task_done(lambda task, _: order.append(("listener", task.reported)))
        desk.start()
        for _ in range(2):
            desk.registry.wait("bash-1", 10).then(
                lambda task: order.append(("waiter", task.reported)), pytest.fail
            )
        desk.settle("bash-1")

        assert [("listener", True), ("waiter", True), ("waiter", True)] == order

    @pytest.mark.parametrize("settle_first", [True, False])
    def test_abort_and_end_in_one_instant(self, desk, settle_first):
        """
        Whichever comes first: the wait is aborted and the end is unreported, never silent.
        """
        desk.start()
        signal = AbortSignal()
        answers = desk.seen(desk.registry.wait("bash-1", 10, signal=signal))
        moves = [lambda: desk.producers.settle("bash-1"), signal.abort]
        for move in moves if settle_first else reversed(moves):
            move()
        desk.clock.run_ready()

        assert ["wait aborted"] == [str(answer) for answer in answers]
        assert [False] == [task.reported for task, _ in desk.ends]

    def test_abort_of_one_waiter(self, desk):
        """
        A waiter that stays makes up for one that left.
        """
        desk.start()
        signal = AbortSignal()
        desk.registry.wait("bash-1", 10, signal=signal)
        answers = desk.seen(desk.registry.wait("bash-1", 10))
        signal.abort()
        desk.settle("bash-1")

        assert [True] == [task.reported for task in answers]
        assert [True] == [task.reported for task, _ in desk.ends]

    def test_abort_from_a_listener(self, desk):
        """
        An abort after the end was recorded does not take the result away.
        """
        desk.start()
        signal = AbortSignal()
        desk.registry.on_task_done(lambda *_: signal.abort())
        answers = desk.seen(desk.registry.wait("bash-1", 10, signal=signal))
        desk.settle("bash-1")

        assert ["completed"] == [task.status for task in answers]

    def test_nothing_is_left_behind(self, desk):
        """
        Waits that timed out or were aborted are forgotten.
        """
        desk.start()
        signal = AbortSignal()
        desk.registry.wait("bash-1", 1)
        desk.registry.wait("bash-1", 1000, signal=signal)
        desk.clock.advance(1)
        signal.abort()

        assert 0 == len(desk.registry._find("bash-1", None).room)
