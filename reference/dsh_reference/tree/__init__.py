"""
The tree task flow: goals, tasks and steps, whose finished work is folded out of the context.

Pure: `model`, `plan` and `path` are the tree and what may be done with it, `texts`, `render` and
`schemas` its words, `fold` and `notice` what goes and what stands in for it, `cursors` and `panel`
what a screen shows. `store` and `codec` keep files. The rest carries this into a running host:
`replies` (tools), `command`, `folding`, `gate`, `auto_continue`, `presence`, put together by
`plugin`.
"""

from dsh_reference.tree.config import DEFAULTS
from dsh_reference.tree.origin import PLUGIN
from dsh_reference.tree.plugin import apply

name = PLUGIN
inject = ("tools", "systemPrompt", "agents")
defaults = DEFAULTS

__all__ = ["apply", "inject", "name"]
