"""
The commands of the command line, one module each.

At their top they import click alone; what a command needs is imported when it runs.
"""
