"""
Known failures: what an implementation is known not to do, and why that may stay so for now.

`entries` reads the file, `coverage` holds it against the contract, `ledger` keeps expected against
seen while a run goes, `rewrite` and `update` shorten and extend the file.
"""
