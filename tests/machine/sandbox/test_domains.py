"""Hosts: the same patterns cover the same hosts as in rules for WebFetch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.machine.sandbox.bounds import Network
from agent_tui.machine.sandbox.domains import allows, is_local, may_be_local
from agent_tui.permissions.match import rule_covers_host

LABELS = st.text("ab1-", min_size=1, max_size=3)
HOSTS = st.lists(LABELS, min_size=1, max_size=4).map(".".join)
PATTERNS = st.lists(LABELS | st.just("*") | st.just("a*"), min_size=1, max_size=4).map(".".join)


@pytest.mark.parametrize(
    ("pattern", "host", "fits"),
    [
        ("example.com", "EXAMPLE.com.", True),
        ("example.com", "www.example.com", False),
        ("*.example.com", "a.b.example.com", True),
        ("*.example.com", "example.com", False),
        ("*.example.com", "badexample.com", False),
        ("*", "anything", True),
        ("api-*.example.com", "api-1.example.com", True),
        ("api-*.example.com", "api-1.x.example.com", False),
        ("[::1]", "::1", True),
        ("exam.le", "example", False),
        ("example.com", "\uff45xample.com", False),
        ("*", "exa mple", False),
    ],
)
def test_a_pattern_fits(pattern: str, host: str, fits: bool) -> None:
    assert allows(Network((pattern,)), host) is fits
    assert not (fits and allows(Network(("*",), (pattern,)), host))


@given(PATTERNS, HOSTS)
def test_it_is_the_language_of_the_rules(pattern: str, host: str) -> None:
    covered = rule_covers_host(f"domain:{pattern}", f"https://{host}/", strict=False)
    assert allows(Network((pattern,)), host) is covered


def test_only_a_host_that_is_named_itself_may_be_this_machine() -> None:
    assert may_be_local(Network(("localhost", "*")), "LOCALHOST")
    assert not may_be_local(Network(("*", "*.example.com")), "a.example.com")


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("0.0.0.0", True),
        ("169.254.169.254", True),
        ("fe80::1%eth0", True),
        ("10.0.0.1", False),
        ("192.0.2.1", False),
        ("2001:db8::1", False),
    ],
)
def test_addresses_of_this_machine_and_its_link(address: str, local: bool) -> None:
    assert is_local(address) is local
