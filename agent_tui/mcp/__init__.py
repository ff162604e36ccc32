"""Layer 3: MCP servers and their tools.

May import: ``protocol``, ``settings``, ``machine``, ``tools``. Must not: know sessions, permissions or a screen; load
the package ``mcp`` before there is a server to talk to (the door is in ``connection``).
"""
