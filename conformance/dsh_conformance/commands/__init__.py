"""
The commands of the command line, one module each.

At their top they import click alone; what a command needs is imported when it runs.
"""

EXIT_STATUSES = """
Exit status: 0 conformant, 1 something failed, 2 bad usage or the adapter never came up,
3 nothing failed but something stayed unverified.
"""
