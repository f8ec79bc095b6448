"""
Data files with places: every value knows the line and column it was written at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dsh_conformance.errors import DataError

Place = tuple[str | int, ...]

# Ours are under 100 KB; a stranger's file must not fill the memory.
SIZE_LIMIT = 4 << 20


@dataclass(frozen=True)
class Document:
    """
    A file's data with the place of each value.

    Attributes:
        path: The file.
        data: Plain JSON-like data.
        marks: Line and column (from 1) by place; a place is a tuple of keys and indices.
        keys: The same of keys, by the place of what they name.
    """

    path: Path
    data: Any
    marks: dict[Place, tuple[int, int]] = field(repr=False)
    keys: dict[Place, tuple[int, int]] = field(repr=False, default_factory=dict)

    def at(self, place: Place) -> str:
        """
        Return `file:line:column` of a place, or of the nearest place around it.
        """
        while place and place not in self.marks:
            place = place[:-1]
        line, column = self.marks.get(place, (1, 1))
        return f"{self.path}:{line}:{column}"

    def at_key(self, place: Place) -> str:
        """
        Return `file:line:column` of the key that names the value at a place.
        """
        if place not in self.keys:
            return self.at(place)
        line, column = self.keys[place]
        return f"{self.path}:{line}:{column}"


def read_document(path: Path) -> Document:
    """
    Read a YAML file.

    Raises:
        DataError: It is missing, too large, not YAML, or uses more of YAML than plain data.
    """
    return parse_document(path, _text_of(path))


def parse_document(path: Path, text: str) -> Document:
    """
    Read YAML from a text that stands in `path`.

    Raises:
        DataError: It is not YAML, or uses more of YAML than plain data.
    """
    # Imported here: what is found in the cache needs no YAML.
    from dsh_conformance.contract.plain_yaml import read_plain  # noqa: PLC0415

    return Document(path, *read_plain(path, text))


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > SIZE_LIMIT:
            raise DataError(
                f"the file is larger than {SIZE_LIMIT >> 20} MiB", str(path), hint="split it"
            )
        return path.read_text("utf-8")
    except FileNotFoundError as error:
        raise DataError("no such file", str(path), hint="check the path") from error
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", str(path), hint="check it") from error
    except UnicodeDecodeError as error:
        raise DataError(
            f"not UTF-8 (byte {error.start})", str(path), hint="save the file as UTF-8"
        ) from error
