"""Shell commands fenced in: bubblewrap on Linux, seatbelt on macOS, behind the ``Sandbox`` port.

May import: what ``machine`` may. Must not: judge a call, know where settings stand, run a command without its fence.
"""
