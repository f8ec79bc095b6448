"""
The tree as a value: what may be done with it, and how it reads.
"""

from hypothesis import given
from hypothesis import strategies as st

from dsh_reference.tree import plan as ops
from dsh_reference.tree import texts
from dsh_reference.tree.js_text import cut, trim, words
from dsh_reference.tree.model import LastIds, Status
from dsh_reference.tree.path import active_path, next_sentence
from dsh_reference.tree.plan import Change, Draft, Refusal
from dsh_reference.tree.render import first_line, tree_text

NONE = LastIds()


def grown(plan=None, *, tasks=2, last=NONE):
    """
    Return a plan with one goal more.
    """
    drafts = [Draft(f"任务{place}") for place in range(tasks)]
    return ops.add_goal(plan, Draft("目标"), tasks=drafts, last=last, now=5).plan


def split(plan, node_id, *, steps=2):
    """
    Return a plan with children below a node.
    """
    drafts = [Draft(f"步{place}") for place in range(steps)]
    return ops.add_children(plan, node_id, drafts=drafts, last=NONE, now=6).plan


def finished(plan, node_id):
    """
    Return a plan with a node completed.
    """
    return ops.complete(plan, node_id, result="好", now=7).plan


class TestIds:
    """
    The numbering of nodes.
    """

    def test_counts_each_level_on_its_own(self):
        """
        Goals, tasks and steps are numbered apart, over the whole plan.
        """
        plan = split(grown(grown()), "t-3")

        assert ["g-1", "t-1", "t-2", "g-2", "t-3", "s-1", "s-2", "t-4"] == [
            node.id for node in plan.walk()
        ]

    def test_never_goes_below_what_was_given_out(self):
        """
        Numbers of a plan that is gone are not given out again.
        """
        plan = grown(last=LastIds(goal=4, task=9))

        assert ["g-5", "t-10", "t-11"] == [node.id for node in plan.walk()]

    def test_leaves_foreign_ids_alone(self):
        """
        Ids of another form take no number.
        """
        foreign = ops.replace(grown(tasks=1).goals[0], id="g-abc")
        plan = grown(ops.replace(grown(tasks=1), goals=(foreign,)))

        assert ["g-abc", "t-1", "g-1", "t-2", "t-3"] == [node.id for node in plan.walk()]


class TestOperations:
    """
    The changes of a plan.
    """

    def test_leave_the_old_plan_alone(self):
        """
        A change is a new plan; the one before is as it was.
        """
        plan = grown()
        before = tree_text(plan)
        ops.drop(plan, "g-1", now=8)

        assert before == tree_text(plan)

    def test_drop_takes_the_pending_nodes_along(self):
        """
        What is finished keeps its state and result, also between dropped nodes.
        """
        plan = finished(split(grown(), "t-1"), "s-1")
        change = ops.drop(plan, "g-1", now=8)

        assert ["g-1", "t-1", "s-2", "t-2"] == [node.id for node in change.nodes]
        assert plan.find("s-1") == change.plan.find("s-1")

    def test_refused_ones_say_why(self):
        """
        The state of a node is checked before the result.
        """
        plan = finished(grown(), "t-1")

        assert Refusal(texts.already_done("t-1")) == ops.complete(plan, "t-1", result="", now=8)

    def test_blank_detail_is_a_change_and_a_blank_title_is_none(self):
        """
        Only the detail may be emptied.
        """
        assert {"detail": ""} == ops.edits("  ", "")

    @given(st.lists(st.tuples(st.sampled_from("gpdxu"), st.integers(0, 12)), max_size=30))
    def test_keep_the_plan_sound(self, moves):
        """
        Whatever is done, ids stay unique, nothing vanishes and nothing that has ended reopens.
        """
        plan = grown()
        for kind, place in moves:
            nodes = list(plan.walk())
            node = nodes[place % len(nodes)]
            change = self._change(plan, kind, node.id)
            if isinstance(change, Refusal):
                continue
            ended = [each for each in nodes if not each.pending]
            ids = [each.id for each in change.plan.walk()]

            assert len(ids) == len(set(ids))
            assert {each.id for each in nodes} <= set(ids)
            assert all(change.plan.find(each.id).status is each.status for each in ended)
            plan = change.plan

    def _change(self, plan, kind, node_id):
        return {
            "g": lambda: Change(grown(plan), ()),
            "p": lambda: ops.add_children(plan, node_id, drafts=[Draft("x")], last=NONE, now=1),
            "d": lambda: ops.complete(plan, node_id, result="r", now=1),
            "x": lambda: ops.drop(plan, node_id, now=1),
            "u": lambda: ops.edit(plan, node_id, fields={"title": "y"}, now=1),
        }[kind]()


class TestPath:
    """
    What is to be done next.
    """

    def test_checkpoint_is_of_the_innermost_open_node(self):
        """
        A task whose steps have ended is at its checkpoint before its goal can be.
        """
        plan = finished(split(grown(), "t-1", steps=1), "s-1")

        assert "t-1" == active_path(plan).checkpoint.id
        assert next_sentence(plan).startswith("检查点：任务「任务0」t-1 的步骤")

    def test_nothing_open_asks_for_the_report(self):
        """
        With every goal ended the final report is due.
        """
        assert texts.REPORT_FINALLY == next_sentence(finished(grown(), "g-1"))

    def test_open_nodes_below_an_ended_parent_are_off_the_path(self):
        """
        The next goal is active, although a task of the first is open.
        """
        plan = grown(finished(grown(), "g-1"))

        assert ("g-2", "t-3") == (active_path(plan).goal.id, active_path(plan).task.id)


class TestTreeText:
    """
    The tree as text.
    """

    def test_marks_a_goal_at_its_checkpoint(self):
        """
        The line of a goal that is to be advanced carries the mark; otherwise it never does.
        """
        plan = finished(grown(tasks=1), "t-1")

        assert "[ ] 目标  g-1  目标 ← 当前" == tree_text(plan).split("\n")[0]
        assert "[ ] 目标  g-1  目标" == tree_text(grown()).split("\n")[0]

    def test_shows_only_the_goals_detail(self):
        """
        A goal's detail stands below it; only its first line is indented.
        """
        goal = Draft("目标", "一\n二")
        plan = ops.add_goal(None, goal, tasks=[Draft("任务", "藏")], last=NONE, now=0).plan

        assert ["       一", "二"] == tree_text(plan).split("\n")[1:3]
        assert "藏" not in tree_text(plan)


class TestFirstLine:
    """
    The one line of a result.
    """

    def test_splits_no_character(self):
        """
        A character that would straddle the limit is left out whole.
        """
        assert "a" * 119 + "…" == first_line("a" * 119 + "😀")
        assert "a" * 118 + "😀" == first_line("a" * 118 + "😀")

    def test_is_trimmed_before_it_is_measured(self):
        """
        Blanks around the line do not count, blanks at the cut stay.
        """
        assert "a" * 120 == first_line("  " + "a" * 120 + "  \nb")
        assert "a" * 119 + " …" == first_line("a" * 119 + " bc")


class TestEcmaScriptText:
    """
    Blanks and lengths as ECMAScript has them.
    """

    def test_blanks_are_its_own_set(self):
        """
        The byte order mark is blank; separators of ASCII and the next-line control are not.
        """
        assert "\x1c\x85x" == trim("\ufeff\u3000\x1c\x85x\u2028")
        assert ["a", "b\x1cc"] == words("\u00a0a\n\ufeffb\x1cc ")

    @given(st.text(alphabet="a😀你\ud800", max_size=20), st.integers(0, 30))
    def test_cut_is_the_longest_beginning_that_fits(self, text, units):
        """
        What is kept fits, and one character more would not.
        """
        kept = cut(text, units)
        size = len(kept.encode("utf-16-le", "surrogatepass")) // 2

        assert text.startswith(kept)
        assert size <= units
        if kept != text:
            following = text[len(kept)].encode("utf-16-le", "surrogatepass")
            assert size + len(following) // 2 > units


class TestStatus:
    """
    The states of a node.
    """

    def test_only_pending_is_open(self):
        """
        Done and dropped nodes are both at an end.
        """
        plan = ops.drop(finished(grown(), "t-1"), "t-2", now=1).plan

        assert [Status.PENDING, Status.DONE, Status.DROPPED] == [
            node.status for node in plan.walk()
        ]
