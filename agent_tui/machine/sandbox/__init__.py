"""Shell commands fenced in: bubblewrap on Linux, seatbelt on macOS, behind the ``Sandbox`` port."""
