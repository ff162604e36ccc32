"""Layer 2: hooks: shell commands from settings and callbacks of a program, at the documented moments.

May import: ``protocol``, ``settings``. Must not: know the loop that fires them.
"""
