"""
The conformance suite: contract, scenarios, adapters, runner and reports.
"""

__version__ = "0.1.0"
