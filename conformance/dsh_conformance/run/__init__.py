"""
A run: which cases, one after another, and what they add up to.
"""
