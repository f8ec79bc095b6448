"""
The task registry: how tasks end, by themselves and with others.
"""

import pytest

from dsh_reference.host.deferred import Deferred
from dsh_reference.tasks.records import Outcome, Work
from dsh_reference.tasks.words import JOBS


class TestSettlement:
    """
    How a task ends, and who is told.
    """

    def test_once(self, desk):
        """
        The first outcome wins and is announced once.
        """
        desk.start()
        desk.settle("bash-1", status="failed", detail="first")
        desk.settle("bash-1", status="completed")

        assert [("failed", "first")] == [(task.status, task.detail) for task, _ in desk.ends]

    def test_snapshot(self, desk):
        """
        A snapshot says what, whose, how, since when and until when.
        """
        alice = desk.agent("alice")
        desk.clock.advance(5)
        desk.start(alice, kind="sub", label="look")
        desk.clock.advance(7)
        desk.settle("sub-1", status="failed", detail="")
        ((task, owner),) = desk.ends

        assert owner is alice
        assert ("sub-1", "sub", "look", "alice") == (
            task.id,
            task.kind,
            task.label,
            task.owner_session,
        )
        assert ("failed", "", 5, 12, False) == (
            task.status,
            task.detail,
            task.started_at,
            task.finished_at,
            task.reported,
        )

    def test_rejection(self, desk):
        """
        Work that breaks its promise has failed, with its error for a detail.
        """
        desk.start()
        desk.settle("bash-1", reject="prod bug")

        assert [("failed", "Error: prod bug")] == [(t.status, t.detail) for t, _ in desk.ends]
        assert [
            "tasks: task bash-1 'done' rejected (producer contract violation): Error: prod bug"
        ] == desk.warnings

    @pytest.mark.parametrize("outcome", [None, Outcome(status="paused")])
    def test_invalid_outcome(self, desk, outcome):
        """
        Work that ends with no proper outcome has failed, and says with what it ended.
        """
        done = Deferred()
        desk.registry.start(kind="a", label="b", run=lambda: Work(done=done, cancel=lambda _: None))
        done.resolve(outcome)
        desk.clock.run_ready()
        task = desk.registry.get("a-1")

        assert task.status == "failed"
        assert repr(outcome) in task.detail

    def test_listeners(self, desk):
        """
        Listeners are told in order; one that throws or rejects costs a warning, not the others.
        """
        order = []
        rejecting = Deferred()

        def throw(*_):
            order.append("throwing")
            raise ValueError("oops")

        def reject(*_):
            order.append("rejecting")
            return rejecting

        desk.registry.on_task_done(throw)
        desk.registry.on_task_done(reject)
        desk.registry.on_task_done(lambda *_: order.append("last"))
        desk.start()
        desk.settle("bash-1")
        rejecting.reject(ValueError("later"))

        assert ["throwing", "rejecting", "last"] == order
        assert [
            "tasks: onTaskDone listener threw for bash-1: Error: oops",
            "tasks: onTaskDone listener rejected for bash-1: Error: later",
        ] == desk.warnings

    def test_removed_listener(self, desk):
        """
        A listener that was taken off, once or twice, hears nothing.
        """
        heard = []
        remove = desk.registry.on_task_done(lambda *_: heard.append(1))
        remove()
        remove()
        desk.start()
        desk.settle("bash-1")

        assert [] == heard

    def test_many_in_one_instant(self, desk):
        """
        Tasks that end together are announced one by one, in the order in which they ended.
        """
        ids = [desk.start() for _ in range(5)]
        for task_id in reversed(ids):
            desk.producers.settle(task_id)
        desk.clock.run_ready()

        assert list(reversed(ids)) == [task.id for task, _ in desk.ends]


class TestOwnerDisposal:
    """
    Tasks whose owner ends.
    """

    def test_cancels_and_awaits(self, desk):
        """
        An owner's live tasks are cancelled, its disposal waits for them, then its records go.
        """
        alice = desk.agent("alice")
        desk.start(alice)
        desk.start(alice)
        desk.settle("bash-2")
        gone = desk.seen(desk.dispose(alice))
        stopping = desk.registry.get("bash-1", caller=alice).status
        waited = list(gone)
        desk.settle("bash-1", status="killed")

        assert ("stopping", [], [None]) == (stopping, waited, gone)
        assert [["owner disposed"], []] == [
            desk.producers.cancellations(task_id) for task_id in ("bash-1", "bash-2")
        ]
        assert "unknown task bash-1" == desk.refusal(desk.registry.get, "bash-1", caller=alice)
        assert [] == desk.registry.list(alice)

    def test_end_counts_as_reported(self, desk):
        """
        A task that ends with its owner is announced as reported: nobody is left to be told.
        """
        alice = desk.agent("alice")
        desk.start(alice, on_cancel="settle")
        desk.dispose(alice)

        assert [("killed", True)] == [(task.status, task.reported) for task, _ in desk.ends]

    def test_throwing_cancel(self, desk):
        """
        A cancellation that throws forces the record to failed; disposal goes on.
        """
        alice = desk.agent("alice")
        desk.start(alice, on_cancel="throw")
        gone = desk.seen(desk.dispose(alice))
        desk.settle("bash-1")

        error = "Error: cancel refused"
        assert [None] == gone
        assert [
            ("failed", f"cancel threw during teardown; work may be orphaned: {error}", True)
        ] == [(task.status, task.detail, task.reported) for task, _ in desk.ends]
        warning = (
            "tasks: cancel of bash-1 threw during teardown;"
            f" task record forced failed and work may be orphaned: {error}"
        )
        assert [warning] == desk.warnings

    def test_replacement(self, desk):
        """
        Only the tasks of that very agent end, not those of another with the same session.
        """
        old = desk.agent("old", session="s")
        new = desk.agent("new", session="s")
        desk.start(old)
        desk.start(new)
        desk.dispose(old)
        desk.settle("bash-1")

        assert [("bash-2", "running")] == [(t.id, t.status) for t in desk.registry.list(new)]

    def test_waiters(self, desk):
        """
        Whoever waits for a task sees it end with its owner.
        """
        alice = desk.agent("alice")
        desk.start(alice, on_cancel="settle")
        answers = desk.seen(desk.registry.wait("bash-1", 10, caller=alice))
        desk.dispose(alice)

        assert ["killed"] == [task.status for task in answers]

    def test_nothing_is_left_behind(self, desk):
        """
        Of an owner that is gone, nothing stays in the registry.
        """
        alice = desk.agent("alice")
        desk.start(alice, on_cancel="settle")
        desk.dispose(alice)

        shelves = desk.registry._shelves
        assert [{}, {}, {}] == [shelves._by_id, shelves._by_session, shelves._by_owner]


class TestDisposal:
    """
    Tasks whose registry ends.
    """

    def test_silent_end(self, desk):
        """
        With the service its tasks end, and no listener is told.
        """
        alice = desk.agent("alice")
        desk.start(alice)
        desk.start(on_cancel="throw")
        gone = desk.seen(desk.registry.dispose())
        waited = list(gone)
        desk.settle("bash-1", status="killed")

        assert ([], [None], []) == (waited, gone, desk.ends)
        assert ["tasks service disposed"] == desk.producers.cancellations("bash-1")
        assert "unknown task bash-1" == desk.refusal(desk.registry.get, "bash-1", caller=alice)

    def test_words_of_jobs(self, make_desk):
        """
        The jobs edition cancels, and warns, in its own words.
        """
        desk = make_desk(JOBS)
        desk.registry.on_task_done(lambda *_: 1 // 0)
        desk.start()
        desk.start()
        desk.settle("bash-1", reject="bug")
        desk.registry.dispose()

        assert ["jobs service disposed"] == desk.producers.cancellations("bash-2")
        assert [
            "jobs: job bash-1 'done' rejected (producer contract violation): Error: bug",
            "jobs: onJobDone listener threw for bash-1: Error: integer division or modulo by zero",
        ] == desk.warnings

    def test_leaves_owners(self, desk):
        """
        An owner that outlives the service is free of it.
        """
        alice = desk.agent("alice")
        desk.start(alice, on_cancel="settle")
        desk.registry.dispose()
        desk.clock.run_ready()

        assert 0 == len(alice.scope._cleanups)
        assert [None] == desk.seen(desk.dispose(alice))


class TestScale:
    """
    Many tasks.
    """

    def test_many_tasks(self, desk):
        """
        What a task costs does not grow with the number of tasks.
        """
        alice = desk.agent("alice")
        ids = [desk.start(alice) for _ in range(20_000)]
        for task_id in ids:
            desk.registry.read(task_id, caller=alice)
            desk.producers.settle(task_id)
        desk.clock.run_ready()

        assert 20_000 == len(desk.registry.list(alice)) == len(desk.ends)
        assert [] == desk.registry.list(desk.agent("bob"))
