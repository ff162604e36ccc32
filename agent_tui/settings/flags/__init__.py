"""The command line: the options there are, which exclude one another, and ``Options`` made of them.

May import: what ``settings`` may. Must not: run anything, write to standard output or error, know an exit code.
"""
