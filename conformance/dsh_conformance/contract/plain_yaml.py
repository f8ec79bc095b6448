"""
The part of YAML that data files may use, read with the place of every value.

Only plain data is accepted: no tags, no anchors or aliases (a short file could unfold without
bound), no duplicate keys, and none of YAML 1.1's surprises (`yes`, `on`, dates, sexagesimals).
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any, NoReturn

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from dsh_conformance.errors import DataError, shorten

Marks = dict[tuple[str | int, ...], tuple[int, int]]

DEPTH_LIMIT = 64

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BOOLEANS = {"true": True, "false": False}
_TAGS = frozenset(
    f"tag:yaml.org,2002:{kind}"
    for kind in ("str", "timestamp", "null", "int", "float", "bool", "seq", "map", "value", "merge")
)
# As JSON has them. YAML reads 017 as fifteen and 1_000 as a thousand; a reader may not.
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,18})(\.[0-9]+([eE][+-]?[0-9]{1,2})?)?")


def read_plain(path: Path, text: str) -> tuple[Any, Marks, Marks]:
    """
    Return the data in a text that stands in `path`, and line and column of each value and key.

    Raises:
        DataError: It is not YAML, or uses more of YAML than plain data.
    """
    try:
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
        raise DataError(
            f"not YAML: {error.problem or error.context}",
            where,
            hint="quote texts with special characters in single quotes",
        ) from error
    except yaml.reader.ReaderError as error:
        raise DataError(
            f"not YAML: {error.reason}",
            _place_of_index(path, text, error.position),
            value=repr(text[error.position : error.position + 1]),
            hint='write it as an escape in double quotes, for example "\\a" or "\\x00"',
        ) from error
    reader = _Reader(path)
    data = None if node is None else reader.value(node, ())
    return data, reader.marks, reader.keys


def _place_of_index(path: Path, text: str, index: int) -> str:
    before = text[:index]
    return f"{path}:{before.count(chr(10)) + 1}:{index - before.rfind(chr(10))}"


class _Reader:
    """
    Turns nodes into data, once each, and notes their places.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.marks: Marks = {}
        self.keys: Marks = {}
        self._seen: set[int] = set()

    def value(self, node: Node, place: tuple[str | int, ...]) -> Any:
        self.marks[place] = _mark(node)
        if len(place) > DEPTH_LIMIT:
            self._fail(node, "nested too deeply", "write it flatter")
        if id(node) in self._seen:
            self._fail(node, "anchors and aliases are not allowed here", "write the value out")
        self._seen.add(id(node))
        if node.tag not in _TAGS:
            self._fail(node, f"the tag {node.tag!r} is not allowed here", "write plain data")
        if isinstance(node, ScalarNode):
            return self._scalar(node)
        if isinstance(node, SequenceNode):
            return [self.value(item, (*place, i)) for i, item in enumerate(node.value)]
        assert isinstance(node, MappingNode)  # noqa: S101  # YAML has no fourth kind of node.
        return self._mapping(node, place)

    def _mapping(self, node: MappingNode, place: tuple[str | int, ...]) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node)
            if key in data:
                self._fail(key_node, f"the key {key!r} stands twice", "keep one of them")
            self.keys[*place, key] = _mark(key_node)
            data[key] = self.value(value_node, (*place, key))
        return data

    def _key(self, node: Node) -> str:
        if not isinstance(node, ScalarNode):
            self._fail(node, "a key must be a text", "quote it")
        text: str = node.value
        return text

    def _scalar(self, node: ScalarNode) -> Hashable:
        kind, text = node.tag.rpartition(":")[2], node.value
        if kind in {"str", "timestamp"}:
            return str(text)
        if kind == "null":
            return None
        if kind in {"int", "float"}:
            return self._number(node)
        if kind != "bool" or text not in _BOOLEANS:
            self._fail(node, f"{text!r} is ambiguous in YAML", "write true or false, or quote it")
        return _BOOLEANS[text]

    def _number(self, node: ScalarNode) -> int | float:
        text: str = node.value
        match = _NUMBER.fullmatch(text)
        if match is None:
            shown = shorten(text, 40)
            self._fail(node, f"{shown!r} is not a plain number", "quote it if it is a text")
        return float(text) if match[2] else int(text)

    def _fail(self, node: Node, what: str, hint: str) -> NoReturn:
        line, column = _mark(node)
        raise DataError(what, f"{self.path}:{line}:{column}", hint=hint)


def _mark(node: Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1
