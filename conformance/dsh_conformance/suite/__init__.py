"""
The pytest modules that run against an implementation: `pytest --pyargs dsh_conformance.suite`.
"""
