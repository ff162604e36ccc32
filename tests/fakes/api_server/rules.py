"""What the Messages API refuses, as a pure check of one request.

Nothing here opens a socket: `parse` turns the bytes of a body into JSON, `check` lists what is
wrong with a request and `enforce` raises the first finding as a `RefusedError` with the status, the
error type and a text like those of the real API.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NoReturn, cast

Json = dict[str, object]
"""A JSON object."""

TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
CALL_ID = re.compile(r"[a-zA-Z0-9_-]+")
MEGABYTE = 1024 * 1024
IMAGE_TYPES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# --- models -----------------------------------------------------------------------------------

_ALL_EFFORTS = frozenset({"low", "medium", "high", "xhigh", "max"})
_NO_XHIGH = _ALL_EFFORTS - {"xhigh"}


@dataclass(frozen=True)
class ModelFacts:
    """What a model accepts, as far as the request check and the cache need it.

    Attributes:
        id: The model's id on the wire.
        window: Context window in tokens.
        max_output: Largest `max_tokens`.
        thinking: Accepted values of `thinking.type`.
        efforts: Accepted values of `output_config.effort`; empty if the field is refused.
        default_effort: The effort used when none is given.
        disabled_efforts: Efforts at which `thinking: disabled` is accepted.
        forced_tools: Whether `tool_choice` may be `any` or `tool`.
        system_messages: Whether messages with the role `system` are accepted.
        prefill: Whether the last message may be the assistant's.
        bound: Whether thinking blocks are valid for this model only.
        display: Default of `thinking.display`.
        cache_minimum: Smallest prefix in tokens that is cached.
    """

    id: str
    window: int = 1_000_000
    max_output: int = 128_000
    thinking: frozenset[str] = frozenset({"adaptive", "disabled"})
    efforts: frozenset[str] = _ALL_EFFORTS
    default_effort: str = "high"
    disabled_efforts: frozenset[str] = _ALL_EFFORTS
    forced_tools: bool = True
    system_messages: bool = True
    prefill: bool = False
    bound: bool = False
    display: str = "omitted"
    cache_minimum: int = 1024

    @property
    def max_images(self) -> int:
        """Images and PDF pages accepted in one request."""
        return 600 if self.window > 200_000 else 100


_ADAPTIVE = frozenset({"adaptive"})
_MANUAL = frozenset({"enabled", "disabled"})
_UP_TO_HIGH = frozenset({"low", "medium", "high"})


def _older(name: str, *, efforts: frozenset[str], minimum: int) -> ModelFacts:
    return ModelFacts(
        name,
        window=200_000,
        max_output=64_000,
        thinking=_MANUAL,
        efforts=efforts,
        system_messages=False,
        prefill=True,
        display="summarized",
        cache_minimum=minimum,
    )


def _of_4_6(name: str, minimum: int) -> ModelFacts:
    return ModelFacts(
        name,
        thinking=_MANUAL | _ADAPTIVE,
        efforts=_NO_XHIGH,
        system_messages=False,
        display="summarized",
        cache_minimum=minimum,
    )


_TABLE = (
    ModelFacts("claude-fable-5-2", thinking=_ADAPTIVE, forced_tools=False, bound=True),
    ModelFacts(
        "claude-fable-5-1", thinking=_ADAPTIVE, forced_tools=False, bound=True, cache_minimum=512
    ),
    ModelFacts("claude-fable-5", thinking=_ADAPTIVE, cache_minimum=512),
    ModelFacts("claude-mythos-5-2", thinking=_ADAPTIVE),
    ModelFacts("claude-mythos-5-1", thinking=_ADAPTIVE),
    ModelFacts("claude-mythos-5", thinking=_ADAPTIVE, cache_minimum=512),
    ModelFacts("claude-mythos-preview", thinking=_ADAPTIVE | _MANUAL, cache_minimum=2048),
    ModelFacts(
        "claude-opus-5-5",
        thinking=_ADAPTIVE,
        default_effort="medium",
        forced_tools=False,
        bound=True,
    ),
    ModelFacts("claude-opus-5", disabled_efforts=_UP_TO_HIGH, cache_minimum=512),
    ModelFacts("claude-opus-4-8"),
    ModelFacts("claude-opus-4-7", system_messages=False, cache_minimum=2048),
    _of_4_6("claude-opus-4-6", 4096),
    _older("claude-opus-4-5", efforts=_UP_TO_HIGH, minimum=4096),
    ModelFacts(
        "claude-sonnet-5-5",
        thinking=frozenset({"adaptive", "between_tools"}),
        forced_tools=False,
        bound=True,
        cache_minimum=512,
    ),
    ModelFacts("claude-sonnet-5", system_messages=False),
    _of_4_6("claude-sonnet-4-6", 1024),
    _older("claude-sonnet-4-5", efforts=frozenset(), minimum=1024),
    ModelFacts("claude-haiku-5-5", default_effort="medium", disabled_efforts=_UP_TO_HIGH),
    _older("claude-haiku-4-5", efforts=frozenset(), minimum=4096),
)

MODELS: Mapping[str, ModelFacts] = {row.id: row for row in _TABLE}
"""The models known to the server, by id. Dated ids are found through their dateless form."""

# --- what is configurable ---------------------------------------------------------------------


@dataclass(frozen=True)
class Settings:
    """How strict the server is, and with which limits.

    Attributes:
        enforce: False accepts everything that is JSON.
        versions: Accepted values of `anthropic-version`.
        auth: Accepted ways to send the key: `x-api-key`, `bearer`.
        keys: Accepted keys; None accepts any key that is not empty.
        models: The models that exist; any other gives 404.
        window: Context window in tokens, instead of the model's own.
        max_body: Largest body in bytes.
        max_image: Largest image, in bytes of its base64 text.
        image_sides: Whether pixel sizes are checked where they can be read.
        allow_fields: Extra top-level fields that are let through.
        unknown_signatures: Whether thinking that this server never sent is let through.
        require_turn_thinking: Whether thinking sent with a tool call must come back while that
            call's turn goes on; otherwise it may also be left out as a whole.
        honour_display: Whether thinking is sent without text when its display is `omitted`.
    """

    enforce: bool = True
    versions: frozenset[str] = frozenset({"2023-06-01", "2026-10-21"})
    auth: frozenset[str] = frozenset({"x-api-key", "bearer"})
    keys: frozenset[str] | None = None
    models: Mapping[str, ModelFacts] = field(default_factory=lambda: dict(MODELS))
    window: int | None = None
    max_body: int = 32 * MEGABYTE
    max_image: int = 10 * MEGABYTE
    image_sides: bool = True
    allow_fields: frozenset[str] = frozenset()
    unknown_signatures: bool = False
    require_turn_thinking: bool = False
    honour_display: bool = True


def facts_of(model: object, settings: Settings | None = None) -> ModelFacts | None:
    """Finds a model by its id, with or without a date at its end."""
    known = MODELS if settings is None else settings.models
    if not isinstance(model, str):
        return None
    return known.get(model) or known.get(re.sub(r"-20\d{6}$", "", model))


@dataclass(frozen=True)
class SentThinking:
    """A thinking block that the server sent: its text and the model it came from."""

    text: str
    model: str | None = None


@dataclass
class Seen:
    """What the server remembers of its own replies.

    Attributes:
        thinking: Signature of each thinking block -> the block.
        redacted: Data of each redacted thinking block -> the model.
        turns: Tool call id -> signatures of the thinking in the same reply.
    """

    thinking: dict[str, SentThinking] = field(default_factory=dict[str, SentThinking])
    redacted: dict[str, str | None] = field(default_factory=dict[str, "str | None"])
    turns: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


class RefusedError(Exception):
    """A request that the API does not accept.

    Attributes:
        status: The HTTP status.
        kind: The value of `error.type`.
        message: The value of `error.message`.
    """

    def __init__(
        self, message: str, *, status: int = 400, kind: str = "invalid_request_error"
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.kind = kind


# --- JSON helpers -----------------------------------------------------------------------------


def as_object(value: object) -> Json | None:
    """Gives back the value if it is a JSON object."""
    return cast("Json", value) if isinstance(value, dict) else None


def as_list(value: object) -> list[object] | None:
    """Gives back the value if it is a JSON array."""
    return cast("list[object]", value) if isinstance(value, list) else None


def as_int(value: object) -> int | None:
    """Gives back the value if it is a JSON integer."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def objects(value: object) -> list[Json]:
    """The objects of a JSON array; empty if it is not an array."""
    return [one for one in map(as_object, as_list(value) or []) if one is not None]


def blocks_of(content: object) -> list[Json]:
    """The content blocks of a message, with a plain string as one text block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return objects(content)


def canonical(value: object) -> str:
    """Compact JSON text with the keys in the order in which they came."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _strings(value: object) -> Iterator[str]:
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, list):
            stack.extend(cast("list[object]", one))
        elif isinstance(one, dict):
            pairs = cast("Json", one)
            stack.extend(pairs.keys())
            stack.extend(pairs.values())


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def parse(raw: bytes) -> Json:
    """Reads the body of a request.

    Raises:
        RefusedError: It is not UTF-8, not JSON, has half a surrogate pair, or is not an object.
    """
    try:
        value: object = json.loads(raw.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise RefusedError(f"The request body is not valid JSON: {error}") from None
    for text in _strings(value):
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise RefusedError(
                "The request body is not valid JSON: no low surrogate in string: "
                f"character {error.start} of {ascii(text)[:60]}"
            ) from None
    body = as_object(value)
    if body is None:
        raise RefusedError("Input should be a valid dictionary or object")
    return body


# --- the check --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Context:
    body: Json
    headers: Mapping[str, str]
    seen: Seen | None
    settings: Settings
    counting: bool
    facts: ModelFacts

    @property
    def version(self) -> str:
        return self.headers.get("anthropic-version", "")

    @property
    def strict_version(self) -> bool:
        return self.version >= "2026-10-21"

    @property
    def betas(self) -> frozenset[str]:
        return betas_of(self.headers)

    @property
    def messages(self) -> list[Json]:
        return objects(self.body.get("messages"))


def betas_of(headers: Mapping[str, str]) -> frozenset[str]:
    """The names in the `anthropic-beta` header."""
    names = headers.get("anthropic-beta", "").split(",")
    return frozenset(name.strip() for name in names if name.strip())


def check(
    body: Json,
    headers: Mapping[str, str],
    *,
    seen_thinking: Seen | None = None,
    settings: Settings | None = None,
    counting: bool = False,
) -> list[str]:
    """Lists what is wrong with a request; an empty list means that it is accepted.

    The checks run in stages and end with the first stage that finds something, because the
    later ones rely on the shape that the earlier ones have made sure of.

    Args:
        body: The parsed body.
        headers: The request headers, names in lower case.
        seen_thinking: What the server has sent before; None skips the check of signatures.
        settings: Limits and strictness.
        counting: True for the token counting endpoint.
    """
    found = problems(
        body, headers, seen_thinking=seen_thinking, settings=settings, counting=counting
    )
    return [one.message for one in found]


def enforce(
    body: Json,
    headers: Mapping[str, str],
    *,
    seen_thinking: Seen | None = None,
    settings: Settings | None = None,
    counting: bool = False,
) -> None:
    """Raises the first thing that is wrong with a request; arguments as in `check`.

    Raises:
        RefusedError: The API would not accept the request.
    """
    for one in problems(
        body, headers, seen_thinking=seen_thinking, settings=settings, counting=counting
    ):
        raise one


def problems(
    body: Json,
    headers: Mapping[str, str],
    *,
    seen_thinking: Seen | None = None,
    settings: Settings | None = None,
    counting: bool = False,
) -> list[RefusedError]:
    """Like `check`, with status and error type of each finding."""
    rules = settings or Settings()
    if not rules.enforce:
        return []
    found = [*credentials(headers, rules)]
    if not found:
        found = [*_top_level(body, headers, rules, counting)]
    if found:
        return found
    facts = facts_of(body["model"], rules)
    if facts is None:
        name = str(body["model"])
        return [RefusedError(f"model: {name}", status=404, kind="not_found_error")]
    context = _Context(body, headers, seen_thinking, rules, counting, facts)
    for stage in _STAGES:
        found = [*stage(context)]
        if found:
            return found
    return []


def credentials(headers: Mapping[str, str], settings: Settings) -> Iterator[RefusedError]:
    """Checks the key and the API version, which every endpoint needs."""
    if not settings.enforce:
        return
    key = headers.get("x-api-key", "") if "x-api-key" in settings.auth else ""
    name = "x-api-key"
    bearer = headers.get("authorization", "")
    if not key and "bearer" in settings.auth and bearer.lower().startswith("bearer "):
        key, name = bearer[7:].strip(), "bearer token"
    if not key:
        wanted = " or ".join(sorted(settings.auth))
        yield RefusedError(f"{wanted} header is required", status=401, kind="authentication_error")
    elif settings.keys is not None and key not in settings.keys:
        yield RefusedError(f"invalid {name}", status=401, kind="authentication_error")
    version = headers.get("anthropic-version")
    if version is None:
        yield RefusedError("anthropic-version: header is required")
    elif version not in settings.versions:
        yield RefusedError(f'anthropic-version: "{version}" is not a valid version')


_FIELDS = _words(
    "model messages max_tokens system tools tool_choice thinking output_config stop_sequences "
    "stream metadata service_tier speed cache_control container inference_geo diagnostics "
    "user_profile_id workspace_id temperature top_p top_k"
)
_COUNT_FIELDS = _words(
    "model messages system tools tool_choice thinking output_config speed cache_control "
    "user_profile_id workspace_id"
)
_BETA_FIELDS: Mapping[str, tuple[str, ...]] = {
    "mcp_servers": ("mcp-client-",),
    "context_management": ("context-management-", "compact-"),
    "compaction": ("compact-2026-09-04",),
    "fallbacks": ("server-side-fallback-",),
    "fallback_credit_token": ("fallback-credit-",),
    "thread": ("message-threads-",),
}


def _has_beta(betas: Iterable[str], starts: tuple[str, ...]) -> bool:
    return any(name.startswith(starts) for name in betas)


def _top_level(
    body: Json, headers: Mapping[str, str], settings: Settings, counting: bool
) -> Iterator[RefusedError]:
    needed = ("model", "messages") if counting else ("model", "max_tokens", "messages")
    for name in needed:
        if name not in body:
            yield RefusedError(f"{name}: Field required")
    allowed = (_COUNT_FIELDS if counting else _FIELDS) | settings.allow_fields
    betas = betas_of(headers)
    for name in body:
        if name in allowed:
            continue
        starts = _BETA_FIELDS.get(name)
        if starts is None or not _has_beta(betas, starts):
            yield RefusedError(f"{name}: Extra inputs are not permitted")
    if not isinstance(body.get("model", ""), str):
        yield RefusedError("model: Input should be a valid string")
    elif body.get("model") == "":
        yield RefusedError("model: String should have at least 1 character")
    if as_list(body.get("messages", [])) is None:
        yield RefusedError("messages: Input should be a valid list")


def _one_of(name: str, value: object, choices: Iterable[str]) -> Iterator[RefusedError]:
    options = sorted(choices)
    if not isinstance(value, str) or value not in options:
        text = ", ".join(f"'{one}'" for one in options)
        yield RefusedError(f"{name}: Input should be {text}")


def _only(where: str, value: Json, allowed: Iterable[str]) -> Iterator[RefusedError]:
    known = frozenset(allowed)
    for name in value:
        if name not in known:
            yield RefusedError(f"{where}.{name}: Extra inputs are not permitted")


def _fields(context: _Context) -> Iterator[RefusedError]:
    body, facts = context.body, context.facts
    if not context.counting:
        limit = facts.max_output
        if _has_beta(context.betas, ("output-300k-",)):
            limit = max(limit, 300_000)
        tokens = as_int(body["max_tokens"])
        if tokens is None:
            yield RefusedError("max_tokens: Input should be a valid integer")
        elif tokens < 0:
            yield RefusedError("max_tokens: Input should be greater than or equal to 0")
        elif tokens > limit:
            yield RefusedError(
                f"max_tokens: {tokens} > {limit}, which is the maximum allowed number of output "
                f"tokens for {facts.id}"
            )
    if not isinstance(body.get("stream", False), bool):
        yield RefusedError("stream: Input should be a valid boolean")
    for name in ("temperature", "top_p", "top_k"):
        if name not in body:
            continue
        value = body[name]
        if context.strict_version:
            yield RefusedError(f"{name}: not supported by version {context.version}")
        elif isinstance(value, bool) or not isinstance(value, int | float):
            yield RefusedError(f"{name}: Input should be a valid number")
        elif name != "top_k" and not 0 <= value <= 1:
            yield RefusedError(f"{name}: range: 0..1")
    if "service_tier" in body:
        yield from _one_of("service_tier", body["service_tier"], ("auto", "standard_only"))
    if body.get("speed") is not None:
        yield from _one_of("speed", body["speed"], ("standard", "fast"))
        if not _has_beta(context.betas, ("fast-mode-",)):
            yield RefusedError("speed: needs the beta header fast-mode-2026-02-01")
    if "stop_sequences" in body:
        sequences = as_list(body["stop_sequences"])
        if sequences is None or not all(isinstance(one, str) for one in sequences):
            yield RefusedError("stop_sequences: Input should be a valid list of strings")
        elif any(not str(one).strip() for one in sequences):
            yield RefusedError("stop_sequences: each stop sequence must contain non-whitespace")
    if "metadata" in body:
        metadata = as_object(body["metadata"])
        if metadata is None:
            yield RefusedError("metadata: Input should be a valid dictionary")
        else:
            yield from _only("metadata", metadata, ("user_id",))
            user = metadata.get("user_id")
            if user is not None and not isinstance(user, str):
                yield RefusedError("metadata.user_id: Input should be a valid string")
            elif isinstance(user, str) and len(user) > 256:
                yield RefusedError("metadata.user_id: String should have at most 256 characters")
    yield from _system(context)


def _system(context: _Context) -> Iterator[RefusedError]:
    system = context.body.get("system")
    if system is None:
        if "system" in context.body:
            yield RefusedError("system: Input should be a valid list")
        return
    if isinstance(system, str):
        return
    blocks = as_list(system)
    if blocks is None:
        yield RefusedError("system: Input should be a valid list")
        return
    for index, one in enumerate(blocks):
        where = f"system.{index}"
        block = as_object(one)
        if block is None or block.get("type") != "text":
            yield RefusedError(f"{where}.type: Input should be 'text'")
            continue
        yield from _text_block(block, where, "system", context)


# --- tools ------------------------------------------------------------------------------------

_TOOL_FIELDS = _words(
    "name input_schema description type cache_control strict input_examples defer_loading "
    "eager_input_streaming allowed_callers"
)


def _tools(context: _Context) -> Iterator[RefusedError]:
    if "tools" not in context.body:
        return
    tools = as_list(context.body["tools"])
    if tools is None:
        yield RefusedError("tools: Input should be a valid list")
        return
    names: set[str] = set()
    for index, one in enumerate(tools):
        tool = as_object(one)
        if tool is None:
            yield RefusedError(f"tools.{index}: Input should be a valid dictionary")
            continue
        kind = tool.get("type", "custom")
        name = tool.get("name")
        if kind in (None, "custom"):
            yield from _custom_tool(tool, f"tools.{index}.custom")
        elif not isinstance(kind, str):
            yield RefusedError(f"tools.{index}.type: Input should be a valid string")
        if isinstance(name, str):
            if name in names:
                yield RefusedError("tools: Tool names must be unique.")
            names.add(name)
        if tool.get("defer_loading") is True and tool.get("cache_control") is not None:
            yield RefusedError(
                f"tools.{index}: cache_control cannot be set on a tool with defer_loading"
            )
    if tools and all((as_object(one) or {}).get("defer_loading") is True for one in tools):
        yield RefusedError("tools: At least one tool must not have defer_loading=true.")


def _references(context: _Context) -> Iterator[RefusedError]:
    """References to tools: to deferred ones of this request only."""
    deferred = {
        str(tool.get("name"))
        for tool in objects(context.body.get("tools"))
        if tool.get("defer_loading") is True
    }
    for where, block in walk(context.body):
        if block.get("type") == "tool_reference" and block.get("tool_name") not in deferred:
            yield RefusedError(
                f"{where}: Tool reference '{block.get('tool_name')}' not found in available tools"
            )


def _custom_tool(tool: Json, where: str) -> Iterator[RefusedError]:
    yield from _only(where, tool, _TOOL_FIELDS)
    name = tool.get("name")
    if "name" not in tool:
        yield RefusedError(f"{where}.name: Field required")
    elif not isinstance(name, str) or not TOOL_NAME.fullmatch(name):
        yield RefusedError(f"{where}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
    if not isinstance(tool.get("description", ""), str):
        yield RefusedError(f"{where}.description: Input should be a valid string")
    where += ".input_schema"
    if "input_schema" not in tool:
        yield RefusedError(f"{where}: Field required")
        return
    schema = as_object(tool["input_schema"])
    if schema is None:
        yield RefusedError(f"{where}: Input should be a valid dictionary")
        return
    if "type" not in schema:
        yield RefusedError(f"{where}.type: Field required")
    elif schema["type"] != "object":
        yield RefusedError(f"{where}.type: Input should be 'object'")
    if any(name in schema for name in ("anyOf", "oneOf", "allOf")):
        yield RefusedError(f"{where}: does not support oneOf, allOf, or anyOf at the top level")
    if schema.get("properties") is not None and as_object(schema["properties"]) is None:
        yield RefusedError(f"{where}.properties: Input should be a valid dictionary")
    required = schema.get("required")
    if required is not None:
        entries = as_list(required)
        if entries is None or not all(isinstance(one, str) for one in entries):
            yield RefusedError(f"{where}.required: Input should be a valid list of strings")


# --- messages: shape --------------------------------------------------------------------------

_BLOCK_FIELDS: Mapping[str, tuple[str, ...]] = {
    "text": ("type", "text", "cache_control", "citations"),
    "image": ("type", "source", "cache_control", "transformations"),
    "document": ("type", "source", "cache_control", "citations", "context", "title"),
    "search_result": ("type", "source", "title", "content", "cache_control", "citations"),
    "thinking": ("type", "thinking", "signature"),
    "redacted_thinking": ("type", "data"),
    "tool_use": ("type", "id", "name", "input", "cache_control", "caller", "toolset_name"),
    "tool_reference": ("type", "tool_name", "cache_control"),
    "tool_result": (
        "type",
        "tool_use_id",
        "content",
        "is_error",
        "cache_control",
        "toolset_name",
    ),
}
_USER_BLOCKS = _words("text image document search_result tool_result container_upload")
_SERVER_RESULTS = _words(
    "web_search_tool_result web_fetch_tool_result code_execution_tool_result "
    "bash_code_execution_tool_result text_editor_code_execution_tool_result "
    "tool_search_tool_result advisor_tool_result mcp_tool_result"
)
_SERVER_USES = frozenset({"server_tool_use", "mcp_tool_use"})
_ASSISTANT_BLOCKS = (
    _words(
        "text thinking redacted_thinking tool_use container_upload compaction fallback "
        "search_result"
    )
    | _SERVER_RESULTS
    | _SERVER_USES
)
_RESULT_BLOCKS = _words("text image search_result document tool_reference browser_state")
_TOOL_CHANGES = frozenset({"tool_addition", "tool_removal"})


def _messages(context: _Context) -> Iterator[RefusedError]:
    messages = as_list(context.body["messages"]) or []
    if not messages:
        yield RefusedError("messages: at least one message is required")
        return
    if len(messages) > 100_000:
        yield RefusedError("messages: List should have at most 100000 items")
        return
    for index, one in enumerate(messages):
        message = as_object(one)
        if message is None:
            yield RefusedError(f"messages.{index}: Input should be a valid dictionary")
            continue
        last = index == len(messages) - 1
        yield from _message(message, f"messages.{index}", last, context)
    first = as_object(messages[0])
    if first is not None and first.get("role") in ("assistant", "system"):
        yield RefusedError('messages: first message must use the "user" role')


def _message(message: Json, where: str, last: bool, context: _Context) -> Iterator[RefusedError]:
    role = message.get("role")
    if role not in ("user", "assistant", "system"):
        yield RefusedError(f"{where}.role: Input should be 'user' or 'assistant'")
        return
    allowed = {"role", "content"}
    if role == "system":
        if not context.facts.system_messages:
            yield RefusedError(
                f"{where}.role: messages with the role 'system' are not supported by "
                f"{context.facts.id}"
            )
        if _has_beta(context.betas, ("mid-conversation-system-clear-at-",)):
            allowed.add("clear_at")
        if _has_beta(context.betas, ("mid-conversation-output-config-",)):
            allowed.add("output_config")
    yield from _only(where, message, allowed)
    if "content" not in message:
        if not (role == "system" and message.get("output_config")):
            yield RefusedError(f"{where}.content: Field required")
        return
    content = message["content"]
    blocks = as_list(content)
    if not isinstance(content, str) and blocks is None:
        yield RefusedError(f"{where}.content: Input should be a valid string or list")
        return
    if not content:
        if not (role == "assistant" and last):
            yield RefusedError(
                f"{where}: all messages must have non-empty content except for the optional "
                "final assistant message"
            )
        return
    if isinstance(content, str):
        if not content.strip():
            yield RefusedError(f"{where}: text content blocks must contain non-whitespace text")
        return
    for index, one in enumerate(blocks or []):
        yield from _block(one, f"{where}.content.{index}", str(role), context)


def _block(one: object, where: str, role: str, context: _Context) -> Iterator[RefusedError]:
    block = as_object(one)
    if block is None:
        yield RefusedError(f"{where}: Input should be a valid dictionary")
        return
    kind = block.get("type")
    if not isinstance(kind, str):
        yield RefusedError(f"{where}.type: Field required")
        return
    if role == "user":
        allowed = _USER_BLOCKS
    elif role == "assistant":
        allowed = _ASSISTANT_BLOCKS
        if not context.strict_version:
            allowed = allowed | {"document"}
    else:
        allowed = frozenset({"text"})
        if _has_beta(context.betas, ("mid-conversation-tool-changes-",)):
            allowed = allowed | _TOOL_CHANGES
    if kind not in allowed:
        yield RefusedError(
            f"{where}: `{kind}` blocks are not permitted in messages with the role '{role}'"
        )
        return
    yield from _block_body(block, kind, where, role, context)


def _block_body(
    block: Json, kind: str, where: str, role: str, context: _Context
) -> Iterator[RefusedError]:
    if kind == "text":
        yield from _text_block(block, where, role, context)
        return
    where = f"{where}.{kind}"
    if kind in ("thinking", "redacted_thinking") and "cache_control" in block:
        yield RefusedError(f"{where}: cache_control is not permitted on thinking blocks")
        return
    if kind in _BLOCK_FIELDS:
        yield from _only(where, block, _BLOCK_FIELDS[kind])
    if kind == "image":
        yield from _image(block, where, context)
    elif kind == "document":
        yield from _source(block, where, ("base64", "url", "file", "text", "content"))
    elif kind == "search_result":
        for part in ("source", "title"):
            if not isinstance(block.get(part), str):
                yield RefusedError(f"{where}.{part}: Input should be a valid string")
        if not as_list(block.get("content")):
            yield RefusedError(f"{where}.content: List should have at least 1 item")
    elif kind == "thinking":
        for part in ("thinking", "signature"):
            if part not in block:
                yield RefusedError(f"{where}.{part}: Field required")
            elif not isinstance(block[part], str):
                yield RefusedError(f"{where}.{part}: Input should be a valid string")
    elif kind == "redacted_thinking":
        if not isinstance(block.get("data"), str):
            yield RefusedError(f"{where}.data: Field required")
    elif kind == "tool_use":
        yield from _tool_use(block, where)
    elif kind == "tool_result":
        yield from _tool_result(block, where, context)


def _text_block(block: Json, where: str, role: str, context: _Context) -> Iterator[RefusedError]:
    yield from _only(f"{where}.text", block, _BLOCK_FIELDS["text"])
    text = block.get("text")
    if "text" not in block:
        yield RefusedError(f"{where}.text.text: Field required")
    elif not isinstance(text, str):
        yield RefusedError(f"{where}.text.text: Input should be a valid string")
    elif not text:
        if "cache_control" in block:
            yield RefusedError(f"{where}.text: cache_control cannot be set for empty text blocks")
        else:
            yield RefusedError(f"{where}: text content blocks must be non-empty")
    elif not text.strip():
        yield RefusedError(f"{where}: text content blocks must contain non-whitespace text")
    if role == "user" and context.strict_version and block.get("citations"):
        yield RefusedError(f"{where}.text.citations: not permitted in user messages")


def _tool_use(block: Json, where: str) -> Iterator[RefusedError]:
    call = block.get("id")
    if "id" not in block:
        yield RefusedError(f"{where}.id: Field required")
    elif not isinstance(call, str) or not CALL_ID.fullmatch(call):
        yield RefusedError(f"{where}.id: String should match pattern '^[a-zA-Z0-9_-]+$'")
    name = block.get("name")
    if "name" not in block:
        yield RefusedError(f"{where}.name: Field required")
    elif not isinstance(name, str) or not TOOL_NAME.fullmatch(name):
        yield RefusedError(f"{where}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
    if "input" not in block:
        yield RefusedError(f"{where}.input: Field required")
    elif as_object(block["input"]) is None:
        yield RefusedError(f"{where}.input: Input should be a valid dictionary")


def _tool_result(block: Json, where: str, context: _Context) -> Iterator[RefusedError]:
    call = block.get("tool_use_id")
    if "tool_use_id" not in block:
        yield RefusedError(f"{where}.tool_use_id: Field required")
    elif not isinstance(call, str) or not CALL_ID.fullmatch(call):
        yield RefusedError(f"{where}.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'")
    failed = block.get("is_error", False)
    if not isinstance(failed, bool):
        yield RefusedError(f"{where}.is_error: Input should be a valid boolean")
    content = block.get("content")
    if not content and failed is True:
        yield RefusedError(f"{where}: content cannot be empty if `is_error` is true")
    if content is None or isinstance(content, str):
        return
    blocks = as_list(content)
    if blocks is None:
        yield RefusedError(f"{where}.content: Input should be a valid string or list")
        return
    for index, one in enumerate(blocks):
        inner = f"{where}.content.{index}"
        part = as_object(one)
        kind = None if part is None else part.get("type")
        if part is None or not isinstance(kind, str) or kind not in _RESULT_BLOCKS:
            options = ", ".join(f"'{name}'" for name in sorted(_RESULT_BLOCKS))
            yield RefusedError(f"{inner}: Input tag {kind!r} does not match any of {options}")
        else:
            yield from _block_body(part, kind, inner, "result", context)


# --- images and documents ---------------------------------------------------------------------


def _source(block: Json, where: str, kinds: tuple[str, ...]) -> Iterator[RefusedError]:
    source = as_object(block.get("source"))
    if source is None:
        yield RefusedError(f"{where}.source: Field required")
        return
    kind = source.get("type")
    if kind not in kinds:
        yield from _one_of(f"{where}.source.type", kind, kinds)
        return
    needed = {
        "base64": ("media_type", "data"),
        "text": ("media_type", "data"),
        "url": ("url",),
        "file": ("file_id",),
        "content": ("content",),
    }[str(kind)]
    for name in needed:
        if name not in source:
            yield RefusedError(f"{where}.source.{kind}.{name}: Field required")


def _image(block: Json, where: str, context: _Context) -> Iterator[RefusedError]:
    wrong = [*_source(block, where, ("base64", "url", "file"))]
    yield from wrong
    source = as_object(block.get("source"))
    if wrong or source is None or source["type"] != "base64":
        return
    where = f"{where}.source.base64"
    yield from _one_of(f"{where}.media_type", source["media_type"], IMAGE_TYPES)
    data = source["data"]
    if not isinstance(data, str) or not data:
        yield RefusedError(f"{where}.data: image cannot be empty")
        return
    limit = context.settings.max_image
    if len(data) > limit:
        size = f"{limit // MEGABYTE} MB" if limit >= MEGABYTE else f"{limit} bytes"
        yield RefusedError(
            f"{where}: image exceeds {size} maximum: {len(data)} bytes > {limit} bytes"
        )
        return
    try:
        base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        yield RefusedError(f"{where}.data: The image data is not valid base64")


def image_size(data: str) -> tuple[int, int] | None:
    """Reads width and height of a base64 PNG, GIF or JPEG; None if they cannot be found."""
    try:
        raw = base64.b64decode(data[: 256 * 1024 // 3 * 4])
    except (binascii.Error, ValueError):
        return None
    if raw.startswith(b"\x89PNG\r\n\x1a\n") and len(raw) >= 24:
        width, height = struct.unpack(">II", raw[16:24])
        return width, height
    if raw[:6] in (b"GIF87a", b"GIF89a") and len(raw) >= 10:
        width, height = struct.unpack("<HH", raw[6:10])
        return width, height
    if raw.startswith(b"\xff\xd8"):
        return _jpeg_size(raw)
    return None


def _jpeg_size(raw: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(raw) and raw[at] == 0xFF:
        marker, length = raw[at + 1], int.from_bytes(raw[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", raw[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return None


def walk(body: Json) -> Iterator[tuple[str, Json]]:
    """All content blocks of the messages with their place, those in tool results included."""
    for number, message in enumerate(objects(body.get("messages"))):
        for index, block in enumerate(blocks_of(message.get("content"))):
            where = f"messages.{number}.content.{index}"
            yield where, block
            if block.get("type") == "tool_result":
                for inner, part in enumerate(objects(block.get("content"))):
                    yield f"{where}.tool_result.content.{inner}", part


def _pictures(context: _Context) -> Iterator[RefusedError]:
    found = [(where, one) for where, one in walk(context.body) if one.get("type") == "image"]
    if len(found) > context.facts.max_images:
        yield RefusedError(f"messages: too many images: {len(found)} > {context.facts.max_images}")
    if not context.settings.image_sides:
        return
    many = len(found) > 20
    limit = 2000 if many else 8000
    for where, block in found:
        source = as_object(block.get("source")) or {}
        size = image_size(str(source["data"])) if "data" in source else None
        if size is not None and max(size) > limit:
            hint = " for requests with more than 20 images" if many else ""
            yield RefusedError(
                f"{where}.image.source.base64: At least one of the image dimensions exceeds "
                f"max allowed size{hint}: {limit} pixels"
            )


# --- messages: calls and results ---------------------------------------------------------------


def _pairs(context: _Context) -> Iterator[RefusedError]:
    messages = context.messages
    used: set[str] = set()
    for index, message in enumerate(messages):
        blocks = blocks_of(message.get("content"))
        if message["role"] == "assistant":
            for place, block in enumerate(blocks):
                if block.get("type") not in ("tool_use", *_SERVER_USES):
                    continue
                call = str(block.get("id"))
                if call in used:
                    yield RefusedError(
                        f"messages.{index}.content.{place}: `tool_use` ids must be unique"
                    )
                used.add(call)
            following = messages[index + 1] if index + 1 < len(messages) else None
            yield from _answers(index, blocks, following)
        else:
            previous = messages[index - 1] if index else None
            yield from _results(index, blocks, previous)


def _calls(message: Json | None) -> list[str]:
    if message is None or message["role"] != "assistant":
        return []
    blocks = blocks_of(message.get("content"))
    return [str(one["id"]) for one in blocks if one.get("type") == "tool_use"]


def _answers(index: int, blocks: list[Json], following: Json | None) -> Iterator[RefusedError]:
    calls = [str(one["id"]) for one in blocks if one.get("type") == "tool_use"]
    answer: list[Json] = []
    if following is not None and following["role"] == "user":
        answer = blocks_of(following.get("content"))
    got = {one.get("tool_use_id") for one in answer if one.get("type") == "tool_result"}
    missing = [call for call in calls if call not in got]
    if missing:
        yield RefusedError(
            f"messages.{index}: `tool_use` ids were found without `tool_result` blocks "
            f"immediately after: {', '.join(missing)}. Each `tool_use` block must have a "
            "corresponding `tool_result` block in the next message."
        )
        return
    closed = {str(one.get("tool_use_id")) for one in blocks if one.get("type") in _SERVER_RESULTS}
    open_server = any(
        one.get("type") in _SERVER_USES and str(one.get("id")) not in closed for one in blocks
    )
    if calls and open_server and any(one.get("type") != "tool_result" for one in answer):
        yield RefusedError(
            f"messages.{index + 1}: only `tool_result` blocks may follow while a "
            "`server_tool_use` is unfinished"
        )


def _results(index: int, blocks: list[Json], previous: Json | None) -> Iterator[RefusedError]:
    calls = _calls(previous)
    answered: set[str] = set()
    other = False
    for place, block in enumerate(blocks):
        if block.get("type") != "tool_result":
            other = True
            continue
        where = f"messages.{index}.content.{place}"
        call = str(block.get("tool_use_id"))
        if call not in calls:
            yield RefusedError(
                f"{where}: unexpected `tool_use_id` found in `tool_result` blocks: {call}. Each "
                "`tool_result` block must have a corresponding `tool_use` block in the previous "
                "message."
            )
        elif call in answered:
            yield RefusedError(
                f"{where}: each tool_use must have a single result. Found multiple "
                f"`tool_result` blocks with id: {call}"
            )
        elif other:
            yield RefusedError(
                f"{where}: `tool_result` blocks must come before any other content of the message"
            )
        answered.add(call)


def _last(context: _Context) -> Iterator[RefusedError]:
    messages = context.messages
    final = messages[-1]
    if final["role"] != "assistant":
        return
    where = f"messages.{len(messages) - 1}"
    blocks = blocks_of(final.get("content"))
    kind = blocks[-1].get("type") if blocks else None
    if kind in _SERVER_RESULTS | _SERVER_USES:
        return
    if kind in ("thinking", "redacted_thinking"):
        yield RefusedError(f"{where}: The final block in an assistant message cannot be `{kind}`.")
    elif not context.facts.prefill:
        yield RefusedError(
            "This model does not support assistant message prefill. The conversation must end "
            "with a user message."
        )
    elif kind == "text":
        text = str(blocks[-1].get("text"))
        if text != text.rstrip():
            yield RefusedError(
                "messages: final assistant content cannot end with trailing whitespace"
            )


# --- thinking ----------------------------------------------------------------------------------


def _signatures(context: _Context) -> Iterator[RefusedError]:
    seen = context.seen
    if seen is None:
        return
    model = str(context.body["model"])
    for where, block in walk(context.body):
        kind = block.get("type")
        if kind == "redacted_thinking":
            if block["data"] not in seen.redacted and not context.settings.unknown_signatures:
                yield RefusedError(f"{where}: Invalid `data` in `redacted_thinking` block")
            continue
        if kind != "thinking":
            continue
        signature = str(block["signature"])
        sent = seen.thinking.get(signature)
        if sent is None:
            if not signature or not context.settings.unknown_signatures:
                yield RefusedError(f"{where}: Invalid `signature` in `thinking` block")
        elif sent.text != block["thinking"]:
            yield RefusedError(
                f"{where}: `thinking` or `redacted_thinking` blocks in the latest assistant "
                "message cannot be modified. These blocks must remain as they were in the "
                "original response."
            )
        elif sent.model not in (None, model):
            origin = facts_of(sent.model, context.settings)
            if origin is not None and origin.bound:
                yield RefusedError(
                    f"{where}: Invalid `signature` in `thinking` block: it belongs to "
                    f"{sent.model} and cannot be used with {model}"
                )
    if context.settings.require_turn_thinking:
        yield from _turn_thinking(context, seen)


def _turn_thinking(context: _Context, seen: Seen) -> Iterator[RefusedError]:
    messages = context.messages
    start = 0
    for index, message in enumerate(messages):
        blocks = blocks_of(message.get("content"))
        if message["role"] == "user" and not any(
            one.get("type") == "tool_result" for one in blocks
        ):
            start = index
    for index, message in enumerate(messages[start:], start):
        wanted = {sig for call in _calls(message) for sig in seen.turns.get(call, ())}
        have = {one.get("signature") for one in blocks_of(message.get("content"))}
        if wanted - have:
            yield RefusedError(
                f"messages.{index}.content.0.type: Expected `thinking` or `redacted_thinking`: "
                "the thinking of a turn in progress must be sent back"
            )


def _thinking(context: _Context) -> Iterator[RefusedError]:
    body, facts = context.body, context.facts
    effort = effort_of(body)
    if "thinking" in body:
        thinking = as_object(body["thinking"])
        if thinking is None:
            yield RefusedError("thinking: Input should be a valid dictionary")
            return
        yield from _thinking_field(thinking, effort, context)
        kind = thinking.get("type")
    else:
        kind = None
    choice = as_object(body.get("tool_choice"))
    if choice is None or choice.get("type") not in ("any", "tool"):
        return
    if not facts.forced_tools:
        yield RefusedError(
            f"tool_choice: '{choice['type']}' is not supported by {facts.id}, whose thinking is "
            "always on"
        )
    elif kind == "enabled":
        yield RefusedError("Thinking may not be enabled when tool_choice forces tool use.")


def _thinking_field(
    thinking: Json, effort: str | None, context: _Context
) -> Iterator[RefusedError]:
    facts = context.facts
    kind = thinking.get("type")
    fields: Mapping[str, tuple[str, ...]] = {
        "adaptive": ("type", "display"),
        "enabled": ("type", "display", "budget_tokens"),
        "disabled": ("type",),
        "between_tools": ("type",),
    }
    if not isinstance(kind, str) or kind not in fields:
        yield from _one_of("thinking.type", kind, fields)
        return
    yield from _only(f"thinking.{kind}", thinking, fields[kind])
    if kind not in facts.thinking:
        yield RefusedError(f"thinking.type: '{kind}' is not supported by {facts.id}")
        return
    if thinking.get("display") is not None:
        displays = ["summarized", "omitted"]
        if _has_beta(context.betas, ("thinking-display-updates-",)):
            displays.append("updates")
        yield from _one_of(f"thinking.{kind}.display", thinking["display"], displays)
    if kind == "disabled":
        actual = effort or facts.default_effort
        if facts.efforts and actual not in facts.disabled_efforts:
            yield RefusedError(f"thinking: 'disabled' is not supported with effort '{actual}'")
    if kind != "enabled":
        return
    budget = as_int(thinking.get("budget_tokens"))
    if "budget_tokens" not in thinking:
        yield RefusedError("thinking.enabled.budget_tokens: Field required")
    elif budget is None:
        yield RefusedError("thinking.enabled.budget_tokens: Input should be a valid integer")
    elif budget < 1024:
        yield RefusedError(
            "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"
        )
    else:
        maximum = as_int(context.body.get("max_tokens"))
        if maximum is not None and maximum <= budget:
            yield RefusedError("`max_tokens` must be greater than `thinking.budget_tokens`.")


def effort_of(body: Json) -> str | None:
    """The effort that a request asks for."""
    effort = (as_object(body.get("output_config")) or {}).get("effort")
    return effort if isinstance(effort, str) else None


def _output_config(context: _Context) -> Iterator[RefusedError]:
    facts = context.facts
    if context.body.get("output_config") is None:
        return
    config = as_object(context.body["output_config"])
    if config is None:
        yield RefusedError("output_config: Input should be a valid dictionary")
        return
    allowed = {"effort", "format"}
    if _has_beta(context.betas, ("task-budgets-",)):
        allowed.add("task_budget")
    yield from _only("output_config", config, allowed)
    effort = config.get("effort")
    if effort is not None:
        wrong = [*_one_of("output_config.effort", effort, _ALL_EFFORTS)]
        yield from wrong
        if not wrong and not facts.efforts:
            yield RefusedError("This model does not support the effort parameter.")
        elif not wrong and effort not in facts.efforts:
            levels = ", ".join(sorted(facts.efforts))
            yield RefusedError(
                f"output_config.effort: '{effort}' is not supported by {facts.id}. "
                f"Supported levels: {levels}."
            )
    if config.get("format") is not None:
        form = as_object(config["format"])
        if form is None or form.get("type") != "json_schema":
            yield RefusedError("output_config.format.type: Input should be 'json_schema'")
        elif as_object(form.get("schema")) is None:
            yield RefusedError("output_config.format.json_schema.schema: Field required")


def _tool_choice(context: _Context) -> Iterator[RefusedError]:
    if context.body.get("tool_choice") is None:
        return
    choice = as_object(context.body["tool_choice"])
    if choice is None:
        yield RefusedError("tool_choice: Input should be a valid dictionary")
        return
    kind = choice.get("type")
    fields: Mapping[str, tuple[str, ...]] = {
        "auto": ("type", "disable_parallel_tool_use"),
        "any": ("type", "disable_parallel_tool_use"),
        "tool": ("type", "name", "disable_parallel_tool_use"),
        "none": ("type",),
    }
    if not isinstance(kind, str) or kind not in fields:
        yield from _one_of("tool_choice.type", kind, fields)
        return
    yield from _only(f"tool_choice.{kind}", choice, fields[kind])
    if not isinstance(choice.get("disable_parallel_tool_use", False), bool):
        yield RefusedError(
            f"tool_choice.{kind}.disable_parallel_tool_use: Input should be a valid boolean"
        )
    tools = objects(context.body.get("tools"))
    if not tools:
        yield RefusedError("tool_choice: may only be specified while providing tools")
    elif kind == "tool":
        name = choice.get("name")
        if name not in [tool.get("name") for tool in tools]:
            yield RefusedError(f"tool_choice.tool.name: Tool '{name}' not found in provided tools")


# --- cache marks -------------------------------------------------------------------------------


def marks(body: Json) -> list[tuple[str, object]]:
    """Every `cache_control` at a place where one may stand, in prefix order."""
    found: list[tuple[str, object]] = []
    for index, tool in enumerate(objects(body.get("tools"))):
        found.append((f"tools.{index}", tool.get("cache_control")))
    for index, block in enumerate(blocks_of(body.get("system"))):
        found.append((f"system.{index}", block.get("cache_control")))
    for number, message in enumerate(objects(body.get("messages"))):
        for index, block in enumerate(blocks_of(message.get("content"))):
            found.append((f"messages.{number}.content.{index}", block.get("cache_control")))
    return [(where, mark) for where, mark in found if mark is not None]


def _mark(where: str, value: object) -> Iterator[RefusedError]:
    where += ".cache_control"
    mark = as_object(value)
    if mark is None:
        yield RefusedError(f"{where}: Input should be a valid dictionary")
        return
    yield from _only(where, mark, ("type", "ttl"))
    if mark.get("type") != "ephemeral":
        yield RefusedError(f"{where}.type: Input should be 'ephemeral'")
    if "ttl" in mark:
        yield from _one_of(f"{where}.ttl", mark["ttl"], ("5m", "1h"))


def _cache_marks(context: _Context) -> Iterator[RefusedError]:
    body = context.body
    found = marks(body)
    wrong = [one for where, mark in found for one in _mark(where, mark)]
    automatic = body.get("cache_control")
    if automatic is not None:
        wrong += _mark("cache_control", automatic)
    for where, block in walk(body):
        if ".tool_result.content." in where and block.get("cache_control") is not None:
            wrong.append(RefusedError(f"{where}.cache_control: not permitted on nested blocks"))
    if wrong:
        yield from wrong
        return
    count = len(found)
    if automatic is not None and not last_is_marked(body):
        count += 1
    if count > 4:
        yield RefusedError(
            f"A maximum of 4 blocks with cache_control may be provided. Found {count}."
        )
    short: str | None = None
    order = [*found]
    if automatic is not None and not last_is_marked(body):
        order.append(("the automatic mark", automatic))
    for where, value in order:
        if (as_object(value) or {}).get("ttl", "5m") == "5m":
            short = short or where
        elif short is not None:
            yield RefusedError(
                f"{where}.cache_control.ttl: a ttl='1h' cache_control block must not come after "
                f"a ttl='5m' cache_control block ({short})"
            )


def cacheable(block: Json) -> bool:
    """Whether a content block may carry a cache mark."""
    kind = block.get("type")
    if kind in ("thinking", "redacted_thinking"):
        return False
    return kind != "text" or bool(block.get("text"))


def last_is_marked(body: Json) -> bool:
    """Whether the last block that may carry a cache mark already has one."""
    rows = [
        *objects(body.get("tools")),
        *blocks_of(body.get("system")),
        *(
            block
            for message in objects(body.get("messages"))
            for block in blocks_of(message.get("content"))
        ),
    ]
    for block in reversed(rows):
        if cacheable(block):
            return block.get("cache_control") is not None
    return False


# --- size ---------------------------------------------------------------------------------------


def text_tokens(text: str) -> int:
    """The server's measure of a text: a quarter of its UTF-8 bytes, rounded up."""
    return (len(text.encode("utf-8", "surrogatepass")) + 3) // 4


def block_tokens(block: Json) -> int:
    """Tokens of a content block, or of a tool definition; at least 1.

    Only what the model reads is counted: the text of a text block, the name and the input of a
    call, the parts of a result. A picture counts by its size in pixels, or 1568 if that is
    unknown; a document in base64 counts 2000.
    """
    kind = block.get("type")
    if kind == "text":
        count = text_tokens(str(block.get("text", "")))
    elif kind == "thinking":
        count = text_tokens(str(block.get("thinking", "")))
    elif kind == "tool_use":
        count = text_tokens(str(block.get("name", "")) + canonical(block.get("input")))
    elif kind == "tool_result":
        count = sum(block_tokens(part) for part in blocks_of(block.get("content")))
    elif kind in ("image", "document"):
        count = _media_tokens(block)
    else:
        plain = {name: value for name, value in block.items() if name != "cache_control"}
        count = text_tokens(canonical(plain))
    return max(1, count)


def _media_tokens(block: Json) -> int:
    source = as_object(block.get("source")) or {}
    if source.get("type") == "text":
        return text_tokens(str(source.get("data", "")))
    if source.get("type") == "content":
        content = source.get("content")
        return sum(block_tokens(part) for part in blocks_of(content))
    if block.get("type") == "document":
        return 2000
    size = image_size(str(source.get("data", "")))
    if size is None:
        return 1568
    return min(4784, -(-size[0] // 28) * -(-size[1] // 28))


def prompt_tokens(body: Json) -> int:
    """Tokens of a whole prompt: tools (deferred ones left out), system and messages."""
    tools = [one for one in objects(body.get("tools")) if one.get("defer_loading") is not True]
    count = sum(block_tokens(one) for one in tools)
    count += sum(block_tokens(one) for one in blocks_of(body.get("system")))
    for message in objects(body.get("messages")):
        count += sum(block_tokens(one) for one in blocks_of(message.get("content")))
    return count


def _window(context: _Context) -> Iterator[RefusedError]:
    if context.counting:
        return
    limit = context.settings.window or context.facts.window
    count = prompt_tokens(context.body)
    if count > limit:
        yield RefusedError(f"prompt is too long: {count} tokens > {limit} maximum")


def _combinations(context: _Context) -> Iterator[RefusedError]:
    yield from _output_config(context)
    yield from _tool_choice(context)
    yield from _thinking(context)


_STAGES: tuple[Callable[[_Context], Iterator[RefusedError]], ...] = (
    _fields,
    _tools,
    _messages,
    _references,
    _combinations,
    _cache_marks,
    _pairs,
    _last,
    _signatures,
    _pictures,
    _window,
)
