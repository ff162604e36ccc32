"""Layer 5: a session ready to be talked to: wiring, serving it over a link, its slash commands.

May import: everything below. Must not: know a front end.
"""
