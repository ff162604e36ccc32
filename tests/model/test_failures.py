from __future__ import annotations

from typing import Any

import pytest

from agent_tui.model.endpoint import OFFICIAL_URL, Endpoint
from agent_tui.model.failures import Failure, error_in_text, excerpt, refused, told
from tests.model.asking import KEY, environment

GATEWAY = Endpoint.of("http://gateway.test:8080/api", KEY, environment())
OFFICIAL = Endpoint.of(OFFICIAL_URL, KEY, environment())


def failure(
    status: int, type_: str = "", message: str = "no", endpoint: Endpoint = GATEWAY, **headers: str
) -> Failure:
    body = {"type": "error", "error": {"type": type_, "message": message}, "request_id": "req_b"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return refused(status, named, body, endpoint, None)


@pytest.mark.parametrize(
    ("status", "type_", "kind", "again"),
    [
        (400, "invalid_request_error", "invalid_request", "never"),
        (401, "authentication_error", "authentication_failed", "never"),
        (402, "billing_error", "billing_error", "never"),
        (403, "permission_error", "authentication_failed", "never"),
        (408, "", "server_error", "later"),
        (409, "conflict_error", "server_error", "later"),
        (412, "", "invalid_request", "never"),
        (413, "request_too_large", "invalid_request", "never"),
        (422, "invalid_request_error", "invalid_request", "never"),
        (429, "rate_limit_error", "rate_limit", "later"),
        (500, "api_error", "server_error", "later"),
        (502, "", "server_error", "later"),
        (503, "overloaded_error", "overloaded", "later"),
        (504, "timeout_error", "server_error", "later"),
        (529, "overloaded_error", "overloaded", "later"),
        (529, "", "overloaded", "later"),
        (418, "some_new_error", "invalid_request", "never"),
    ],
)
def test_what_a_status_means(status: int, type_: str, kind: str, again: str) -> None:
    found = failure(status, type_)
    assert (found.kind, found.again, found.status) == (kind, again, status)
    assert f"HTTP {status}" in found.text


def test_a_model_that_does_not_exist_is_told_from_a_wrong_address() -> None:
    found = failure(404, "not_found_error", "model: claude-nope")
    assert found.kind == "model_not_found"
    assert "claude-nope" in found.text and "base URL" not in found.text
    wrong = refused(404, {}, "404 page not found", GATEWAY, None)
    assert wrong.kind == "invalid_request"
    assert "base URL" in wrong.text and "http://gateway.test:8080/api" in wrong.text


@pytest.mark.parametrize(
    ("status", "header", "again"),
    [
        (400, "true", "later"),
        (529, "false", "never"),
        (401, "true", "never"),
        (403, "true", "never"),
    ],
)
def test_the_server_may_say_whether_to_retry_but_not_for_a_bad_key(
    status: int, header: str, again: str
) -> None:
    assert failure(status, x_should_retry=header).again == again


@pytest.mark.parametrize(
    "message",
    [
        "prompt is too long: 210000 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 1 + 2 > 3",
    ],
)
def test_a_prompt_that_does_not_fit_is_marked(message: str) -> None:
    assert failure(400, "invalid_request_error", message).prompt_too_long
    assert told(
        {"type": "invalid_request_error", "message": message}, GATEWAY, None
    ).prompt_too_long


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (413, "Request exceeds the maximum size"),
        (400, "messages.0.content.1.image.source.base64: image exceeds 10 MB maximum: 5 bytes > 4"),
        (400, "At least one of the image dimensions exceed max allowed size: 8000 pixels"),
        (400, "Could not process image"),
    ],
)
def test_a_request_too_large_is_marked(status: int, message: str) -> None:
    found = failure(status, "invalid_request_error", message)
    assert found.request_too_large and not found.prompt_too_long


def test_other_bad_requests_are_not_marked() -> None:
    found = failure(400, "invalid_request_error", "messages.1: tool_use ids must be unique")
    assert not found.request_too_large and not found.prompt_too_long and not found.about_version


def test_an_empty_account_is_a_matter_of_billing_whatever_the_status() -> None:
    found = failure(400, "invalid_request_error", "Your credit balance is too low to go on.")
    assert (found.kind, found.again) == ("billing_error", "never")


def test_a_refused_key_names_the_setting_for_the_header_where_that_may_help() -> None:
    assert "apiKeyHeader" in failure(401, "authentication_error", "invalid x-api-key").text
    assert "apiKeyHeader" in failure(400, "", "x-api-key header is required").text
    official = failure(401, "authentication_error", "invalid x-api-key", OFFICIAL)
    assert "apiKeyHeader" not in official.text and "Check the key" in official.text


def test_a_refused_version_names_its_setting() -> None:
    found = failure(400, "invalid_request_error", 'anthropic-version: "2026-10-21" is not valid')
    assert found.about_version and "anthropicVersion" in found.text


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_says_where_to(status: int) -> None:
    found = refused(status, {"location": "https://other.test/"}, "", GATEWAY, None)
    assert "https://other.test/" in found.text and found.again == "never"


def test_a_page_instead_of_an_error_is_quoted_without_its_tags() -> None:
    page = "<html><head><style>p {}</style></head><body><h1>502  Bad\nGateway</h1></body></html>"
    found = refused(502, {}, page, GATEWAY, None)
    assert '"502 Bad Gateway"' in found.text and "gateway.test" in found.text
    assert found.again == "later"


def test_no_secret_gets_into_a_text() -> None:
    env = environment(HTTPS_PROXY="http://me:pa%24%24word@proxy.test:3128")
    endpoint = Endpoint.of("https://user:secret@gateway.test", KEY, env)
    said = f"key {KEY} and secret, pa%24%24word, pa$$word"
    for found in (
        refused(400, {}, {"error": {"message": said}}, endpoint, None),
        refused(502, {"location": said}, said, endpoint, None),
        told({"type": "api_error", "message": said}, endpoint, None),
    ):
        for secret in (KEY, "secret", "pa%24%24word", "pa$$word"):
            assert secret not in found.text
        assert "***" in found.text


@pytest.mark.parametrize(
    ("type_", "kind", "again", "status"),
    [
        ("overloaded_error", "overloaded", "later", 529),
        ("rate_limit_error", "rate_limit", "later", 429),
        ("api_error", "server_error", "later", 500),
        ("timeout_error", "server_error", "later", 504),
        ("a_new_error", "server_error", "later", 500),
        ("", "server_error", "later", 500),
        ("invalid_request_error", "invalid_request", "never", 400),
        ("authentication_error", "authentication_failed", "never", 401),
        ("request_too_large", "invalid_request", "never", 413),
    ],
)
def test_what_an_error_event_means(type_: str, kind: str, again: str, status: int) -> None:
    found = told({"type": type_, "message": "Because."}, GATEWAY, "req_1")
    assert (found.kind, found.again, found.status) == (kind, again, status)
    assert found.text.endswith(": Because.") and found.request_id == "req_1"


def test_the_request_id_is_in_the_header_or_in_the_body() -> None:
    assert failure(500, request_id="req_h").request_id == "req_h"
    assert failure(500).request_id == "req_b"


def test_the_exception_carries_what_the_failure_knows() -> None:
    found = Failure("It failed.", "overloaded", 529, request_id="r", after_blocks=2)
    error = found.error("Tried 3 times.")
    assert str(error) == "It failed. Tried 3 times."
    assert (error.status, error.kind, error.request_id) == (529, "overloaded", "r")
    assert (error.after_blocks, error.prompt_too_long, error.request_too_large) == (2, False, False)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{"type": "error", "error": {"type": "x"}}', {"type": "x"}),
        ('{"error": "boom"}', {"message": "boom"}),
        ('{"type": "message"}', None),
        ("[1]", None),
        ("<html>", None),
        ("", None),
    ],
)
def test_an_error_is_found_in_a_body(text: str, error: Any) -> None:
    assert error_in_text(text) == error


def test_an_excerpt_is_one_short_line() -> None:
    assert excerpt("a\x1b[31m\n\nb\u200b") == "a [31m b"
    assert len(excerpt("x" * 1000)) == 161
