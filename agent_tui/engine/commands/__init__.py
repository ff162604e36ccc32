"""Slash commands that act on the session, one file each; the folder is the list.

May import: what the engine may. Must not: import one another.
"""
