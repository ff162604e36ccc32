"""Layer 2: kinds of sub-agents: the built-in ones, and those defined in files.

May import: ``protocol``, ``settings``. Must not: run one.
"""
