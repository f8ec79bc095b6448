"""
State files: where they lie, and what a broken one does.
"""

import json
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_reference.errors import Rejected
from dsh_reference.tree import plan as ops
from dsh_reference.tree.codec import SessionState, plan_from_json, plan_to_json
from dsh_reference.tree.cursors import Cursor, Cursors
from dsh_reference.tree.model import LastIds
from dsh_reference.tree.plan import Draft
from dsh_reference.tree.store import Store, file_name

BROKEN = [
    b"",
    b"{",
    b"null",
    b"3",
    b'"goals"',
    b"[]",
    b"{}",
    b'{"goals": []}',
    b'{"goals": [null]}',
    b'{"goals": [{"id": "g-1"}]}',
    b'{"goals": [{"id": "g-1", "title": "x", "status": "odd"}]}',
    b'{"goals": [{"id": "g-1", "title": "x", "status": "done", "createdAt": 1e999}]}',
    b'{"goals": {"id": "g-1"}}',
    b'{"goal": 1}',
    b"\xff\xfe",
    b"[" * 100_000,
]
TEXT = st.text(st.characters(codec=None), max_size=300)


@pytest.fixture
def store(tmp_path):
    """
    A store in an empty folder.
    """
    return Store(tmp_path / "state", lambda: 9)


def plan_of(title="目标", detail=""):
    """
    Return a plan of one goal with one task and one step.
    """
    goal = Draft(title, detail)
    plan = ops.add_goal(None, goal, tasks=[Draft("任务")], last=LastIds(), now=1).plan
    drafts = [Draft("步")]
    return ops.add_children(plan, "t-1", drafts=drafts, last=LastIds(), now=2).plan


class TestFileName:
    """
    The name of a session's files.
    """

    @pytest.mark.parametrize("session", ["alice", "a-b_c.d", "0123", ".hidden", "x" * 180])
    def test_keeps_ordinary_ids(self, session):
        """
        Letters, digits, `-`, `_` and `.` stand as they are.
        """
        assert session == file_name(session)

    @given(TEXT)
    def test_stays_in_its_folder(self, session):
        """
        Any id gives one path element that a file system takes.
        """
        name = f"{file_name(session)}.json"

        assert (name,) == PurePosixPath(name).parts
        assert len(name) <= 200
        assert name.isascii()

    @given(TEXT, TEXT)
    def test_is_its_own(self, one, other):
        """
        Two ids share no name.
        """
        assert (one == other) is (file_name(one) == file_name(other))

    @pytest.mark.parametrize(
        ("one", "other"),
        [("a/b", "a%2Fb"), (".", "%2E"), ("..", "."), ("x" * 181, "x" * 182), ("", "%")],
    )
    def test_is_its_own_for_look_alikes(self, one, other):
        """
        An id that looks like another one's name gets another name.
        """
        assert file_name(one) != file_name(other)

    @pytest.mark.parametrize("session", ["../../x", "/etc/x", "a\0b", "..", ".", "", "你" * 200])
    def test_odd_ids_are_stored_inside(self, session, store):
        """
        Nothing appears beside the state folder, and the plan is found again.
        """
        store.save_plan(session, plan_of())

        assert plan_of() == store.plan(session)
        assert [store.root.name] == [path.name for path in store.root.parent.iterdir()]


class TestPlanFile:
    """
    `plans/<session>.json`.
    """

    def test_gives_back_what_was_stored(self, store):
        """
        A plan survives the file, odd characters included, and nothing else stays.
        """
        plan = ops.complete(plan_of("\ud83d 😀", "a\nb"), "s-1", result="r", now=3).plan
        store.save_plan("A", plan)

        assert plan == store.plan("A")
        assert [store.root / "plans" / "A.json"] == list(store.root.rglob("*.*"))

    @pytest.mark.parametrize("content", BROKEN)
    def test_broken_is_no_plan(self, content, store):
        """
        Whatever stands in the file, it counts as absent, and a plan can be stored over it.
        """
        store.save_plan("A", plan_of())
        (store.root / "plans" / "A.json").write_bytes(content)

        assert store.plan("A") is None
        store.save_plan("A", plan_of())
        assert plan_of() == store.plan("A")

    def test_repeated_ids_are_foreign(self):
        """
        A plan in which an id means two nodes is no plan.
        """
        value = plan_to_json(plan_of())
        value["goals"].append(value["goals"][0])

        assert plan_from_json(value) is None

    def test_first_layout_is_read(self):
        """
        One goal in place of a list is a plan of that goal.
        """
        value = plan_to_json(plan_of())
        value["goal"] = value.pop("goals")[0]

        assert plan_of() == plan_from_json(value)

    def test_folder_in_its_place_is_refused(self, store):
        """
        What cannot be written is refused, and no half file stays.
        """
        (store.root / "plans" / "A.json").mkdir(parents=True)

        with pytest.raises(Rejected, match="状态文件写不进去"):
            store.save_plan("A", plan_of())
        assert [] == list(store.root.rglob("*.tmp"))
        assert store.plan("A") is None


class TestSessionState:
    """
    `surfaces/<session>.json`.
    """

    CURSORS = Cursors(goal=Cursor("g-1", 3), task=Cursor("t-1", None))

    def test_holds_only_cursors_while_there_is_nothing_else(self, store):
        """
        The file of a session that was never held back is the documented one.
        """
        store.save_state("A", SessionState(self.CURSORS))
        stored = json.loads((store.root / "surfaces" / "A.json").read_text("utf-8"))

        assert {
            "sessionId": "A",
            "goal": {"key": "g-1", "cursor": 3},
            "task": {"key": "t-1", "cursor": None},
            "step": None,
            "updatedAt": 9,
        } == stored

    def test_gives_back_what_was_stored(self, store):
        """
        Marks and numbers survive the file.
        """
        state = SessionState(self.CURSORS, paused=True, stopped=True, last_ids=LastIds(1, 2, 3))
        store.save_state("A", state)

        assert state == store.state("A")

    @pytest.mark.parametrize("content", [*BROKEN, b'{"goal": {"key": 3}}', b'{"lastIds": []}'])
    def test_broken_is_none(self, content, store):
        """
        Whatever stands in the file, the session is as a fresh one, or nearly so.
        """
        store.save_state("A", SessionState())
        (store.root / "surfaces" / "A.json").write_bytes(content)

        assert SessionState() == store.state("A")


class TestClear:
    """
    A reset.
    """

    def test_forgets_plan_and_cursors(self, store):
        """
        Marks stay, and the numbers given out are remembered.
        """
        store.save_plan("A", plan_of())
        store.save_state("A", SessionState(TestSessionState.CURSORS, paused=True))
        store.clear("A")

        assert store.plan("A") is None
        assert SessionState(paused=True, last_ids=LastIds(1, 1, 1)) == store.state("A")
        assert "null\n" == (store.root / "plans" / "A.json").read_text("utf-8")

    def test_without_a_plan_writes_no_cursor_file(self, store):
        """
        There is nothing to remember.
        """
        store.clear("A")

        assert not (store.root / "surfaces").exists()
