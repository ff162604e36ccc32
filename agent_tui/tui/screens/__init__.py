"""Whole screens: main, session picker, welcome, help. Only they send ops and ask queries.

May import: everything of ``tui`` but the app; ``link``'s base. Must not: wait in a handler.
"""
