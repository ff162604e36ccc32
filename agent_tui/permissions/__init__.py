"""Layer 2: may this call run? Rules, the shell line taken apart, one pure ``decide()``, grants.

May import: ``protocol``, ``settings``, tree-sitter (behind a door). Must not: know tools, ask anybody, run anything.
"""
