"""
The three tools, and how their results read.
"""

import pytest

from dsh_reference.host.deferred import Deferred
from dsh_reference.tasks.records import Outcome, Work

STATUS = "[status: running]"


class TestOutput:
    """
    Reading output.
    """

    @pytest.mark.parametrize(
        ("delta", "body"),
        [
            ("one\n", "one\n"),
            ("one", "one\n"),
            ("\n", "\n"),
            ("x\n\n", "x\n\n"),
            ("   ", "   \n"),
            ("a\r\n", "a\r\n"),
            ("a\r", "a\r\n"),
            ("", "(no new output)\n"),
        ],
    )
    def test_joint(self, office, delta, body):
        """
        One line break stands before the status line, unless the output ends with one.
        """
        office.start()
        office.producers.emit("bash-1", text=delta)

        assert f"{body}{STATUS}" == office.text("output", id="bash-1")

    def test_delta(self, office):
        """
        A second read finds nothing new, while the task lives and after.
        """
        office.start()
        office.producers.emit("bash-1", text="one\n")
        texts = [office.text("output", id="bash-1") for _ in range(2)]
        office.producers.emit("bash-1", text="two\n")
        office.settle("bash-1", status="completed", detail="exit code: 0")
        texts += [office.text("output", id="bash-1") for _ in range(2)]

        assert [
            f"one\n{STATUS}",
            f"(no new output)\n{STATUS}",
            "two\n[status: completed, exit code: 0]",
            "(no new output)\n[status: completed, exit code: 0]",
        ] == texts

    def test_split_character(self, office):
        """
        A character whose bytes come in two pieces is read whole, and not before it is.
        """
        office.start()
        office.producers.emit("bash-1", base64="5Ls=")
        early = office.text("output", id="bash-1")
        office.producers.emit("bash-1", base64="uw==")

        assert f"(no new output)\n{STATUS}" == early
        assert f"任\n{STATUS}" == office.text("output", id="bash-1")

    def test_final(self, office):
        """
        A final-output task has its result once it has ended, at every read.
        """
        office.start(mode="final")
        texts = [office.text("output", id="bash-1")]
        office.settle("bash-1", output="RESULT")
        texts += [office.text("output", id="bash-1") for _ in range(2)]

        assert [f"(no new output)\n{STATUS}", *["RESULT\n[status: completed]"] * 2] == texts

    @pytest.mark.parametrize(
        ("outcome", "line"),
        [
            ({"status": "failed", "detail": ""}, "[status: failed, ]"),
            ({"status": "killed"}, "[status: killed]"),
            ({"reject": "prod bug"}, "[status: failed, Error: prod bug]"),
        ],
    )
    def test_status_line(self, office, outcome, line):
        """
        A detail that is there is shown, even an empty one.
        """
        office.start()
        office.settle("bash-1", **outcome)

        assert f"(no new output)\n{line}" == office.text("output", id="bash-1")

    def test_throwing_reader(self, office):
        """
        An error of the producer is the call's.
        """

        def explode():
            raise OSError("no disk")

        work = Work(done=Deferred(), cancel=lambda _: None, read_output=explode)
        office.registry.start(kind="a", label="b", run=lambda: work)

        assert "Error: no disk" == office.text("output", id="a-1")


class TestWaiting:
    """
    `wait: true`.
    """

    def test_end(self, office):
        """
        A waiting call ends with the task, and has its last output.
        """
        office.start()
        call = office.call("output", id="bash-1", wait=True)
        early = call.result
        office.producers.emit("bash-1", text="rest")
        office.settle("bash-1")

        assert (None, "rest\n[status: completed]") == (early, call.result.text)

    def test_two_waiters(self, office):
        """
        Of two waiting calls both see the end, and the first has the output.
        """
        alice = office.agent("alice")
        office.start(alice)
        calls = [office.call("output", alice, id="bash-1", wait=True) for _ in range(2)]
        office.producers.emit("bash-1", text="rest")
        office.settle("bash-1")

        assert ["rest\n[status: completed]", "(no new output)\n[status: completed]"] == [
            call.result.text for call in calls
        ]
        assert [] == alice.inbox.messages

    @pytest.mark.parametrize(
        ("given", "ms"), [({}, 200), ({"timeout_ms": 1e9}, 500), ({"timeout_ms": 0.5}, 0.5)]
    )
    def test_timeout(self, office, given, ms):
        """
        A wait takes the time it is given, the default where none is, and never more than the cap.
        """
        office.start()
        office.producers.emit("bash-1", text="so far")
        call = office.call("output", id="bash-1", wait=True, **given)
        office.composition.clock.advance(ms - 0.1)
        early = call.result
        office.composition.clock.advance(0.1)

        assert (None, f"so far\n{STATUS}") == (early, call.result.text)
        assert "running" == office.registry.get("bash-1").status

    def test_stopping(self, office):
        """
        A wait for a task that is stopping may time out.
        """
        office.start()
        office.text("kill", id="bash-1")
        call = office.call("output", id="bash-1", wait=True)
        office.composition.clock.advance(200)

        assert "(no new output)\n[status: stopping]" == call.result.text

    @pytest.mark.parametrize("ms", [0, -1])
    @pytest.mark.parametrize("finished", [True, False])
    def test_bad_timeout(self, office, ms, finished):
        """
        A timeout that is not positive is refused, whether the task has ended or not.
        """
        office.start()
        if finished:
            office.settle("bash-1")

        expected = (
            f"Error: invalid wait timeout: expected a positive number of milliseconds, got {ms}"
        )
        assert expected == office.text("output", id="bash-1", wait=True, timeout_ms=ms)

    @pytest.mark.parametrize("given", [{"timeout_ms": -5}, {"timeout_ms": 0, "wait": False}])
    def test_timeout_without_wait(self, office, given):
        """
        Without a wait the timeout does not matter.
        """
        office.start()

        assert f"(no new output)\n{STATUS}" == office.text("output", id="bash-1", **given)

    def test_foreign(self, office):
        """
        Whose task it is comes before how long to wait.
        """
        office.start(office.agent("alice"))

        expected = "Error: task bash-1 belongs to another session"
        assert expected == office.text("output", id="bash-1", wait=True, timeout_ms=0)

    def test_abort(self, office):
        """
        An aborted wait consumes nothing, and the end is announced later.
        """
        alice = office.agent("alice")
        office.start(alice)
        office.producers.emit("bash-1", text="kept")
        call = office.call("output", alice, id="bash-1", wait=True)
        call.signal.abort()
        office.settle("bash-1")

        assert ("Error: wait aborted", True) == (call.result.text, call.result.is_error)
        assert 1 == len(alice.inbox.messages)
        assert "kept\n[status: completed]" == office.text("output", alice, id="bash-1")

    @pytest.mark.parametrize("settle_first", [True, False])
    def test_abort_and_end_in_one_instant(self, office, settle_first):
        """
        Either the call has the end or the owner gets the notice, in either order.
        """
        alice = office.agent("alice")
        office.start(alice)
        call = office.call("output", alice, id="bash-1", wait=True)
        moves = [lambda: office.producers.settle("bash-1"), call.signal.abort]
        for move in moves if settle_first else reversed(moves):
            move()
        office.composition.clock.run_ready()

        assert "Error: wait aborted" == call.result.text
        assert 1 == len(alice.inbox.messages)

    def test_unload(self, office):
        """
        A call that waits when the plugin is unloaded still gets its answer.
        """
        office.start()
        call = office.call("output", id="bash-1", wait=True)
        office.composition.unload("tool-tasks")
        office.settle("bash-1")

        assert "(no new output)\n[status: completed]" == call.result.text


class TestList:
    """
    Listing tasks.
    """

    def test_empty(self, office):
        """
        No tasks are said to be none.
        """
        assert "(no background tasks)" == office.text("list")

    def test_rows(self, office):
        """
        Each task is a row, its label as it is and its detail left out.
        """
        alice = office.agent("alice")
        office.start(alice, label="two\nlines — raw")
        office.start(kind="sub", label="look")
        office.start(office.agent("bob"))
        office.settle("bash-1", status="failed", detail="exit code: 1")
        office.text("kill", id="sub-1")

        expected = "bash-1 [bash] failed — two\nlines — raw\nsub-1 [sub] stopping — look"
        assert expected == office.text("list", alice)

    def test_extra_arguments(self, office):
        """
        Arguments that are not declared are ignored; what is no object is refused.
        """
        assert "(no background tasks)" == office.text("list", zz=1)
        refused = office.composition.tools.call("task_list", None).result
        assert 'Error: invalid arguments: "arguments" must be an object' == refused.text


class TestKill:
    """
    Killing tasks.
    """

    def test_live(self, office):
        """
        Each kill of a live task is a request, whatever the producer makes of it.
        """
        office.start(on_cancel="settle")
        texts = [office.text("kill", id="bash-1", reason="why") for _ in range(2)]

        assert ["requested cancellation of task bash-1"] * 2 == texts
        assert ["why", "why"] == office.producers.cancellations("bash-1")

    def test_finished(self, office):
        """
        A finished task shows how it ended, and keeps its output.
        """
        office.start()
        office.producers.emit("bash-1", text="rest")
        office.settle("bash-1", detail="exit code: 0")

        expected = "task bash-1 had already finished [status: completed, exit code: 0]"
        assert expected == office.text("kill", id="bash-1")
        assert "rest\n[status: completed, exit code: 0]" == office.text("output", id="bash-1")

    def test_throwing_cancel(self, office):
        """
        A cancellation that throws is the call's error; the task goes on and is announced.
        """
        alice = office.agent("alice")
        office.start(alice, on_cancel="throw")

        assert "Error: cancel refused" == office.text("kill", alice, id="bash-1")
        assert "bash-1 [bash] running — work" == office.text("list", alice)
        office.settle("bash-1")
        assert 1 == len(alice.inbox.messages)

    def test_foreign_error(self, office):
        """
        An error of any producer reads like a refusal.
        """

        def explode(_):
            raise OSError("nope")

        office.registry.start(
            kind="a", label="b", run=lambda: Work(done=Deferred(), cancel=explode)
        )

        assert "Error: nope" == office.text("kill", id="a-1")


class TestArguments:
    """
    What the tools refuse.
    """

    @pytest.mark.parametrize("verb", ["output", "kill"])
    def test_id(self, office, verb):
        """
        An id is not empty, not trimmed, and the caller's.
        """
        office.start(office.agent("alice"))

        assert 'Error: invalid task_id: expected a non-empty string, got ""' == office.text(
            verb, id=""
        )
        assert "Error: unknown task  bash-1" == office.text(verb, id=" bash-1")
        assert "Error: task bash-1 belongs to another session" == office.text(verb, id="bash-1")

    @pytest.mark.parametrize(
        ("verb", "arguments", "problem"),
        [
            ("output", {}, 'missing required property "task_id"'),
            ("output", {"id": None}, '"task_id" must be a string'),
            ("output", {"id": "x", "wait": "yes"}, '"wait" must be a boolean'),
            ("output", {"id": "x", "timeout_ms": True}, '"timeout_ms" must be a number'),
            ("kill", {"id": "x", "reason": 1}, '"reason" must be a string'),
        ],
    )
    def test_schema(self, office, verb, arguments, problem):
        """
        Arguments are checked against the schema before anything else.
        """
        assert f"Error: invalid arguments: {problem}" == office.text(verb, **arguments)


class TestCards:
    """
    How a client shows a call.
    """

    def test_cards(self, office, jobs):
        """
        Reads and lists are of kind read, kills of kind execute; an id is quoted, even empty.
        """
        present = office.composition.tools.present

        def card(title, kind, **raw):
            return {"card": "generic", "title": title, "kind": kind, **raw}

        read = card("Read output from background task ", "read", rawInput="")
        assert read == present("task_output", {"task_id": ""})
        assert card("List background tasks", "read") == present("task_list", {"zz": 1})
        kill = card("Kill background task x", "execute", rawInput="x")
        assert kill == present("task_kill", {"task_id": "x", "reason": "r"})
        assert present("task_output", {"task_id": 3}) is None
        assert (
            "Kill background job x"
            == jobs.composition.tools.present("job_kill", {"job_id": "x"})["title"]
        )


class TestJobs:
    """
    The edition that speaks of jobs.
    """

    def test_texts(self, jobs):
        """
        All texts speak of jobs.
        """
        texts = [jobs.text("list")]
        jobs.start()
        texts += [jobs.text("kill", id="bash-1"), jobs.text("output", id="bash-9")]
        texts += [jobs.text("output", id="")]
        jobs.settle("bash-1", detail="exit code: 0")
        texts += [jobs.text("kill", id="bash-1")]

        assert [
            "(no background jobs)",
            "requested cancellation of job bash-1",
            "Error: unknown job bash-9",
            'Error: invalid job_id: expected a non-empty string, got ""',
            "job bash-1 had already finished [status: completed, exit code: 0]",
        ] == texts

    def test_values(self, jobs):
        """
        Results carry a canonical value, which leaves out what is absent.
        """
        jobs.start()
        job = {"id": "bash-1", "kind": "bash", "label": "work", "startedAt": 0}
        live, stopping = {**job, "status": "running"}, {**job, "status": "stopping"}
        ended = {**job, "status": "completed", "detail": "", "finishedAt": 5}

        assert {"text": "", "job": live} == jobs.call("output", id="bash-1").result.value
        assert [live] == jobs.call("list").result.value
        requested = jobs.call("kill", id="bash-1").result.value
        assert {"outcome": "cancellation-requested", "job": stopping} == requested
        jobs.composition.clock.advance(5)
        jobs.settle("bash-1", detail="")
        finished = jobs.call("kill", id="bash-1").result.value
        assert {"outcome": "already-finished", "job": ended} == finished

    def test_tasks_have_no_values(self, office):
        """
        The default edition has text only.
        """
        office.start()

        assert [None] * 3 == [
            office.call("output", id="bash-1").result.value,
            office.call("list").result.value,
            office.call("kill", id="bash-1").result.value,
        ]


def test_late_outcome_of_shared_work(office):
    """
    An outcome given before the start is recorded the instant after it.
    """
    done = Deferred()
    done.resolve(Outcome(status="completed", output="R"))
    office.registry.start(kind="a", label="b", run=lambda: Work(done=done, cancel=lambda _: None))
    early = office.text("output", id="a-1")
    office.composition.clock.run_ready()

    assert [f"(no new output)\n{STATUS}", "R\n[status: completed]"] == [
        early,
        office.text("output", id="a-1"),
    ]
