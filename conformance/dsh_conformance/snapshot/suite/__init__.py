"""
The test that `dsh-conformance snapshot` runs.
"""
