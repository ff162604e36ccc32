"""Layer 1: what was asked for. Where files live, what the settings say and whence, the options of one run.

May import: ``protocol``, pydantic. Must not: reach the network, the loop or a front end; keep globals.
"""
