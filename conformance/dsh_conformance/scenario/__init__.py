"""
Scenarios: `fixtures/` read, checked and played; `docs/scenarios.md` describes the format.
"""
