"""
The protocol: its messages and schemas, the typed interface, and the two ways to reach an adapter.
"""
