"""Layer 4: the engine. Model, tools, again; approvals, limits, compaction; the session that owns it all.

May import: everything below. Must not: know a screen, a link, a command line.
"""
