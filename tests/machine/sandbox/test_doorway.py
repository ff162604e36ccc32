"""The doorway: hands its socket out, then is the command."""

from __future__ import annotations

import socket
import subprocess
import sys
from importlib import resources


def test_it_hands_its_socket_out_and_becomes_the_command() -> None:
    text = resources.files("agent_tui.machine.sandbox").joinpath("doorway.py").read_text("utf-8")
    ours, theirs = socket.socketpair()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with ours, theirs:
        handle = theirs.fileno()
        command = [
            sys.executable,
            "-I",
            "-S",
            "-c",
            text,
            str(handle),
            str(port),
            "/bin/sh",
            "-c",
            "echo $0; exit 3",
            "x",
        ]
        done = subprocess.run(
            command, pass_fds=(handle,), capture_output=True, check=False, timeout=30
        )
        assert (done.returncode, done.stdout, done.stderr) == (3, b"x\n", b"")
        data, handles, _, _ = socket.recv_fds(ours, 1, 1)
        assert data == b"."
        with socket.socket(fileno=handles[0]) as listener, socket.socket() as client:
            client.connect(("127.0.0.1", port))
            accepted, _ = listener.accept()
            with accepted:
                client.sendall(b"hi")
                assert accepted.recv(2) == b"hi"
