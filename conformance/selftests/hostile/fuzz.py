"""
What must hold for any bytes at all: read as YAML, as a scenario, or as an adapter's answer.

Hypothesis feeds these functions in the tests. With `pip install atheris` they can be fed for as
long as one likes, guided by coverage:

    python conformance/selftests/hostile/fuzz.py yaml|scenario|line [atheris options]
"""

# ruff: noqa: PT017  # An error is as good an end as a value; this is what it must look like.

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

from dsh_conformance.adapter.protocol import Reply
from dsh_conformance.adapter.schemas import check_result, violation
from dsh_conformance.adapter.wire import DEPTH_LIMIT, NotJson, decode, encode, nests_deeper
from dsh_conformance.contract.catalogue import Contract, load_contracts
from dsh_conformance.contract.documents import parse_document
from dsh_conformance.errors import DataError
from dsh_conformance.scenario.loader import Loader
from dsh_conformance.scenario.model import Scenario

PATH = Path("todo/fuzzed.yaml")
EDITION = "2026-08"
CONTRACT: Contract = load_contracts([EDITION])[EDITION]
KNOWN = frozenset(CONTRACT.clauses)


def read_yaml(data: bytes) -> Any:
    """
    Read bytes as YAML: plain data with places, or a message that names the file.
    """
    try:
        document = parse_document(PATH, data.decode("utf-8", "replace"))
    except DataError as error:
        assert str(error).startswith(str(PATH)), error
        assert str(error).replace("\n", "").isprintable(), error
        return None
    assert_plain(document.data)
    assert document.marks or document.data is None
    return document


def read_scenario(data: bytes) -> Scenario | None:
    """
    Read bytes as a scenario, or say what is wrong in a message that names the file.
    """
    document = read_yaml(data)
    if document is None:
        return None
    try:
        return Loader(document, PATH.with_suffix("").as_posix(), CONTRACT, KNOWN).scenario()
    except DataError as error:
        assert str(PATH) in str(error), error
        assert str(error).replace("\n", "").isprintable(), error
        return None


def read_line(data: bytes) -> Reply | None:
    """
    Read bytes as a line from an adapter: JSON that can be written again, checked, or refused.
    """
    try:
        value = decode(data)
    except NotJson as error:
        assert str(error)
        assert error.advice
        return None
    assert_plain(value)
    assert not nests_deeper(value, DEPTH_LIMIT)
    assert json.loads(encode(value)) == value
    wrong = violation("response", value)
    assert wrong is None or wrong.isprintable(), wrong
    if wrong is None and "result" in value:
        for method in ("tools.call", "log.read", "together", "tools.present"):
            assert check_result(method, value["result"]) == (
                violation(f"{method}.result", value["result"]) is None
            )
    return None


def assert_plain(value: Any) -> None:
    """
    Make sure that a value is plain JSON data.
    """
    if isinstance(value, dict):
        assert all(isinstance(key, str) for key in value)
        for inner in value.values():
            assert_plain(inner)
    elif isinstance(value, list):
        for inner in value:
            assert_plain(inner)
    else:
        assert value is None or isinstance(value, str | int | float), value
        assert not isinstance(value, float) or math.isfinite(value), value


TARGETS = {"yaml": read_yaml, "scenario": read_scenario, "line": read_line}


def main() -> None:
    """
    Fuzz one target until something gives.
    """
    import atheris  # noqa: PLC0415  # It need not be there for the tests.

    target = TARGETS[sys.argv.pop(1)]
    atheris.instrument_all()
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
