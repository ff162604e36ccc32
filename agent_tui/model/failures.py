"""What went wrong with one try, as a value: the words for the person, and whether trying again can help.

Pure. What an exception of the HTTP package means is ``transport.py``'s knowledge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from agent_tui.model.endpoint import Endpoint
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import ModelError

Again: TypeAlias = Literal["never", "later", "stalled", "thought"]
"""Whether to try again: not at all; with growing waits; once, because a stall costs minutes; or at once, twice at
most, because only thinking had been finished when the stream broke."""

RETRIED = frozenset({408, 409, 429})
"""Client errors that may pass; every status from 500 on may too."""

UNAVAILABLE = 503

FINAL = frozenset({401, 403})
"""Never retried, whatever the server's headers say: a key doesn't become right by waiting."""

_KINDS: Mapping[str, str] = {
    "authentication_error": "authentication_failed",
    "permission_error": "authentication_failed",
    "billing_error": "billing_error",
    "rate_limit_error": "rate_limit",
    "overloaded_error": "overloaded",
    "not_found_error": "model_not_found",
    "invalid_request_error": "invalid_request",
    "request_too_large": "invalid_request",
    "api_error": "server_error",
    "timeout_error": "server_error",
    "conflict_error": "server_error",
}
_STATUS_TYPES: Mapping[int, str] = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    408: "timeout_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}
_TYPE_STATUSES = {type_: status for status, type_ in _STATUS_TYPES.items()} | {
    "invalid_request_error": 400,
    "not_found_error": 404,
    "timeout_error": 504,
}
_PASSING = frozenset(
    {"overloaded_error", "rate_limit_error", "api_error", "timeout_error", "conflict_error"}
)
_TOO_LONG = re.compile(r"prompt is too long|exceeds? (the )?context (limit|window)", re.IGNORECASE)
_PICTURE = re.compile(
    r"image.*(exceed|dimension|too (large|big|many)|could not|size)|could not process image",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Failure:
    """One try that failed; fields as in ``ModelError``.

    ``wait_s`` is what the server asked us to wait, in seconds. ``about_version`` marks a refusal of the API version.
    """

    text: str
    kind: str = "unknown"
    status: int | None = None
    again: Again = "never"
    wait_s: float | None = None
    request_id: str | None = None
    prompt_too_long: bool = False
    request_too_large: bool = False
    after_blocks: int = 0
    about_version: bool = False

    @property
    def overloaded(self) -> bool:
        """Whether the model can't answer for now, through no fault of the request."""
        return self.kind == "overloaded" or self.status == UNAVAILABLE

    def error(self, more: str = "") -> ModelError:
        """Give the exception for the caller of the model; ``more`` is added to its text."""
        return ModelError(
            f"{self.text} {more}".strip(),
            status=self.status,
            kind=self.kind,
            request_id=self.request_id,
            prompt_too_long=self.prompt_too_long,
            request_too_large=self.request_too_large,
            after_blocks=self.after_blocks,
        )


def refused(
    status: int, headers: Mapping[str, str], body: object, endpoint: Endpoint, wait_s: float | None
) -> Failure:
    """Say what a response other than 2xx means.

    Args:
        status: the HTTP status.
        headers: the response's, any case of name found by the mapping itself.
        body: its parsed JSON, or its text.
        endpoint: where it came from.
        wait_s: what the headers ask us to wait.
    """
    error = error_of(body)
    type_ = str((error or {}).get("type") or _STATUS_TYPES.get(status, ""))
    said = endpoint.clean(str((error or {}).get("message") or "")).strip()
    version = status == 400 and "anthropic-version" in said
    text = _first_sentence(status, type_, said, body, error is not None, endpoint, headers)
    hint = _hint(status, said, version, endpoint)
    return Failure(
        text=f"{text} {hint}".strip(),
        kind=_kind(status, type_, said, api_error=error is not None),
        status=status,
        again="later" if _worth_retrying(status, headers.get("x-should-retry")) else "never",
        wait_s=wait_s,
        request_id=headers.get("request-id") or _request_id(body),
        prompt_too_long=status == 400 and bool(_TOO_LONG.search(said)),
        request_too_large=_is_too_large(status, type_, said),
        about_version=version,
    )


def error_in_text(text: str) -> JsonObject | None:
    """Give the ``error`` object in a body that should have been a stream, None if it is no API error."""
    try:
        return error_of(json.loads(text))
    except (ValueError, RecursionError):
        return None


def told(error: JsonObject, endpoint: Endpoint, request_id: str | None) -> Failure:
    """Say what an ``error`` event in a stream means.

    The status was 200 and says nothing: the failure carries the one that belongs to the error.
    """
    type_ = str(error.get("type") or "")
    said = endpoint.clean(str(error.get("message") or type_ or "no reason given"))
    return Failure(
        text=f"{_subject(type_)}: {said.rstrip('.')}.",
        kind=_KINDS.get(type_, "server_error"),
        status=_TYPE_STATUSES.get(type_, 500),
        again="later" if type_ in _PASSING or type_ not in _KINDS else "never",
        request_id=request_id,
        prompt_too_long=bool(_TOO_LONG.search(said)),
        request_too_large=_is_too_large(None, type_, said),
    )


def error_of(body: object) -> JsonObject | None:
    """Give the ``error`` object of an API error's body, None where the body is something else."""
    error: Any = cast("JsonObject", body).get("error") if isinstance(body, dict) else None
    if isinstance(error, str):
        return {"message": error}
    return cast("JsonObject", error) if isinstance(error, dict) else None


def excerpt(text: str, limit: int = 160) -> str:
    """Give the beginning of a foreign body as one quotable line, tags left out."""
    bare = re.sub(
        r"<(script|style)\b.*?(</\1>|$)|<[^>]*>", " ", text, flags=re.DOTALL | re.IGNORECASE
    )
    line = " ".join("".join(c if c.isprintable() else " " for c in bare).split())
    return line if len(line) <= limit else f"{line[:limit]}…"


def _first_sentence(
    status: int,
    type_: str,
    said: str,
    body: object,
    api_error: bool,
    endpoint: Endpoint,
    headers: Mapping[str, str],
) -> str:
    if 300 <= status < 400:
        where = endpoint.clean(headers.get("location", "another address"))
        return f"{endpoint.name} answers with a redirect to {where}; set the base URL to the final address."
    if api_error:
        return (
            f"{_subject(type_, status)}: {said or 'no reason given'}".rstrip(".")
            + f" (HTTP {status})."
        )
    found = excerpt(endpoint.clean(str(body or "")))
    quote = f': "{found}"' if found else ""
    return f"{endpoint.name} answered HTTP {status} without an API error{quote}."


def _subject(type_: str, status: int | None = None) -> str:
    match _KINDS.get(type_, "server_error" if status is None or status >= 500 else ""):
        case "authentication_failed":
            return "The key was refused"
        case "billing_error":
            return "The account can't pay for the request"
        case "rate_limit":
            return "The rate limit is reached"
        case "overloaded":
            return "The API is overloaded"
        case "server_error":
            return "The API failed"
        case _:
            return "The API refused the request"


def _hint(status: int, said: str, version: bool, endpoint: Endpoint) -> str:
    if version:
        return "Set anthropicVersion in the settings to a version that the server takes."
    if status == 401 or (
        status in (400, 403) and re.search(r"api.?key|authorization", said, re.IGNORECASE)
    ):
        if endpoint.official:
            return "Check the key."
        return (
            "Check the key; if it is right, the server may look for it elsewhere: "
            "set apiKeyHeader in the settings to x-api-key or bearer."
        )
    if status == 404 and not re.search(r"\bmodel\b", said):
        return f"Check the base URL ({endpoint.name}): paths such as /v1/messages are added to it."
    return ""


def _kind(status: int, type_: str, said: str, *, api_error: bool) -> str:
    if "credit balance" in said.lower():
        return "billing_error"
    if status == 404:
        return "model_not_found" if api_error and "model" in said else "invalid_request"
    if type_ in _KINDS:
        return _KINDS[type_]
    if status >= 500:
        return "server_error"
    return "invalid_request" if status >= 400 else "unknown"


def _worth_retrying(status: int, asked: str | None) -> bool:
    if status in FINAL:
        return False
    if asked in ("true", "false"):
        return asked == "true"
    return status in RETRIED or status >= 500


def _is_too_large(status: int | None, type_: str, said: str) -> bool:
    return status == 413 or type_ == "request_too_large" or bool(_PICTURE.search(said))


def _request_id(body: object) -> str | None:
    found: Any = cast("JsonObject", body).get("request_id") if isinstance(body, dict) else None
    return found if isinstance(found, str) else None
