"""
The strip above the input box, as data.
"""

import pytest

from dsh_reference.tree import plan as ops
from dsh_reference.tree.codec import SessionState
from dsh_reference.tree.cursors import Cursor, Cursors, align
from dsh_reference.tree.model import LastIds
from dsh_reference.tree.panel import Panel, strip
from dsh_reference.tree.path import active_path
from dsh_reference.tree.plan import Draft
from dsh_reference.tree.store import Store


@pytest.fixture
def plan():
    """
    One goal, two tasks, two steps below the first.
    """
    drafts = [Draft("写"), Draft("读")]
    plan = ops.add_goal(None, Draft("目标"), tasks=drafts, last=LastIds(), now=1).plan
    return ops.add_children(plan, "t-1", drafts=drafts, last=LastIds(), now=1).plan


def rows(strip):
    """
    Return every row by its id.
    """
    found, waiting = {}, list(strip["goals"])
    while waiting:
        row = waiting.pop()
        found[row["id"]] = row
        waiting.extend(row["children"])
    return found


def finished(plan, *ids):
    """
    Return a plan with nodes completed.
    """
    for node_id in ids:
        plan = ops.complete(plan, node_id, result="第一行\n第二行", now=2).plan
    return plan


class TestPhase:
    """
    The label of the bar.
    """

    @pytest.mark.parametrize(
        ("done", "state", "label"),
        [
            ([], SessionState(), "进行中"),
            (["s-1", "s-2"], SessionState(), "检查点"),
            (["g-1"], SessionState(), "已全部完成"),
            (["s-1", "s-2"], SessionState(paused=True), "已暂停"),
            (["g-1"], SessionState(stopped=True), "已暂停"),
        ],
    )
    def test_is_the_first_that_holds(self, done, state, label, plan):
        """
        Held back, at a checkpoint, all finished, at work.
        """
        assert label == strip(finished(plan, *done), state)["label"]


class TestBar:
    """
    The closed strip.
    """

    def test_names_goal_and_progress(self, plan):
        """
        Finished of all nodes, and the node that is current.
        """
        bar = strip(finished(plan, "s-1"), SessionState())

        assert ("目标", "1/5 · 读") == (bar["heading"], bar["progress"])
        assert ["暂停", "清空计划", "展开"] == bar["buttons"]

    def test_counts_several_goals(self, plan):
        """
        The heading is their number.
        """
        more = ops.add_goal(plan, Draft("二"), tasks=[Draft("x")], last=LastIds(), now=1).plan

        assert "2 个目标" == strip(more, SessionState())["heading"]

    def test_takes_no_room_without_a_plan(self, tmp_path):
        """
        A session without plan has no strip.
        """
        assert Panel(Store(tmp_path, lambda: 0)).strip("A") is None


class TestRows:
    """
    The open strip.
    """

    def test_open_along_the_active_path(self, plan):
        """
        Goal, task and step at work are open; all else is closed.
        """
        seen = rows(strip(finished(plan, "s-1"), SessionState()))

        assert {"g-1", "t-1", "s-2"} == {key for key, row in seen.items() if row["open"]}
        assert ["当前"] == seen["s-2"]["tags"]

    def test_mark_the_checkpoint(self, plan):
        """
        The node at its checkpoint is open and says so.
        """
        seen = rows(strip(finished(plan, "s-1", "s-2"), SessionState()))

        assert ["当前", "检查点"] == seen["t-1"]["tags"]
        assert seen["t-1"]["open"]

    def test_offer_actions_on_open_nodes_only(self, plan):
        """
        What has ended can be neither completed nor dropped.
        """
        seen = rows(strip(finished(plan, "t-2"), SessionState()))

        assert [] == seen["t-2"]["actions"]
        assert ["done", "drop"] == seen["t-1"]["actions"]

    def test_keep_title_and_result_whole(self):
        """
        Nothing is cut in the data.
        """
        title = "很长的标题" * 50
        drafts = [Draft("任务")]
        plan = ops.add_goal(None, Draft(title), tasks=drafts, last=LastIds(), now=1).plan
        seen = rows(strip(finished(plan, "t-1"), SessionState()))

        assert title == seen["g-1"]["title"]
        assert "第一行\n第二行" == seen["t-1"]["result"]


class TestCursors:
    """
    Where the levels of the active path began.
    """

    def test_stay_while_the_node_is_the_same(self, plan):
        """
        Only the level whose node changed moves.
        """
        before = align(Cursors(), active_path(plan), 4)
        after = align(before, active_path(finished(plan, "s-1")), 9)

        assert Cursors(Cursor("g-1", 4), Cursor("t-1", 4), Cursor("s-2", 9)) == after

    def test_move_with_the_level_above(self, plan):
        """
        A node below another one begins anew, even under an id that was there before.
        """
        before = Cursors(Cursor("g-0", 1), Cursor("t-1", 2), Cursor("s-1", 3))

        assert align(Cursors(), active_path(plan), 9) == align(before, active_path(plan), 9)

    def test_are_empty_where_nothing_is_active(self, plan):
        """
        At the end of the plan no level has a cursor.
        """
        before = align(Cursors(), active_path(plan), 4)

        assert Cursors() == align(before, active_path(finished(plan, "g-1")), 9)
