"""Layer 2: the world behind the ports: files, processes, search.

May import: ``protocol``, ``settings``. Must not: know tools, permissions or the model.
"""
