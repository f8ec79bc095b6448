"""
What the system prompt says about background work.
"""

from __future__ import annotations

from dsh_reference.tasks.words import Words

_SECTION = "tool:{noun}s"
ORDER = 106

_GUIDANCE = (
    "Track every {background} id you start. You are notified in-session when a {noun} finishes"
    " — do not busy-poll or sleep on one; keep working on independent steps and do not duplicate"
    " a running {noun}'s work. Before giving a final answer, collect every still-relevant {noun}"
    " with {output} (set wait: true only when you are genuinely blocked on it), and {kill}"
    " {noun}s that stopped mattering."
)


def section(words: Words) -> str:
    """
    Return the name of the section.
    """
    return _SECTION.format(noun=words.noun)


def guidance(words: Words) -> str:
    """
    Return the paragraph in an edition's words.
    """
    return _GUIDANCE.format(
        background=words.background, noun=words.noun, output=words.output, kill=words.kill
    )
