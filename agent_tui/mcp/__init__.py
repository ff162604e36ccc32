"""Layer 3: MCP servers and their tools.

May import: ``protocol``, ``settings``, ``tools``. Must not: know sessions, permissions or a screen.
"""
