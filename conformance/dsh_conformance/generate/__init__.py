"""
Generated cases: scripts in the words of the scenarios, drawn by Hypothesis, played on two sides.

`stage` and the machines (`todo`, `tasks`, `tree`, `fold`) draw programs; `side` plays one on an
adapter; `trial` holds two sides and the laws (`laws_*`) against each other; `shrink` makes a
failing program short; `search` repeats that within a budget; `export` writes what was found.
"""
