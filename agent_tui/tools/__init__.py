"""Layer 2: what the model can do. A tool declares what it touches and how it looks; it reaches the world by ports.

May import: ``protocol``, ``settings``. Must not: know permissions, the machine, the loop or a front end.
"""
