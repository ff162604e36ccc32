"""Layer 5: how a front end reaches a session: in a process of its own.

May import: ``protocol``, ``settings``, of ``machine`` only what ends orphans. Must not: know the engine but by the
name of its module, or a front end.
"""
