"""Signs of the sandbox in what a command printed."""

from __future__ import annotations

import pytest

from agent_tui.machine.sandbox.violations import Blocked, blocked


@pytest.mark.parametrize(
    ("output", "found"),
    [
        ("touch: cannot touch '/usr/x': Read-only file system", Blocked(files=True)),
        ("PermissionError: [Errno 13]", Blocked(files=True)),
        ("npm ERR! code EROFS", Blocked(files=True)),
        ("curl: (6) Could not resolve host: example.com", Blocked(network=True)),
        ("fatal: unable to access 'https://example.com/': x", Blocked(network=True)),
        ("getaddrinfo EAI_AGAIN registry.npmjs.org", Blocked(network=True)),
        ("EROFS\nENETUNREACH", Blocked(files=True, network=True)),
        ("3 tests failed\nTEACCESS", Blocked()),
    ],
)
def test_signs_are_seen(output: str, found: Blocked) -> None:
    assert blocked("make", output, {}) == found
    assert bool(found) is (found != Blocked())


def test_what_is_expected_of_a_command_is_no_sign() -> None:
    ignored = {"make": ("/usr/x",), "*": ("harmless",)}
    output = "'/usr/x': Read-only file system\nharmless: Permission denied"
    assert not blocked("make all", output, ignored)
    assert blocked("ninja", output, ignored)
