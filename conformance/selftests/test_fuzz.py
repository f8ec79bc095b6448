"""
Bytes from strangers, whatever they are: fixtures, and what adapters write.
"""

from __future__ import annotations

import importlib.util
import json
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsh_conformance.adapter.process import ChildProcess
from dsh_conformance.adapter.stdio import StdioClient
from dsh_conformance.errors import AdapterFailure, AdapterNeverUp
from dsh_conformance.paths import fixtures_root
from dsh_conformance.report.textdiff import shown

_SPEC = importlib.util.spec_from_file_location(
    "hostile_fuzz", Path(__file__).parent / "hostile" / "fuzz.py"
)
fuzz = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(fuzz)

FEW = settings(max_examples=150, derandomize=True, deadline=None, database=None)
FEWER = settings(FEW, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
SEEDS = [
    (fixtures_root() / "todo" / name).read_bytes()
    for name in ("duplicate-after-trim.yaml", "card.yaml", "five-hundred-items.yaml")
]
YAML_BITS = [
    *(b"&a ", b"*a", b"!!python/object:os.system ", b"!!float ", b"<<: ", b"? ", b"- ", b": "),
    *(b"{", b"[", b"}", b"]", b"|", b">-", b"'", b'"', b"\n", b"\t", b"\x00", b"\x1b", b"\xff"),
    *(b".inf", b"1.0e+999", b"yes", b"0x10", b"2020-01-01", b"---\n", b"%", b"\xe2\x80\xae"),
    *(b"{$repeat: [x, 99999999]}", b"{$json: '[['}", b"{$matches: '('}", b"{t1}"),
    b"{$each: {to: 3, value: 1}}",
]  # fmt: skip
JSON_BITS = [
    *(b"{", b"}", b"[", b"]", b":", b",", b'"', b"NaN", b"1e999", b"9" * 400, b"\x00", b"\xff"),
    *(b"null", b"true", b'"id"', b'"result"', b'"\\ud800"', b"[" * 200, b'{"a":' * 200, b"-0.0"),
]  # fmt: skip
ANSWERS = [
    {"jsonrpc": "2.0", "id": 1, "result": {"done": True, "isError": False, "text": "x"}},
    {"jsonrpc": "2.0", "id": 1, "result": {"events": [{"seq": 0, "type": "turn/start"}]}},
    {"jsonrpc": "2.0", "id": 1, "error": {"code": 3, "message": "no"}},
]


def mutations(seeds, bits):
    """
    Return a strategy of seeds with a few stretches replaced.
    """
    edit = st.tuples(
        st.floats(0, 1), st.integers(0, 12), st.sampled_from(bits) | st.binary(max_size=4)
    )

    def edited(seed, edits):
        for where, length, bit in edits:
            at = int(where * len(seed))
            seed = seed[:at] + bit + seed[at + length :]
        return seed

    return st.builds(edited, st.sampled_from(seeds), st.lists(edit, min_size=1, max_size=4))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["claim", "clauses", "steps", "call", "with", "agent", "logs", "$json", "$repeat"]
            )
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


class TestYaml:
    """
    Any bytes as YAML.
    """

    @FEW
    @given(st.binary(max_size=200) | mutations(SEEDS, YAML_BITS))
    def test_bytes(self, data):
        """
        Reads plain data, or says what is wrong and where.
        """
        fuzz.read_yaml(data)

    @pytest.mark.parametrize("bit", YAML_BITS)
    def test_each_bit(self, bit):
        """
        Bears each of the troublesome bits as a value, a key, and an item.
        """
        for text in (b"a: " + bit, bit + b": a", b"- " + bit + b"\n- b", bit):
            fuzz.read_yaml(text)


class TestScenarios:
    """
    Any document as a scenario.
    """

    @FEW
    @given(mutations(SEEDS, YAML_BITS))
    def test_mutants(self, data):
        """
        Reads a scenario, or says what is wrong and where.
        """
        fuzz.read_scenario(data)

    @FEW
    @given(JSON, st.sampled_from(["claim", "clauses", "steps", "plugins", "given", "needs"]))
    def test_structures(self, value, key):
        """
        Bears any value in the place of any part.
        """
        whole = {"claim": "c", "clauses": ["todo.write.one-event"], "steps": [{"agent": "a"}]}
        fuzz.read_scenario(yaml.safe_dump({**whole, key: value}, allow_unicode=True).encode())
        fuzz.read_scenario(
            yaml.safe_dump({**whole, "steps": [{"agent": "a", key: value}]}).encode()
        )

    def test_seeds(self):
        """
        Starts from scenarios that can be read.
        """
        assert all(fuzz.read_scenario(seed) is not None for seed in SEEDS)


class TestLines:
    """
    Any bytes as an adapter's answer.
    """

    @FEW
    @given(
        st.binary(max_size=100) | mutations([json.dumps(a).encode() for a in ANSWERS], JSON_BITS)
    )
    def test_bytes(self, data):
        """
        Reads JSON that can be written again and checked, or says why not.
        """
        fuzz.read_line(data)

    @FEWER
    @given(data=mutations([json.dumps(a).encode() + b"\n" for a in ANSWERS], [*JSON_BITS, b"\n"]))
    def test_over_a_pipe(self, data, tmp_path):
        """
        Ends every call on such an adapter with a reply or a failure, and nothing is left.
        """
        said = tmp_path / "said"
        said.write_bytes(data)
        client = StdioClient(f"cat {said}", call_timeout=20, start_timeout=20)
        try:
            reply = client.call("tools.call", {"name": "x", "arguments": {}})
        except AdapterFailure as failure:
            assert not client.alive
            assert failure.hint  # noqa: PT017  # Both ends are right; this is what one must have.
        else:
            assert reply.ok or isinstance(reply.code, int)
        finally:
            client.kill()

    @FEWER
    @given(st.lists(st.binary(max_size=5).map(lambda b: b.replace(b"\n", b".")), max_size=20))
    def test_chunks(self, lines):
        """
        Returns the lines that were written, however they are cut.
        """
        text = b"".join(line + b"\n" for line in lines)
        child = ChildProcess(["cat"])
        for at in range(0, len(text), 7):
            child.send(text[at : at + 7])
        try:
            assert lines == [child.read_line(time.monotonic() + 20) for _ in lines]
        finally:
            child.stop()


class TestTerminal:
    """
    What reaches a terminal.
    """

    @FEW
    @given(st.text(st.characters(), max_size=30))
    def test_shown(self, text):
        """
        Holds no character that moves the cursor or turns the line round.
        """
        assert shown(text).isprintable()
        assert shown(text, everything=True).isprintable()

    @pytest.mark.parametrize(
        "code", [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x61C]
    )
    def test_direction(self, code):
        """
        Shows each control of direction as an escape.
        """
        assert f"\\u{code:04x}" == shown(chr(code))

    @FEW
    @given(st.text(st.characters(), max_size=30))
    def test_messages(self, text):
        """
        Prints messages of adapters harmlessly, in every part.
        """
        error = AdapterNeverUp(text, text, value=text, hint=text)

        assert str(error).replace("\n", "").isprintable()
