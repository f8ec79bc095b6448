"""
The contract as data: `spec/` read into frozen values.
"""
