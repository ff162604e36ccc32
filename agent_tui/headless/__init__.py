"""Layer 6: ``-p``: one prompt, printed as text, json or stream-json.

May import: ``protocol``, ``settings``, ``link``, ``engine``, ``view``. Must not: know another front end.
"""
