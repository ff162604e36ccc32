"""Layer 2: the built-in demo: a scripted model behind a real HTTP server on loopback.

May import: ``protocol``, ``settings``. Must not: know the loop; it is reached by base URL like any server.
"""
