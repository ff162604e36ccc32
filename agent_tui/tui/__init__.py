"""Layer 6: the screen. Folds messages into a transcript and draws it; sends ops.

May import: ``protocol``, ``view``, ``settings``, ``link``, textual, rich. Must not: reach the loop, tools, model or
journal in any way but the link.
"""
