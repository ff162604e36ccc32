from __future__ import annotations

import pytest

from agent_tui import __version__
from agent_tui.model.endpoint import OFFICIAL_URL, Endpoint, custom_headers
from agent_tui.settings.schema import KeyHeader
from tests.model.asking import KEY, environment


@pytest.mark.parametrize(
    ("url", "key_header", "bearer", "plain"),
    [
        (OFFICIAL_URL, None, True, False),
        ("", None, True, False),
        ("https://API.anthropic.com/", None, True, False),
        (OFFICIAL_URL, "x-api-key", False, True),
        (OFFICIAL_URL, "both", True, True),
        ("http://gateway.test", None, True, True),
        ("http://gateway.test", "bearer", True, False),
        ("http://gateway.test", "x-api-key", False, True),
        ("https://api.anthropic.com.evil.test", None, True, True),
    ],
)
def test_how_the_key_goes_out(
    url: str, key_header: KeyHeader | None, bearer: bool, plain: bool
) -> None:
    endpoint = Endpoint.of(url, KEY, environment(), key_header)
    assert (endpoint.bearer, endpoint.plain_key) == (bearer, plain)


def test_an_older_version_may_be_tried_only_elsewhere_and_only_when_none_is_set() -> None:
    env = environment()
    assert Endpoint.of("http://gateway.test", KEY, env).version_open
    assert not Endpoint.of("http://gateway.test", KEY, env, version="2023-06-01").version_open
    assert not Endpoint.of(OFFICIAL_URL, KEY, env).version_open


@pytest.mark.parametrize(
    ("url", "key", "words", "kind"),
    [
        ("ftp://a.test", KEY, "no http or https address", "invalid_request"),
        ("http://[::1", KEY, "no http or https address", "invalid_request"),
        ("http://a.test", "", "no API key", "authentication_failed"),
        ("http://a.test", "  ", "no API key", "authentication_failed"),
        ("http://a.test", "sk-ké", "copy it again", "authentication_failed"),
        ("http://a.test", "sk a\nb", "copy it again", "authentication_failed"),
    ],
)
def test_what_makes_an_endpoint_unusable(url: str, key: str, words: str, kind: str) -> None:
    fault = Endpoint.of(url, key, environment()).fault
    assert fault is not None
    assert words in fault[0] and fault[1] == kind


def test_blanks_around_a_key_and_an_address_do_no_harm() -> None:
    endpoint = Endpoint.of(" http://a.test \n", f" {KEY}\n", environment())
    assert (endpoint.fault, endpoint.api_key, endpoint.base_url) == (None, KEY, "http://a.test")


def test_neither_its_name_nor_its_repr_holds_a_secret() -> None:
    env = environment(
        HTTPS_PROXY="http://me:pa55word@proxy.test:3128", ANTHROPIC_CUSTOM_HEADERS="X: h1dden"
    )
    endpoint = Endpoint.of("https://u:gatepass@gateway.test/x", KEY, env)
    assert endpoint.name == "https://gateway.test/x (through the proxy http://proxy.test:3128)"
    assert not any(word in repr(endpoint) for word in (KEY, "pa55word", "gatepass", "h1dden"))
    said = endpoint.clean(f"{KEY} pa55word gatepass")
    assert said == "*** *** ***"


def test_a_proxy_not_used_is_not_named() -> None:
    env = environment(HTTPS_PROXY="http://proxy.test:3128", NO_PROXY="gateway.test")
    assert Endpoint.of("https://gateway.test", KEY, env).name == "https://gateway.test"


def test_further_headers_come_from_the_environment() -> None:
    env = environment(
        ANTHROPIC_CUSTOM_HEADERS="X-Team: blue\nX-Url: http://a:1\nnonsense\n: empty",
        ANTHROPIC_BETAS=" one-2026-01-01, two-2026-01-01,",
    )
    assert custom_headers(env) == (
        ("anthropic-beta", "one-2026-01-01,two-2026-01-01"),
        ("X-Team", "blue"),
        ("X-Url", "http://a:1"),
    )
    assert custom_headers(environment()) == ()


def test_betas_of_all_places_make_one_header() -> None:
    env = environment(
        ANTHROPIC_CUSTOM_HEADERS="Anthropic-Beta: c, a\nX-Team: blue", ANTHROPIC_BETAS="b"
    )
    assert custom_headers(env, ("a",)) == (("anthropic-beta", "a,b,c"), ("X-Team", "blue"))


@pytest.mark.parametrize(
    ("app", "headers"),
    [
        (None, ()),
        (" ", ()),
        ("mine/1.0", (("user-agent", f"agent-tui/{__version__} (client-app/mine/1.0)"),)),
        ("a\n(b)é", (("user-agent", f"agent-tui/{__version__} (client-app/ab)"),)),
    ],
)
def test_a_program_is_named_in_the_user_agent(
    app: str | None, headers: tuple[tuple[str, str], ...]
) -> None:
    endpoint = Endpoint.of("http://a.test", KEY, environment(), client_app=app)
    assert endpoint.custom_headers == headers
