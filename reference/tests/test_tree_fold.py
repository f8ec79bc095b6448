"""
What a fold takes away, and what it costs to find out.
"""

import pytest

from dsh_reference.host.log import Session
from dsh_reference.tree import schemas
from dsh_reference.tree.fold import FoldRange, Stay, look
from dsh_reference.tree.folding import fold
from dsh_reference.tree.notice import READS, WRITES, fold_notice, touched

SYSTEM = {"kind": "system", "text": "s"}
HUMAN = {"kind": "user", "text": "h", "source": {"kind": "user"}}
WORK = {"kind": "assistant", "text": "w"}
RESULT = {"kind": "tool", "text": "r", "call": "c"}


def calling(*names, arguments="{}"):
    """
    Return an assistant message with calls.
    """
    calls = [{"id": name, "name": name, "arguments": arguments} for name in names]
    return {"kind": "assistant", "text": "", "calls": calls}


DONE = calling(schemas.DONE)
PLAN = calling(schemas.PLAN)


class Counting(list):
    """
    A surface that counts how often it is looked at.
    """

    looks = 0

    def __getitem__(self, place):
        """
        Count.
        """
        self.looks += 1
        return super().__getitem__(place)


class TestLook:
    """
    One look at a surface.
    """

    def test_ranges_from_boundary_to_done(self):
        """
        The boundary's results stay, the work behind them goes.
        """
        surface = [SYSTEM, HUMAN, PLAN, RESULT, WORK, RESULT, DONE, RESULT]

        assert FoldRange(4, 5) == look(surface)

    def test_a_person_inside_keeps_the_range(self):
        """
        The range is named, with the reason to leave it alone.
        """
        assert FoldRange(1, 2, Stay.HUMAN_INSIDE) == look([PLAN, WORK, HUMAN, DONE])

    @pytest.mark.parametrize("source", [{"kind": "plugin", "plugin": "other"}, None])
    def test_only_persons_keep_it(self, source):
        """
        Messages of other plugins and of nobody are process.
        """
        message = {"kind": "user", "text": "h"} | ({"source": source} if source else {})

        assert FoldRange(1, 2) == look([PLAN, WORK, message, DONE])

    def test_costs_what_lies_behind_the_last_boundaries(self):
        """
        Ten thousand finished rounds before it make a look no dearer.
        """
        surface = Counting([SYSTEM, *([PLAN, RESULT, DONE, RESULT] * 10_000), WORK, DONE, RESULT])
        found = look(surface)

        assert FoldRange(40_001, 40_001) == found
        assert surface.looks < 20

    def test_costs_at_worst_the_surface_twice(self):
        """
        Of a hundred thousand messages none is looked at more often than that.
        """
        surface = Counting([SYSTEM, *([WORK] * 100_000), DONE])
        found = look(surface)

        assert FoldRange(1, 100_000) == found
        assert surface.looks <= 2 * len(surface) + 10


class TestFold:
    """
    A fold in a session.
    """

    def test_hides_all_sources_behind_one_notice(self):
        """
        The log gains one message in place of the range, with all that it hides.
        """
        session = Session("A")
        for message in (SYSTEM, PLAN, RESULT, WORK, RESULT, DONE):
            session.say(message)
        fold(session, session.nodes())

        assert [0, 1, 2, 6, 5] == [node["seq"] for node in session.nodes()]
        assert (3, 4) == session.sources[6]

    def test_second_one_finds_nothing(self):
        """
        The notice belongs to the boundary before it.
        """
        session = Session("A")
        for message in (SYSTEM, PLAN, RESULT, WORK, DONE):
            session.say(message)
        fold(session, session.nodes())
        before = len(session.events)
        fold(session, session.nodes())

        assert before == len(session.events)

    def test_refused_by_the_host_changes_nothing(self, caplog):
        """
        The range stays, and a warning says so.
        """
        session = Session("A")
        for message in (PLAN, WORK, DONE):
            session.say(message)
        stale = [{**node, "seq": node["seq"] + 90} for node in session.nodes()]
        fold(session, stale)

        assert [0, 1, 2] == [node["seq"] for node in session.nodes()]
        assert "折叠失败，保留原区间：surface replace" in caplog.text


class TestNotice:
    """
    The text in place of a range.
    """

    def test_names_files_after_the_count(self):
        """
        Files read stand on the second line, files written on the third.
        """
        read = calling("read", arguments='{"path": "a"}')
        write = calling("edit", arguments='{"file_path": "b"}')
        notice = fold_notice([read, RESULT, write, RESULT])

        assert "tree_task消息：隐藏了4条过程上下文。\n读取：a\n写入：b" == notice["text"]
        assert "树形任务流 · 隐藏了4条过程上下文 · 涉及 2 个文件" == notice["source"]["summary"]

    @pytest.mark.parametrize(
        "arguments",
        [
            "",
            "{",
            "null",
            "[]",
            '{"path": 3}',
            '{"path": " "}',
            '{"path": "a", "x": NaN}',
            "[" * 200_000,
        ],
    )
    def test_odd_arguments_name_no_file(self, arguments):
        """
        Whatever text a model sends as arguments, a fold goes on.
        """
        assert [] == touched([calling("read", arguments=arguments)], READS)

    def test_huge_numbers_are_json(self):
        """
        A number of ten thousand digits hides no path.
        """
        arguments = f'{{"path": "a", "n": {"9" * 10_000}}}'

        assert ["a"] == touched([calling("write", arguments=arguments)], WRITES)
