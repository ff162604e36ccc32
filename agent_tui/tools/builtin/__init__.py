"""The built-in tools, one file each with its prompt beside it; the folder is the list.

May import: ``tools.base``, ``protocol``. Must not: import one another.
"""
