"""
Every message against its schema, in both directions.

The check is compiled once a method and costs microseconds; only a message that fails it is looked
at again by a slower validator, which says where and why.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from dsh_conformance.errors import RunnerBug, harmless
from dsh_conformance.paths import spec_root

Check = Callable[[Any], Any]

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
def checker(name: str) -> Check:
    """
    Return the compiled check of a message; it raises on the first violation.
    """
    import fastjsonschema  # noqa: PLC0415  # Costs 30 ms; `--help` must not pay it.

    check: Check = fastjsonschema.compile(load_schema(name), use_default=False)
    return check


@cache
def _checkers(method: str) -> tuple[Check, Check]:
    return checker(f"{method}.params"), checker(f"{method}.result")


def check_params(method: str, params: Any) -> None:
    """
    Make sure that a request of ours is as the protocol has it.

    Raises:
        RunnerBug: It is not.
    """
    try:
        _checkers(method)[0](params)
    except Exception as error:
        raise RunnerBug(
            f"the suite sent wrong parameters: {violation(f'{method}.params', params)}",
            method,
            value=repr(params),
            hint="this is a mistake in dsh-conformance or in the scenario; please report it",
        ) from error


def check_result(method: str, result: Any) -> bool:
    """
    Whether a result is as the protocol has it; `violation` says why it is not.
    """
    try:
        _checkers(method)[1](result)
    except Exception:  # noqa: BLE001  # Whatever it raised, it did not let the result pass.
        return False
    return True


def violation(name: str, message: Any) -> str | None:
    """
    Say what is wrong with a message, as `<path>: <reason>`, or return None.
    """
    import fastjsonschema  # noqa: PLC0415

    try:
        checker(name)(message)
    except fastjsonschema.JsonSchemaException as error:
        return _explain(name, message) or _middle_cut(str(error))
    except RecursionError:
        return "nested too deeply"
    return None


def _explain(name: str, message: Any) -> str | None:
    from jsonschema import Draft7Validator  # noqa: PLC0415
    from jsonschema.exceptions import best_match  # noqa: PLC0415

    error = best_match(Draft7Validator(load_schema(name)).iter_errors(message))
    if error is None:
        return None
    path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)
    return f"{path.lstrip('.') or 'the message'}: {_middle_cut(error.message)}"


def _middle_cut(text: str) -> str:
    # The value comes first and the reason last; of a long value the beginning is enough.
    if len(text) <= EXPLANATION:
        return harmless(text)
    half = EXPLANATION // 2
    return f"{harmless(text[:half])} … {harmless(text[-half:])}"
