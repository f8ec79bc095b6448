"""
The buffer of a stream task.
"""

import pytest

from dsh_reference.tasks.streams import DeltaBuffer


class TestDeltaBuffer:
    """
    What is taken from what was written.
    """

    @pytest.fixture
    def buffer(self):
        """
        An empty buffer.
        """
        return DeltaBuffer()

    def test_takes_once(self, buffer):
        """
        What was taken is gone.
        """
        buffer.write("a")
        buffer.write("b")

        assert ["ab", ""] == [buffer.take(), buffer.take()]

    @pytest.mark.parametrize("cut", range(1, 4))
    def test_split_character(self, buffer, cut):
        """
        A character split anywhere comes out whole, when it is whole.
        """
        data = "😀".encode()
        buffer.write_bytes(data[:cut])
        early = buffer.take()
        buffer.write_bytes(data[cut:])

        assert ["", "😀"] == [early, buffer.take()]

    def test_incomplete_at_the_end(self, buffer):
        """
        A character that stays incomplete is replaced at the end of the stream, once.
        """
        buffer.write_bytes(b"a\xe4\xbb")
        early = buffer.take()
        buffer.close()
        buffer.close()

        assert ["a", "\ufffd"] == [early, buffer.take()]

    def test_text_between_bytes(self, buffer):
        """
        Text goes its own way beside a character of bytes.
        """
        buffer.write_bytes(b"\xe4\xbb")
        buffer.write("x")
        buffer.write_bytes(b"\xbb")

        assert "x任" == buffer.take()

    def test_invalid_bytes(self, buffer):
        """
        Bytes that are no UTF-8 are replaced at once.
        """
        buffer.write_bytes(b"a\xffb")

        assert "a\ufffdb" == buffer.take()
