"""One renderer per block kind of the transcript, in the module of the kind's name.

May import: ``view``, ``tui``'s lines, markdown, displays. Must not: hold state, know widgets.
"""
