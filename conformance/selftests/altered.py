"""
The reference with some of its methods replaced.
"""

from __future__ import annotations

from dsh_reference.adapter import Adapter


class Refusal(Exception):
    """
    A protocol error.
    """

    def __init__(self, code, message="no", data=None):
        super().__init__(message)
        self.code = code
        self.data = data


def altered(**changes):
    """
    Return the reference with methods replaced: by a function that is given the sound one, or None.
    """

    class Altered:
        def __init__(self):
            self._sound = Adapter()

        def __getattr__(self, name):
            if changes.get(name, 0) is None:
                raise AttributeError(name)
            sound = getattr(self._sound, name)
            change = changes.get(name)
            return sound if change is None else lambda **params: change(sound, **params)

    return Altered


def raising(error):
    """
    Return a method that raises.
    """

    def method(_, **__):
        raise error

    return method


def answering(**fields):
    """
    Return a method that answers as the sound one does, but for some fields.
    """
    return lambda sound, **params: {**sound(**params), **fields}


def with_capabilities(change):
    """
    Return the reference with other capabilities.
    """

    def initialize(sound, **params):
        info = sound(**params)
        return {**info, "capabilities": change(info["capabilities"])}

    return altered(initialize=initialize)
