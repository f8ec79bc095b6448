"""
The session log and its surface.
"""

import pytest

from dsh_reference.errors import Rejected
from dsh_reference.host.log import Session

SYSTEM = {"kind": "system", "text": "You are."}


def user(text, **more):
    """
    Return a message event.
    """
    return {"type": "message", "message": {"kind": "user", "text": text}, **more}


def talk(count):
    """
    Return a session with a system message and that many user messages.
    """
    session = Session("s")
    session.say(SYSTEM)
    for number in range(1, count + 1):
        session.append(user(str(number)))
    return session


def seqs(session):
    """
    Return the numbers of the live nodes.
    """
    return [node["seq"] for node in session.nodes()]


class TestReplacement:
    """
    A replacement splices the surface by position.
    """

    def test_takes_the_place_of_its_range(self):
        """
        The new node stands where the range stood, and all others keep their order.
        """
        session = talk(4)

        session.append(user("fold", replaces={"from": 2, "to": 3}))

        assert [0, 1, 5, 4] == seqs(session)
        assert (2, 3) == session.sources[5]

    def test_goes_by_position_not_by_number(self):
        """
        A range may run from a greater number to a smaller one.
        """
        session = talk(4)
        session.append(user("fold", replaces={"from": 2, "to": 3}))

        session.append(user("again", replaces={"from": 5, "to": 4}))

        assert [0, 1, 6] == seqs(session)
        assert (5, 4) == session.sources[6]

    def test_records_only_what_was_live(self):
        """
        What an earlier fold hid costs a later one nothing.
        """
        session = talk(300)
        session.append(user("first", replaces={"from": 1, "to": 300}))

        session.append(user("second", replaces={"from": 301, "to": 301}))

        assert (301,) == session.sources[302]

    @pytest.mark.parametrize(
        ("event", "message"),
        [
            (
                user("x", replaces={"from": 9, "to": 1}),
                "surface replace: start seq 9 not found in surface",
            ),
            (
                user("x", replaces={"from": 1, "to": 9}),
                "surface replace: end seq 9 not found in surface",
            ),
            (
                user("x", replaces={"from": 3, "to": 1}),
                "surface replace: start seq 3 (index 3) is after end seq 1 (index 1)",
            ),
            (
                user("x", replaces={"from": 0, "to": 2}),
                (
                    "surface replace: node 0 holds the system prompt and may be rewritten only by a"
                    " system/message over exactly that node"
                ),
            ),
            (
                user("x", replaces={"from": 1}),
                'session event "user/message" carries an invalid replace surfaceOp',
            ),
            (
                {"type": "turn/end", "replaces": {"from": 1, "to": 1}},
                'session event "turn/end" is not surface-eligible and cannot carry surfaceOp',
            ),
            (
                {
                    "type": "message",
                    "message": {"kind": "tool", "text": "", "call": "c"},
                    "replaces": {"from": 1, "to": 2},
                },
                "tool/result surface replacement must rewrite exactly one current node",
            ),
            (
                {
                    "type": "message",
                    "message": {"kind": "tool", "text": "", "call": "c"},
                    "replaces": {"from": 1, "to": 1},
                },
                "tool/result surface replacement must target a current tool/result",
            ),
            (user(float("nan")), 'session event "user/message" carries non-JSON-serializable data'),
        ],
    )
    def test_refused_changes_nothing(self, event, message):
        """
        A refusal says why, in the log's own words, and leaves log and surface alone.
        """
        session = talk(4)

        with pytest.raises(Rejected) as refused:
            session.append(event)

        assert message == str(refused.value)
        assert 5 == len(session.events)
        assert [0, 1, 2, 3, 4] == seqs(session)

    @pytest.mark.parametrize(
        ("sources", "message"),
        [
            (
                [1],
                (
                    "surface replace: sourceEventSeqs must include every shadowed surface node;"
                    " missing 2, 3"
                ),
            ),
            ([1, 2, 3, 3], "sourceEventSeqs must not contain duplicates"),
            (
                [1, 2, 3, 5],
                "sourceEventSeqs must reference earlier events: 5 >= current seq 5",
            ),
            ([], "sourceEventSeqs must not be empty"),
        ],
    )
    def test_checks_given_sources(self, sources, message):
        """
        Provenance that somebody names must cover all that is hidden.
        """
        session = talk(4)

        with pytest.raises(Rejected) as refused:
            session.append(user("x", replaces={"from": 1, "to": 3}), sources=sources)

        assert message == str(refused.value)

    def test_rewrites_the_system_prompt(self):
        """
        A system message over exactly node 0 is allowed.
        """
        session = talk(1)

        session.append({"type": "message", "message": SYSTEM, "replaces": {"from": 0, "to": 0}})

        assert [2, 1] == seqs(session)


class TestMessages:
    """
    What the model is sent.
    """

    def test_leaves_out_what_is_empty(self):
        """
        Empty assistant and system messages keep their nodes and are not sent.
        """
        session = Session("s")
        session.say({"kind": "system", "text": ""})
        session.say({"kind": "assistant", "text": ""})
        session.say({"kind": "assistant", "text": "", "calls": [{"id": "c"}]})
        session.say({"kind": "user", "text": ""})

        assert [0, 1, 2, 3] == seqs(session)
        assert [2, 3] == [message["seq"] for message in session.messages()]

    def test_keeps_a_copy(self):
        """
        Changing a message after it was appended changes nothing in the log.
        """
        session, message = Session("s"), {"kind": "user", "text": "a"}
        session.say(message)

        message["text"] = "b"

        assert "a" == session.nodes()[0]["text"]

    def test_restores_from_kept_events(self):
        """
        A session made of another's events has the same surface and goes on from there.
        """
        session = talk(4)
        session.append(user("fold", replaces={"from": 2, "to": 3}))

        restored = Session("s", session.events)

        assert session.events == restored.events
        assert seqs(session) == seqs(restored)
