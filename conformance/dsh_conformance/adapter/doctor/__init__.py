"""
The doctor: looks at an adapter alone, before any verdict on what it drives.

Small probes each try one thing that the protocol promises. They ask only for the simplest case of
it: what the implementation gets wrong beyond that is for a run to find, not for the doctor.
"""
