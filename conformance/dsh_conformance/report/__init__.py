"""
What people read of a run: one module a format, all fed by the same events.
"""
