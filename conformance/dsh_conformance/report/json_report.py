"""
The JSON report: written, and read back with every doubt told.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import jsonschema_rs
from jsonschema import Draft7Validator
from jsonschema.exceptions import ValidationError, best_match

from dsh_conformance.errors import UsageError
from dsh_conformance.paths import spec_root
from dsh_conformance.report.document import FORMAT, VERSION
from dsh_conformance.report.told import Report


def render(report: Report) -> str:
    """
    Return the document as JSON.
    """
    return json.dumps(report.data, ensure_ascii=False, indent=1) + "\n"


def read_report(path: Path) -> Report:
    """
    Read a JSON report.

    Raises:
        UsageError: It cannot be read, is no report, is cut off, was changed by hand into something
            else, or comes from a newer suite.
    """
    data = _parsed(path)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UsageError(
            "not a report of dsh-conformance", str(path), hint="write one with --report json=FILE"
        )
    _check_version(path, data)
    error = mistake(data)
    if error is not None:
        raise UsageError(
            f"not as its schema says: {error.message[:200]}",
            f"{path}, {error.json_path}",
            hint="was it changed by hand? run again, or see spec/schemas/report.schema.json",
        )
    return Report(data)


def mistake(data: Any) -> ValidationError | None:
    """
    Return what in a report is not as its schema says, or None.
    """
    schema = json.loads((spec_root() / "schemas" / "report.schema.json").read_text("utf-8"))
    # A text that is no Unicode is more than the compiled check can read; the slower one can.
    with suppress(ValueError):
        if jsonschema_rs.Draft7Validator(schema).is_valid(data):
            return None
    found: ValidationError | None = best_match(Draft7Validator(schema).iter_errors(data))
    return found


def _parsed(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(
            f"cannot be read: {error.strerror}", str(path), hint="check the path"
        ) from error
    except json.JSONDecodeError as error:
        raise UsageError(
            f"not whole JSON: {error.msg}",
            f"{path}:{error.lineno}:{error.colno}",
            hint="it was cut off, or changed by hand: write it again",
        ) from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"not JSON: {error}", str(path), hint="write it again") from error


def _check_version(path: Path, data: dict[str, Any]) -> None:
    version = data.get("version")
    if isinstance(version, int) and version > VERSION:
        suite = data.get("suite")
        writer = suite.get("version") if isinstance(suite, dict) else None
        raise UsageError(
            f"written by a newer suite ({writer or 'unknown'}): report version {version}, "
            f"and this one reads {VERSION}",
            str(path),
            hint="install that version of dsh-conformance",
        )
