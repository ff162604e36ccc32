"""Layer 6: sessions without a screen: ``-p`` prints one prompt's answer, a program drives one by lines of JSON.

May import: ``protocol``, ``settings``, ``link``, ``mcp``, ``loop``, ``engine``, ``view``. Must not: know another front end.
"""
