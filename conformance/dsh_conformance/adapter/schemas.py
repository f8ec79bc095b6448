"""
Every message against its schema, in both directions.

A check is compiled once a message and costs about a microsecond, so none is ever left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from dsh_conformance.errors import RunnerBug, harmless
from dsh_conformance.paths import spec_root

if TYPE_CHECKING:
    from jsonschema_rs import Draft7Validator, ValidationError

SHAPES = "shapes.json#/definitions/"
# A reason quotes the value that is wrong, which may be a whole log.
EXPLANATION = 200


@cache
def load_schema(name: str) -> dict[str, Any]:
    """
    Read `spec/schemas/protocol/<name>.json` with the shared shapes it refers to inside.

    Raises:
        FileNotFoundError: There is no such message.
    """
    folder = spec_root() / "schemas" / "protocol"
    schema = json.loads((folder / f"{name}.json").read_text("utf-8"))
    if name == "shapes":
        return dict(schema)
    return _with_definitions(schema, load_schema("shapes")["definitions"])


def _with_definitions(schema: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    needed: dict[str, Any] = {}
    whole = _localised(schema, shapes, needed)
    return {**whole, "definitions": needed} if needed else dict(whole)


def _localised(node: Any, shapes: dict[str, Any], needed: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_localised(item, shapes, needed) for item in node]
    if not isinstance(node, dict):
        return node
    target = node.get("$ref")
    if not isinstance(target, str):
        return {key: _localised(value, shapes, needed) for key, value in node.items()}
    name = target.removeprefix(SHAPES).removeprefix("#/definitions/")
    if name not in needed:
        needed[name] = {}
        needed[name] = _localised(shapes[name], shapes, needed)
    return {"$ref": f"#/definitions/{name}"}


@cache
def checker(name: str) -> Draft7Validator:
    """
    Return the compiled check of a message.
    """
    from jsonschema_rs import Draft7Validator  # noqa: PLC0415  # `--help` must not pay for it.

    return Draft7Validator(load_schema(name))


@cache
def _checkers(method: str) -> tuple[Draft7Validator, Draft7Validator]:
    return checker(f"{method}.params"), checker(f"{method}.result")


def check_params(method: str, params: Any) -> None:
    """
    Make sure that a request of ours is as the protocol has it.

    Raises:
        RunnerBug: It is not.
    """
    if not _fits(_checkers(method)[0], params):
        raise RunnerBug(
            f"the suite sent wrong parameters: {violation(f'{method}.params', params)}",
            method,
            value=repr(params),
            hint="this is a mistake in dsh-conformance or in the scenario; please report it",
        )


def check_result(method: str, result: Any) -> bool:
    """
    Whether a result is as the protocol has it; `violation` says why it is not.
    """
    return _fits(_checkers(method)[1], result)


def violation(name: str, message: Any) -> str | None:
    """
    Say what is wrong with a message, as `<path>: <reason>`, or return None.
    """
    found = checker(name)
    if _fits(found, message):
        return None
    try:
        error = _deepest(found.iter_errors(message))
    except ValueError as refusal:
        return f"the message: {_middle_cut(str(refusal))}"
    return f"{_path(error.instance_path)}: {_middle_cut(error.message)}"


def _fits(check: Draft7Validator, message: Any) -> bool:
    try:
        return check.is_valid(message)
    except ValueError:
        # A key that is no Unicode, or a value that is no JSON: no schema of ours lets that pass.
        return False


def _deepest(errors: Iterable[ValidationError]) -> ValidationError:
    """
    Return the error that tells most: the one farthest inside, alternatives looked into.
    """
    return max(map(_inside, errors), key=lambda error: len(error.instance_path))


def _inside(error: ValidationError) -> ValidationError:
    branches = getattr(error.kind, "context", None) or []
    inner = [each for branch in branches for each in branch]
    if not inner:
        return error
    deepest = _deepest(inner)
    return deepest if len(deepest.instance_path) > len(error.instance_path) else error


def _path(path: Iterable[str | int]) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return harmless(text.lstrip(".")) or "the message"


def _middle_cut(text: str) -> str:
    # The value comes first and the reason last; of a long value the beginning is enough.
    if len(text) <= EXPLANATION:
        return harmless(text)
    half = EXPLANATION // 2
    return f"{harmless(text[:half])} … {harmless(text[-half:])}"
