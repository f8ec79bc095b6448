"""
How much the generated cases find: the script behind `docs/power.md`.
"""
