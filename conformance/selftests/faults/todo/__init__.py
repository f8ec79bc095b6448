"""
Faults in todo lists.
"""

from faults.todo import arguments, contents, face, order, owner, projection, write

__all__ = ["arguments", "contents", "face", "order", "owner", "projection", "write"]
