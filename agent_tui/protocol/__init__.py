"""Layer 0: the words every other layer speaks, as frozen plain data.

May import: the standard library. Must not: import any other package of ours, do I/O, hold state.
"""
