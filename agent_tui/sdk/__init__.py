"""Layer 6: the names and behaviour of the Agent SDK, for programs: ``query``, the client, options, messages.

May import: ``protocol``, ``settings``, ``engine``, ``journal``, ``loop``. Must not: know another front end.
"""
