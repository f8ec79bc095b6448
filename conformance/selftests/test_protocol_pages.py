"""
The protocol is written down five times, and says the same each time.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from dsh_conformance.adapter.interface import Adapter
from dsh_conformance.adapter.protocol import CAPABILITIES, METHODS
from dsh_conformance.adapter.schemas import load_schema
from dsh_conformance.paths import spec_root
from dsh_reference.adapter import Adapter as Reference

PAGE = (Path(__file__).parents[2] / "docs" / "adapter-protocol.md").read_text("utf-8")
ROW = re.compile(r"^\| `([a-z]+(?:\.[a-z]+)?)` \|(.*)\|(.*)\|(.*)\|$", re.MULTILINE)
NAME = re.compile(r"`(\w+)(\??)`")
ROWS = {match[1]: match.groups()[1:] for match in ROW.finditer(PAGE)}
# Files of the schema folder that are no method's.
FRAMES = {"request", "response", "shapes"}


def alternatives(schema):
    """
    Return the object schemas that a message may fit.
    """
    return [one for one in schema.get("oneOf", [schema]) if one.get("type") != "null"]


def fields(name):
    """
    Return the fields that a message may have, with whether each must be there.
    """
    shapes = alternatives(load_schema(name))
    known = [field for shape in shapes for field in shape.get("properties", {})]
    return {field: all(field in s.get("required", ()) for s in shapes) for field in known}


def public(cls):
    """
    Return the public methods of a class by the protocol's names for them.
    """
    return {
        name.replace("_", "."): function
        for name, function in vars(cls).items()
        if not name.startswith("_") and callable(function)
    }


def parameters(function):
    """
    Return a function's keyword parameters, with whether each must be given.
    """
    found = inspect.signature(function).parameters.values()
    return {p.name: p.default is p.empty for p in found if p.name != "self"}


def told(cell):
    """
    Return the fields that a cell of the page names, with whether each must be there.
    """
    return {name: not optional for name, optional in NAME.findall(cell) if name != "null"}


class TestMethods:
    """
    Which methods there are.
    """

    def test_schemas(self):
        """
        Has a schema for the parameters and one for the result of every method, and no other.
        """
        folder = spec_root() / "schemas" / "protocol"
        names = {path.stem for path in folder.glob("*.json")} - FRAMES

        assert {f"{m}.{side}" for m in METHODS for side in ("params", "result")} == names

    def test_interface(self):
        """
        Has a Python method for every method, and no other.
        """
        assert set(METHODS) == set(public(Adapter))

    def test_page(self):
        """
        Has a row in the page's tables for every method, and no other.
        """
        assert list(METHODS) == list(ROWS)

    def test_page_explains_each(self):
        """
        Says something of every method that has parameters, below its table.
        """
        prose = ROW.sub("", PAGE)
        silent = [method for method in METHODS if f"`{method}`" not in prose]

        assert [] == silent

    def test_reference(self):
        """
        Is served whole by the reference, whose other attributes are no methods of the protocol.
        """
        served = {name.replace("_", ".") for name in Reference()._methods}

        assert set(METHODS) == served


@pytest.mark.parametrize("method", METHODS)
class TestParameters:
    """
    What each method takes and gives.
    """

    def test_interface(self, method):
        """
        Has the schema's parameters in Python, required where the schema requires them.
        """
        assert fields(f"{method}.params") == parameters(public(Adapter)[method])

    def test_reference(self, method):
        """
        Has the schema's parameters in the reference, required where the schema requires them.
        """
        reference = getattr(Reference(), method.replace(".", "_"))

        assert fields(f"{method}.params") == parameters(inspect.unwrap(reference))

    def test_page(self, method):
        """
        Has the schema's parameters on the page, with a question mark where they may be missing.
        """
        assert fields(f"{method}.params") == told(ROWS[method][0])

    def test_result_on_page(self, method):
        """
        Has the schema's result on the page.
        """
        cell = ROWS[method][1].strip()
        expected = fields(f"{method}.result")
        if not expected:
            assert cell in {"`{}`", "Result", "an object, or `null`"}
            return

        assert expected == told(cell)


class TestCapabilities:
    """
    What an implementation can declare.
    """

    def test_page(self):
        """
        Has a row on the page for every capability, and no other.
        """
        section = PAGE.partition("## Capabilities")[2].partition("\n## ")[0]
        listed = re.findall(r"^\| `([a-z.]+)` \|", section, re.MULTILINE)

        assert sorted(CAPABILITIES) == sorted(listed)

    def test_methods_name_known_ones(self):
        """
        Says for which capability a method is, in names that exist.
        """
        named = {name for row in ROWS.values() for name in re.findall(r"`([\w.]+)`", row[2])}

        assert set() == named - set(CAPABILITIES)


class TestShapes:
    """
    The shapes in the page's text.
    """

    def test_every_kind_is_told(self):
        """
        Names every message kind and every event type.
        """
        shapes = load_schema("shapes")["definitions"]
        kinds = shapes["message"]["properties"]["kind"]["enum"]
        types = shapes["event"]["properties"]["type"]["enum"]
        missing = [word for word in (*kinds, *types) if f'"{word}"' not in PAGE]

        assert [] == missing

    def test_every_choice_is_told(self):
        """
        Names every value that a parameter may be limited to.
        """
        choices = {
            value
            for method in METHODS
            for shape in alternatives(load_schema(f"{method}.params"))
            for field in shape.get("properties", {}).values()
            for value in field.get("enum", ())
        }
        missing = [one for one in choices if f'"{one}"' not in PAGE]

        assert [] == missing
