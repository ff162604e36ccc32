"""Layer 4: what a person is to be shown, as a fold of the messages: blocks, status, completion state.

May import: ``protocol``. Must not: know colours, widths, widgets, sessions or the loop.
"""
