"""
The least a harness needs to carry the three plugins.

Session log and surface, tool registry, agents and their steps, prompt sections, projections,
commands, and a virtual clock. No plugin is named here.
"""
