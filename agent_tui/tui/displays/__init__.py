"""One renderer per display kind, in the module of the kind's name; what has none is drawn by ``unknown``.

May import: ``protocol``, ``view``, ``tui``'s lines, theme, glyphs, highlight. Must not: hold state, know widgets.
"""
