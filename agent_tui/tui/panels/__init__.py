"""What asks the person something: panels between the conversation and the editor.

May import: ``protocol``, ``view``, ``tui``'s panes, displays, lines. Must not: send ops; a panel posts its answer.
"""
