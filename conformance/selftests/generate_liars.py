"""
Adapters with something wrong that no planted fault has: they waver, crash, or lie as oracles.
"""

from dsh_reference.adapter import Adapter


class _Changed(Adapter):
    """
    The reference with a look at every answer.
    """

    def __getattr__(self, name):
        """
        Return a method whose answer is changed.
        """
        method = super().__getattr__(name)
        return lambda **params: self.changed(name, params, method(**params))

    def changed(self, name, params, answer):
        """
        Return an answer as it goes out.
        """
        raise NotImplementedError


class Wavering(_Changed):
    """
    Answers every seventh list otherwise, whatever was asked.
    """

    def __init__(self):
        super().__init__()
        self._count = 0

    def changed(self, name, params, answer):  # noqa: ARG002  # The base's signature.
        """
        Reword a result now and then.
        """
        self._count += name == "tools_call"
        if name == "tools_call" and self._count % 7 == 0:
            return {**answer, "text": answer["text"] + " (or so)"}
        return answer


class Crashing(_Changed):
    """
    Breaks down at the word `in_progress`.
    """

    def changed(self, name, params, answer):
        """
        Raise at one status.
        """
        if name == "tools_call" and "in_progress" in str(params["arguments"]):
            raise RuntimeError("no idea what is in progress")
        return answer


class Doubling(_Changed):
    """
    Shows every list of the log twice.
    """

    def changed(self, name, params, answer):  # noqa: ARG002  # The base's signature.
        """
        Repeat what the log holds.
        """
        if name == "log_read":
            events = [one for one in answer["events"] for _ in range(2)]
            return {"events": events}
        return answer


class Interrupted(Doubling):
    """
    Shows every todo event twice, until somebody presses Ctrl-C.
    """

    def __init__(self):
        super().__init__()
        self._left = 6000

    def changed(self, name, params, answer):
        """
        Count, and break off.
        """
        self._left -= 1
        if not self._left:
            raise KeyboardInterrupt
        if name == "log_read" and any(one["type"] == "todo/write" for one in answer["events"]):
            return super().changed(name, params, answer)
        return answer


class Agreeing(_Changed):
    """
    Takes every list, whatever is in it.
    """

    def changed(self, name, params, answer):
        """
        Turn each refusal into a success.
        """
        if name == "tools_call" and answer["done"] and answer["isError"]:
            return {"done": True, "isError": False, "text": f"Yes: {params['name']}"}
        return answer
