"""
The `todo_write` tool.
"""

import pytest

from dsh_reference import todo
from dsh_reference.errors import LoadFailed
from dsh_reference.host.clock import Clock
from dsh_reference.host.composition import Composition

RC8 = "0.1.0-rc.8"
EMPTY = "Error: invalid todo: `content` must be a non-empty string"


def compose(edition="2026-08", config=None, services=("projections",)):
    """
    Return a composition with the plugin and an agent.
    """
    composition = Composition(Clock(), edition, services=services)
    composition.load(todo.for_edition(edition), config)
    composition.create_agent("a")
    return composition


def items(*contents, status="pending"):
    """
    Return items of one status.
    """
    return [{"content": content, "status": status} for content in contents]


def write(composition, todos, agent="a"):
    """
    Call the tool and return the result.
    """
    caller = None if agent is None else composition.agents.get(agent)
    return composition.tools.call("todo_write", {"todos": todos}, agent=caller).result


class TestWriting:
    """
    A list that is accepted.
    """

    def test_stores_the_trimmed_list(self):
        """
        One event with the whole list, one canonical value, one line of text.
        """
        composition = compose()
        kept = [
            {"content": "a b", "status": "completed"},
            {"content": "c", "status": "in_progress"},
        ]

        result = write(composition, [{**kept[0], "content": "\ufeff a b\u3000"}, kept[1]])

        counts = {"pending": 0, "inProgress": 1, "completed": 1}
        assert "Updated todo list: 0 pending, 1 in progress, 1 completed." == result.text
        assert {"todos": kept, "counts": counts} == result.value
        assert [{"type": "todo/write", "todos": kept, "seq": 0}] == composition.session("a").events

    @pytest.mark.parametrize("content", ["\x85", "\x1c", "\u180e", "\u200b", "\u2060", "\0"])
    def test_keeps_what_ecmascript_keeps(self, content):
        """
        Python's own white space is not the contract's.
        """
        result = write(compose(), items(content))

        assert content == result.value["todos"][0]["content"]

    def test_accepts_an_empty_list(self):
        """
        No items are a list too.
        """
        composition = compose()

        assert not write(composition, []).is_error
        assert [] == composition.projections.value(composition.session("a"), "todos")


class TestRefusing:
    """
    A list that is not accepted writes nothing.
    """

    @pytest.mark.parametrize(
        ("todos", "agent", "text"),
        [
            (items(*todo.WHITE_SPACE), "a", EMPTY),
            (items("", "x", "x"), "a", EMPTY),
            (items("x", " x ", ""), "a", 'Error: invalid todos: duplicate content "x"'),
            (
                items("a", "b", "c", status="in_progress"),
                "a",
                "Error: invalid todos: at most one task may be in_progress, got 3",
            ),
            (
                items("a", "b", "a", status="in_progress"),
                "a",
                'Error: invalid todos: duplicate content "a"',
            ),
            (items(""), None, EMPTY),
            (items("x"), None, "Error: todo_write requires an owning agent session"),
        ],
    )
    def test_says_why(self, todos, agent, text):
        """
        The first offence decides: items in turn, then the count, then the missing agent.
        """
        composition = compose()

        result = write(composition, todos, agent)

        assert (text, True) == (result.text, result.is_error)
        assert [] == composition.session("a").events

    @pytest.mark.parametrize(
        ("content", "quoted"),
        [
            ('say "hi"', r'"say \"hi\""'),
            ("a\\b\n\x01\b", r'"a\\b\n\u0001\b"'),
            ("任务<&>\u2028\x7f😀", '"任务<&>\u2028\x7f😀"'),
            ("\ud800x", r'"\ud800x"'),
            ("\ud83d\ude00", '"😀"'),
        ],
    )
    def test_quotes_the_duplicate_as_json(self, content, quoted):
        """
        Only quotes, backslashes, controls and lone surrogates are escaped.
        """
        result = write(compose(), items(content, content))

        assert f"Error: invalid todos: duplicate content {quoted}" == result.text


class TestProjection:
    """
    The standing list.
    """

    def test_folds_writes_and_turns(self):
        """
        A write replaces, a turn's start clears, anything else keeps the very same state.
        """
        events = [
            {"type": "turn/start"},
            {"type": "todo/write", "todos": items("x")},
            {"type": "turn/end"},
            {"type": "turn/start"},
        ]

        states, same = compose().projections.fold("todos", events)

        assert [None, items("x"), items("x"), None] == states
        assert [True, False, True, False] == same

    def test_comes_and_goes_with_registry_and_plugin(self):
        """
        Mounted late it shows the log as it stands; unloaded the key is gone.
        """
        composition = compose(services=())
        write(composition, items("x"))
        composition.mount("projections")
        value = composition.projections.value(composition.session("a"), "todos")

        composition.unload("tool-todo")

        assert items("x") == value
        assert composition.projections.unit("todos") is None


class TestFace:
    """
    What others see of the plugin.
    """

    def test_shows_the_arguments_as_they_came(self):
        """
        The card carries the untrimmed list.
        """
        card = compose().tools.present("todo_write", {"todos": items(" x ")})

        assert card == {
            "card": "generic",
            "title": "Update todo list",
            "kind": "other",
            "rawInput": items(" x "),
        }

    def test_exports_three_names(self):
        """
        Name, inject and apply, and no default.
        """
        assert ["apply", "inject", "name"] == todo.__all__
        assert ("tool-todo", ("tools",)) == (todo.name, todo.inject)


class TestRc8:
    """
    The edition in which the number of active items is a setting.
    """

    @pytest.mark.parametrize(
        ("config", "problem"),
        [
            ({}, "missing required value"),
            ({"allowParallelInProgress": None}, "missing required value"),
            ({"allowParallelInProgress": "yes"}, "expected boolean but got yes"),
            ({"allowParallelInProgress": 1}, "expected boolean but got 1"),
        ],
    )
    def test_wants_the_setting(self, config, problem):
        """
        Without a boolean the plugin does not load.
        """
        with pytest.raises(LoadFailed) as refused:
            compose(RC8, config)

        assert str(refused.value) == (
            f"invalid config:\n  - $.allowParallelInProgress {problem} (at allowParallelInProgress)"
        )

    def test_counts_or_does_not(self):
        """
        False tells the count in brackets; true allows any number.
        """
        todos = items("a", "b", status="in_progress")
        strict = compose(RC8, {"allowParallelInProgress": False})
        free = compose(RC8, {"allowParallelInProgress": True})

        assert "Error: invalid todos: at most one task may be in_progress (got 2)" == (
            write(strict, todos).text
        )
        assert not write(free, todos).is_error
