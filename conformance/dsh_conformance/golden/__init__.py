"""
Recorded behaviour of the published tree plugin, as cases for any implementation.

`fixtures/tree/golden/` holds the record; here each vector becomes a scenario like any other. Where
a decision on the contract departs from the record, the scenario follows the decision: it accepts
the forms that are allowed (records 12 and 15), or ends before the point that is decided otherwise.
"""
