"""
The unread output of a stream task: each read takes what came since the last one.
"""

from __future__ import annotations

from codecs import getincrementaldecoder

_new_decoder = getincrementaldecoder("utf-8")


class DeltaBuffer:
    """
    Collects text and UTF-8 bytes; `take` empties it.

    A character whose bytes arrive in pieces is held back until it is whole. Bytes that never become
    a character turn into U+FFFD: when text follows them, and at the end of the stream.
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._decoder = _new_decoder(errors="replace")

    def write(self, text: str) -> None:
        """
        Add text.
        """
        self.close()
        self._pieces.append(text)

    def write_bytes(self, data: bytes) -> None:
        """
        Add bytes; the last of them may be the beginning of a character.
        """
        self._pieces.append(self._decoder.decode(data))

    def close(self) -> None:
        """
        Give up on a character that stayed incomplete.
        """
        self._pieces.append(self._decoder.decode(b"", final=True))

    def take(self) -> str:
        """
        Return what was not read yet, and forget it.
        """
        pieces, self._pieces = self._pieces, []
        return "".join(pieces)
