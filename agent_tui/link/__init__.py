"""Layer 5: how a front end reaches a session: in this process, or in a process of its own.

May import: ``protocol``, ``settings``; the engine by one door only. Must not: know a front end.
"""
