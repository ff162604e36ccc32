"""The panes of the main screen: widgets that live as long as the screen does.

May import: ``protocol``, ``view``, ``settings``, the rest of ``tui`` but screens and the app. Must not: send ops.
"""
