"""agent-tui: an interactive coding agent for the terminal, and the library under it.

May import: nothing at import time. Must not: pull in a front end, the engine or a heavy package.
"""

__version__ = "0.1.0"
