"""
The reference with a few faults, and with texts that would do harm where they are not shown as text.
"""

from __future__ import annotations

from typing import Any

from dsh_reference.adapter import Adapter

# Markup, a link that runs, a terminal's colour, and a turn of the writing direction.
PLANTED = (
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    " [go](javascript:alert(1)) </script><!-- \x1b[31mred\x07 \u202eevil\u2066 `tick` ]]> \ud83d|"
)
NAME = "<b>planted</b>\u202e"


class Planted:
    """
    Rewords one error, forgets another, and raises in a third place.
    """

    raises = True

    def __init__(self) -> None:
        self._inner = Adapter()

    def __getattr__(self, name: str) -> Any:
        """
        Leave everything else to the reference.
        """
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._inner, name)

    def shutdown(self) -> None:
        """
        Leave with a remark.

        Raises:
            ValueError: Always.
        """
        raise ValueError(PLANTED)

    def initialize(self, **params: Any) -> Any:
        """
        Give a name that is markup and a home page that is a script.
        """
        result = self._inner.initialize(**params)
        said = {"name": NAME, "version": PLANTED, "homepage": "javascript:alert(1)"}
        return {**result, "implementation": {**result["implementation"], **said}}

    def tools_call(self, **params: Any) -> Any:
        """
        Refuse a duplicate in other words, accept two active items, fail on an empty content.
        """
        result = self._inner.tools_call(**params)
        if not result.get("isError"):
            return result
        if "duplicate" in result["text"]:
            return {**result, "text": f"{result['text']}{PLANTED}"}
        if "got 2" in result["text"]:
            return {"done": True, "isError": False, "text": PLANTED}
        if self.raises and "non-empty" in result["text"]:
            raise RuntimeError(PLANTED)
        return result


class Worded(Planted):
    """
    The same, but that it never raises.
    """

    raises = False
