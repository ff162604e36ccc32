from __future__ import annotations

import pytest

from agent_tui.model.proxy import passwords, proxy_for, proxy_passwords, shown, split_url
from tests.model.asking import environment


@pytest.mark.parametrize(
    ("url", "variables", "proxy"),
    [
        ("https://a.test", {}, None),
        ("https://a.test", {"HTTPS_PROXY": "http://p:1"}, "http://p:1"),
        ("https://a.test", {"HTTPS_PROXY": "p:1"}, "http://p:1"),
        (
            "https://a.test",
            {"HTTPS_PROXY": "http://p:1", "https_proxy": "http://q:1"},
            "http://q:1",
        ),
        ("https://a.test", {"HTTP_PROXY": "http://p:1"}, None),
        ("http://a.test", {"HTTP_PROXY": "http://p:1"}, "http://p:1"),
        ("https://a.test", {"ALL_PROXY": "http://p:1"}, "http://p:1"),
        ("https://a.test", {"HTTPS_PROXY": "http://u:p@p:1"}, "http://u:p@p:1"),
    ],
)
def test_which_proxy_is_used(url: str, variables: dict[str, str], proxy: str | None) -> None:
    assert proxy_for(url, environment(**variables)) == proxy


@pytest.mark.parametrize(
    ("no_proxy", "url", "straight"),
    [
        ("*", "https://a.test", True),
        ("a.test", "https://a.test", True),
        ("a.test", "https://b.a.test", True),
        (".a.test", "https://b.a.test", True),
        ("*.a.test", "https://b.a.test", True),
        ("a.test", "https://ba.test", False),
        ("b.test, A.test", "https://a.TEST", True),
        ("b.test a.test", "https://a.test", True),
        ("a.test:8443", "https://a.test:8443", True),
        ("a.test:8443", "https://a.test", False),
        ("a.test:443", "https://a.test", True),
        ("10.0.0.1", "https://10.0.0.1:8080", True),
        ("10.0.0.1:81", "https://10.0.0.1:8080", False),
        ("10.0.0.0/8", "https://10.1.2.3", True),
        ("10.0.0.0/8", "https://11.1.2.3", False),
        ("[fd00::1]", "https://[fd00::1]:8080", True),
        ("fd00::/8", "https://[fd00::1]", True),
        ("", "https://a.test", False),
        (",", "https://a.test", False),
    ],
)
def test_no_proxy_keeps_the_straight_way(no_proxy: str, url: str, straight: bool) -> None:
    env = environment(HTTPS_PROXY="http://p:1", NO_PROXY=no_proxy)
    assert (proxy_for(url, env) is None) == straight


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.9.9.9:8080", "[::1]:1", "localhost", "a.localhost"]
)
def test_the_way_to_this_machine_is_straight(host: str) -> None:
    assert proxy_for(f"http://{host}", environment(ALL_PROXY="http://p:1")) is None


def test_passwords_are_found_as_written_and_decoded() -> None:
    assert passwords("http://me:p%40ss@p:1") == ["p%40ss", "p@ss"]
    assert passwords("http://p:1") == []
    env = environment(HTTPS_PROXY="me:one@p:1", all_proxy="http://x:two@q")
    assert proxy_passwords(env) == ["one", "one", "two", "two"]


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://me:secret@a.test:8/v/?token=secret", "https://a.test:8/v"),
        ("a.test:8", "http://a.test:8"),
        ("http://[::1", "an address that can't be read"),
    ],
)
def test_an_address_is_shown_without_secrets(url: str, text: str) -> None:
    assert shown(url) == text


@pytest.mark.parametrize(
    "url", ["", "http://", "http://[::1", "http://a:port", "http://a:99999", "http://a b"]
)
def test_what_is_no_address(url: str) -> None:
    assert split_url(url) is None
