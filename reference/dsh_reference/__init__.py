"""
A minimal, complete implementation of the contract on a host of its own.

It knows nothing of the suite: the suite reaches it as any other implementation, through the adapter
protocol (`dsh_reference.adapter:Adapter`, or `python -m dsh_reference` over stdio).
"""
