"""
The unread output of a stream task: each read takes what came since the last one.
"""

from __future__ import annotations

from codecs import IncrementalDecoder, getincrementaldecoder

_new_decoder = getincrementaldecoder("utf-8")


class DeltaBuffer:
    """
    Collects text and UTF-8 bytes; `take` empties it.

    A character whose bytes arrive in pieces is held back until it is whole, also when text comes in
    between. Bytes that never become a character turn into U+FFFD, at the latest when it is closed.
    """

    __slots__ = ("_decoder", "_pieces")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._decoder: IncrementalDecoder | None = None

    def write(self, text: str) -> None:
        """
        Add text.
        """
        self._pieces.append(text)

    def write_bytes(self, data: bytes) -> None:
        """
        Add bytes; the last of them may be the beginning of a character.
        """
        if self._decoder is None:
            self._decoder = _new_decoder(errors="replace")
        self._pieces.append(self._decoder.decode(data))

    def close(self) -> None:
        """
        Give up on a character that stayed incomplete.
        """
        if self._decoder is not None:
            self._pieces.append(self._decoder.decode(b"", final=True))

    def take(self) -> str:
        """
        Return what was not read yet, and forget it.
        """
        pieces, self._pieces = self._pieces, []
        return "".join(pieces)
