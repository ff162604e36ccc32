"""Runs inside the sandbox, in place of the command: opens the way to our proxy, then becomes the command.

The socket it listens on belongs to the sandbox's own network, where nobody else is. It is handed out to us, who answer
on it from outside. So nothing of ours stays running inside.

This file's text is handed to an interpreter with ``-c``: it needs nothing but the standard library.
"""

from __future__ import annotations

import os
import socket
import sys


def main(handle: int, port: int, command: list[str]) -> None:
    """Listen on loopback, hand the socket out through ``handle``, become ``command``."""
    with socket.socket(fileno=handle) as outside, socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(64)
        socket.send_fds(outside, [b"."], [listener.fileno()])
    os.execv(command[0], command)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
