"""Layer 6: a session as plain lines, for screen readers, braille displays and terminals that can't be drawn on.

May import: ``protocol``, ``settings``, ``view``, ``link``; ``prompt_toolkit``. Must not: import the engine or another front
end, change what it has written.
"""
