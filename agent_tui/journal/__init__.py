"""Layer 2: the record of a session: one append-only file, and the folds of it.

May import: ``protocol``, ``settings``. Must not: know the API client, the loop or a front end.
"""
