"""Slash commands that act on the screen only: one module each, named like the command.

A module has ``run(stage, argument)``, a docstring whose first line is the help text, perhaps ``ALIASES`` and
``ARGUMENT`` (how the argument is written in the help). May import: ``protocol``, ``view``, ``tui``'s theme. Must not:
import screens; all it may do is in ``Stage``.
"""
