"""Scripted replies: what the server answers, when, and with which faults.

A reply is built from blocks::

    reply("Let me look.", tool("Read", file_path="a.txt"))
    reply(thinking("hm"), "done", chunk=3, delay=0.01)
    reply(tool("Write", raw='{"file_path": "a.t'), stop_reason="max_tokens")
    reply("never seen whole", fault=cut(block=0, chars=5))
    http_error(529)

`Script` hands replies out: rules are asked first, in order, then the queue, then the default.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from .rules import Json, as_list, as_object, blocks_of, objects

AUTO = "auto"
"""Stop reason that follows from the content: `tool_use` with a call, else `end_turn`."""

FaultKind = Literal["http", "sse_error", "cut", "hangup", "eof", "stall", "malformed_sse", "raw"]

ERROR_TYPES: Mapping[int, str] = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""The error type that belongs to a status; any other is an `api_error`."""

_MESSAGES: Mapping[str, str] = {
    "overloaded_error": "Overloaded",
    "rate_limit_error": "This request would exceed your organization's rate limit.",
    "api_error": "Internal server error",
    "authentication_error": "invalid x-api-key",
    "permission_error": "Your API key does not have permission to use this resource.",
    "billing_error": "Your credit balance is too low.",
    "timeout_error": "The request timed out.",
    "not_found_error": "Not found",
}


def message_of(kind: str) -> str:
    """The usual text of an error type."""
    return _MESSAGES.get(kind, kind)


# --- a request as the server saw it -------------------------------------------------------------


@dataclass
class ApiRequest:
    """One request and what became of it.

    Attributes:
        number: Its place among all requests, from 1.
        method: The HTTP method.
        path: The path without the query.
        query: The query, without the question mark.
        headers: The headers, names in lower case.
        raw: The bytes of the body.
        at: When it came, by the server's clock.
        body: The parsed body; empty if it could not be parsed.
        refused: Why the server refused it, or None.
        unscripted: Whether the script had no reply for it.
        status: The HTTP status sent, or None if there was none.
        usage: The final usage sent.
        disconnected: Whether the client went away before the response ended.
        finished: Whether the server is done with it.
    """

    number: int
    method: str
    path: str
    query: str
    headers: dict[str, str]
    raw: bytes
    at: float
    body: Json = field(default_factory=dict[str, object])
    refused: str | None = None
    unscripted: bool = False
    status: int | None = None
    usage: Json | None = None
    disconnected: bool = False
    finished: bool = False

    @property
    def is_message(self) -> bool:
        """Whether it asks for a model reply."""
        return self.method == "POST" and self.path == "/v1/messages"

    @property
    def model(self) -> str:
        """The model asked for."""
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[Json]:
        """The messages of the body."""
        return objects(self.body.get("messages"))

    @property
    def tool_names(self) -> list[str]:
        """Names of the tools offered."""
        return [str(one.get("name")) for one in objects(self.body.get("tools"))]

    @property
    def system_text(self) -> str:
        """The system prompt as one text."""
        return "\n".join(str(one.get("text", "")) for one in blocks_of(self.body.get("system")))

    @property
    def last_user_blocks(self) -> list[Json]:
        """The content of the newest message of the user."""
        for message in reversed(self.messages):
            if message.get("role") == "user":
                return blocks_of(message.get("content"))
        return []

    @property
    def last_user_text(self) -> str:
        """The text blocks of the newest message of the user; tool results are not among them."""
        return "\n".join(
            str(one.get("text", "")) for one in self.last_user_blocks if one.get("type") == "text"
        )

    @property
    def tool_results(self) -> list[Json]:
        """The tool results in the newest message of the user."""
        return [one for one in self.last_user_blocks if one.get("type") == "tool_result"]

    @property
    def marks(self) -> list[Json]:
        """Every object of the body that carries a cache mark, in order."""
        found: list[Json] = []
        for key in ("tools", "system"):
            found += [one for one in objects(self.body.get(key)) if "cache_control" in one]
        for message in self.messages:
            found += [one for one in blocks_of(message.get("content")) if "cache_control" in one]
        return found


def result_text(block: Json) -> str:
    """The text of a tool result."""
    return "\n".join(str(one.get("text", "")) for one in blocks_of(block.get("content")))


# --- blocks -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """One content block of a reply.

    Attributes:
        body: The finished block. Missing ids and signatures are filled in by the server.
        raw: For a call, the JSON text to stream instead of its input; may be cut or broken.
    """

    body: Mapping[str, object]
    raw: str | None = None

    @property
    def kind(self) -> str:
        """The type of the block."""
        return str(self.body.get("type"))


def text(value: str) -> Block:
    """A text block; with an empty text it is started and stopped without a delta."""
    return Block({"type": "text", "text": value})


def tool(
    name: str,
    input: Mapping[str, object] | None = None,
    /,
    *,
    id: str | None = None,
    raw: str | None = None,
    **arguments: object,
) -> Block:
    """A tool call.

    Args:
        name: The tool.
        input: Its input, for names that cannot be keywords here (`id`, `raw`).
        id: The id of the call; the server makes one if it is None. May be empty or repeated.
        raw: JSON text to stream instead of the input.
        **arguments: Its input, or more of it.
    """
    body: Json = {"type": "tool_use", "id": id, "name": name}
    body["input"] = {**(input or {}), **arguments}
    return Block(body, raw)


def thinking(value: str, *, signature: str | None = None) -> Block:
    """A thinking block; the server makes a signature if it is None."""
    return Block({"type": "thinking", "thinking": value, "signature": signature})


def redacted(data: str) -> Block:
    """A redacted thinking block."""
    return Block({"type": "redacted_thinking", "data": data})


# --- faults -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong with a reply.

    The place of a fault in the stream is given by `block` and `chars`: with `chars` None it
    strikes just before block number `block` begins; otherwise inside it, after so many characters
    of its text or JSON. A `block` equal to the number of blocks is the place before
    `message_delta`, one more is the place before `message_stop`. With `block` None it strikes
    before the head of the response is sent.

    Attributes:
        kind: What goes wrong.
        block: Where in the stream.
        chars: Where inside the block.
        status: Status of `http` (and of `raw` with a head).
        error_type: Error type of `http` and `sse_error`; by the status if None.
        message: Error text of `http` and `sse_error`.
        retry_after: Value of the `retry-after` header.
        headers: More response headers.
        seconds: How long a `stall` lasts; None means until the client leaves.
        data: Bytes of `raw`.
        body: Body of `http` instead of the JSON error, for instance a proxy's HTML page.
        content_type: Content type of `body` and of `raw` with a head.
        head: Whether `raw` at `block` None sends a normal response head first.
    """

    kind: FaultKind
    block: int | None = 0
    chars: int | None = None
    status: int = 200
    error_type: str | None = None
    message: str | None = None
    retry_after: float | str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    seconds: float | None = None
    data: bytes = b""
    body: str | None = None
    content_type: str = "text/event-stream"
    head: bool = True

    @property
    def error(self) -> Json:
        """The `error` object that it sends."""
        kind = self.error_type
        if kind is None and self.kind == "sse_error":
            kind = "overloaded_error"
        kind = kind or ERROR_TYPES.get(self.status, "api_error")
        return {"type": kind, "message": self.message or message_of(kind)}


def http_error(
    status: int,
    error_type: str | None = None,
    message: str | None = None,
    *,
    retry_after: float | str | None = None,
    headers: Mapping[str, str] | None = None,
    body: str | None = None,
    content_type: str = "text/html",
) -> Reply:
    """A whole reply that is an HTTP error."""
    fault = Fault(
        "http",
        status=status,
        error_type=error_type,
        message=message,
        retry_after=retry_after,
        headers=headers or {},
        body=body,
        content_type=content_type,
    )
    return Reply(fault=fault)


def sse_error(
    error_type: str = "overloaded_error",
    message: str | None = None,
    *,
    block: int = 0,
    chars: int | None = None,
) -> Fault:
    """An `error` event inside a stream that began with status 200; the stream ends there."""
    return Fault("sse_error", block, chars, error_type=error_type, message=message)


def cut(block: int | None = 0, chars: int | None = None) -> Fault:
    """The connection is reset."""
    return Fault("cut", block, chars)


def hangup(block: int | None = 0, chars: int | None = None) -> Fault:
    """The connection is closed without a reset, but in the middle of the response."""
    return Fault("hangup", block, chars)


def eof(block: int | None = 0, chars: int | None = None) -> Fault:
    """The response ends properly, but too early."""
    return Fault("eof", block, chars)


def stall(
    seconds: float | None = None, *, block: int | None = 0, chars: int | None = None
) -> Fault:
    """Silence for some seconds, after which the reply goes on; or until the client leaves."""
    return Fault("stall", block, chars, seconds=seconds)


def malformed_sse(block: int = 0, chars: int | None = None) -> Fault:
    """An event whose JSON is broken; the stream ends there."""
    return Fault("malformed_sse", block, chars)


def raw(
    data: bytes | str,
    *,
    block: int | None = None,
    chars: int | None = None,
    head: bool = True,
    status: int = 200,
    content_type: str = "text/event-stream",
) -> Fault:
    """Any bytes: instead of the response, or put into the stream at a place if `block` is given.

    Args:
        data: The bytes.
        block: Place in the stream; None sends them instead of the whole response.
        chars: Place inside the block.
        head: Whether a response head goes before them (only with `block` None).
        status: Status in that head.
        content_type: Content type in that head.
    """
    encoded = data.encode() if isinstance(data, str) else data
    return Fault(
        "raw", block, chars, data=encoded, head=head, status=status, content_type=content_type
    )


def fault_of(value: Mapping[str, object]) -> Fault:
    """Makes a fault from a mapping such as `{"type": "cut", "block": 1, "chars": 5}`."""
    given = dict(value)
    kind = given.pop("type", None) or given.pop("kind", None)
    known = {one.name for one in fields(Fault)} - {"kind"}
    unknown = given.keys() - known
    if kind not in (
        "http",
        "sse_error",
        "cut",
        "hangup",
        "eof",
        "stall",
        "malformed_sse",
        "raw",
    ):
        raise ValueError(f"no such fault: {kind!r}")
    if unknown:
        raise ValueError(f"no such fields of a fault: {sorted(unknown)}")
    if isinstance(given.get("data"), str):
        given["data"] = str(given["data"]).encode()
    if kind == "raw":
        given.setdefault("block", None)
    if kind == "http":
        given.setdefault("status", 500)
        given.setdefault("content_type", "text/html")
    return replace(Fault(kind), **given)


# --- the form on the wire -----------------------------------------------------------------------


@dataclass(frozen=True)
class Wire:
    """Oddities of the stream's form, as gateways have them.

    Attributes:
        event_lines: Whether `event:` lines are sent.
        newline: The line end.
        space: Whether a space follows the colon of `data:`.
        comments: Whether comment lines come between the events.
        unknown_events: Whether events of unknown types come between the others.
        pings: Whether a `ping` follows every delta; one comes after `message_start` anyway.
        usage: Whether usage is sent.
        ascii: Whether the JSON escapes all that is not ASCII; otherwise U+2028 and the like are
            sent as they are.
        piece: Size in bytes of the pieces the stream is sent in, so that characters are split;
            0 sends each event as one piece.
        data_lines: Whether each event's JSON is spread over several `data:` lines.
        chunked: Whether the response is chunked; otherwise it ends with the connection.
    """

    event_lines: bool = True
    newline: str = "\n"
    space: bool = True
    comments: bool = False
    unknown_events: bool = False
    pings: bool = False
    usage: bool = True
    ascii: bool = False
    piece: int = 0
    data_lines: bool = False
    chunked: bool = True


def wire_of(value: Mapping[str, object]) -> Wire:
    """Makes a `Wire` from a mapping of its fields."""
    unknown = value.keys() - {one.name for one in fields(Wire)}
    if unknown:
        raise ValueError(f"no such fields of a wire: {sorted(unknown)}")
    return replace(Wire(), **value)


# --- replies ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reply:
    """One scripted answer of the model; see `reply` for the fields."""

    blocks: tuple[Block, ...] = ()
    stop_reason: str | None = AUTO
    stop_sequence: str | None = None
    stop_details: Mapping[str, object] | None = None
    usage: Mapping[str, object] | None = None
    chunk: int = 40
    delay: float = 0.0
    fault: Fault | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    wire: Wire = field(default_factory=Wire)
    id: str | None = None
    model: str | None = None
    before: float = 0.0


def reply(
    *blocks: Block | str | Mapping[str, object],
    stop_reason: str | None = AUTO,
    stop_sequence: str | None = None,
    stop_details: Mapping[str, object] | None = None,
    usage: Mapping[str, object] | None = None,
    chunk: int = 40,
    delay: float = 0.0,
    fault: Fault | Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
    wire: Wire | Mapping[str, object] | None = None,
    id: str | None = None,
    model: str | None = None,
    before: float = 0.0,
) -> Reply:
    """One scripted answer of the model.

    Args:
        *blocks: Blocks from `text`, `tool`, `thinking`, `redacted`; a string is a text block; a
            mapping is a content block as it stands (for instance a `server_tool_use`).
        stop_reason: Any string, or None for null; by default it follows from the content.
        stop_sequence: The stop sequence that was met.
        stop_details: The `stop_details` object, for refusals.
        usage: Fields that replace those of the computed usage.
        chunk: Characters in a delta; 0 sends each block in one delta.
        delay: Seconds before each delta.
        fault: What goes wrong.
        headers: More response headers.
        wire: Oddities of the form.
        id: The message's id.
        model: The model named in the reply, if it is not the one asked for.
        before: Seconds before the head of the response.
    """
    return Reply(
        blocks=tuple(_block(one) for one in blocks),
        stop_reason=stop_reason,
        stop_sequence=stop_sequence,
        stop_details=stop_details,
        usage=usage,
        chunk=chunk,
        delay=delay,
        fault=fault if fault is None or isinstance(fault, Fault) else fault_of(fault),
        headers=headers or {},
        wire=wire if isinstance(wire, Wire) else wire_of(wire or {}),
        id=id,
        model=model,
        before=before,
    )


def _block(value: Block | str | Mapping[str, object]) -> Block:
    if isinstance(value, Block):
        return value
    return text(value) if isinstance(value, str) else Block(value)


ReplySource = Reply | str | Callable[[ApiRequest], Reply]
"""A reply, a text, or a function that makes the reply from the request."""


# --- rules --------------------------------------------------------------------------------------

Predicate = Callable[[ApiRequest], bool]


def last_user_contains(part: str) -> Predicate:
    """True if the newest message of the user has this text (tool results left out)."""
    return lambda request: part in request.last_user_text


def has_tool_result(part: str = "", *, id: str | None = None) -> Predicate:
    """True if the newest message of the user answers a call, with this text and id."""

    def matches(request: ApiRequest) -> bool:
        return any(
            part in result_text(one) and id in (None, one.get("tool_use_id"))
            for one in request.tool_results
        )

    return matches


def no_tool_result(request: ApiRequest) -> bool:
    """True if the newest message of the user answers no call."""
    return not request.tool_results


def is_summary(part: str = "summar") -> Predicate:
    """True if the newest text of the user or the system prompt asks for a summary.

    Args:
        part: What such a request says, in any case.
    """

    def matches(request: ApiRequest) -> bool:
        places = (request.last_user_text, request.system_text)
        return any(part.lower() in place.lower() for place in places)

    return matches


def system_contains(part: str) -> Predicate:
    """True if the system prompt has this text."""
    return lambda request: part in request.system_text


def has_tools(*names: str) -> Predicate:
    """True if all these tools are offered; without names, if any is."""

    def matches(request: ApiRequest) -> bool:
        offered = request.tool_names
        return all(name in offered for name in names) and bool(offered)

    return matches


def model_is(name: str) -> Predicate:
    """True if this model is asked for."""
    return lambda request: request.model == name


def all_of(*predicates: Predicate) -> Predicate:
    """True if all are."""
    return lambda request: all(one(request) for one in predicates)


def any_of(*predicates: Predicate) -> Predicate:
    """True if one is."""
    return lambda request: any(one(request) for one in predicates)


def not_(predicate: Predicate) -> Predicate:
    """True if the other is not."""
    return lambda request: not predicate(request)


@dataclass
class Rule:
    """A reply for every request that fits.

    Attributes:
        when: Which requests it answers.
        reply: The answer.
        times: How often it may still be used; None means without end.
    """

    when: Predicate
    reply: ReplySource
    times: int | None = None


def rule(when: Predicate, reply: ReplySource, *, times: int | None = None) -> Rule:
    """A reply for every request that fits, `times` times at most."""
    return Rule(when, reply, times)


class Script:
    """Hands out the replies. May be used from several threads."""

    def __init__(
        self,
        replies: Iterable[ReplySource] = (),
        *,
        rules: Iterable[Rule] = (),
        default: ReplySource | None = None,
    ) -> None:
        self._queue: deque[ReplySource] = deque(replies)
        self._rules = [*rules]
        self._lock = threading.Lock()
        self.default = default

    def enqueue(self, *replies: ReplySource) -> None:
        """Adds replies to the end of the queue."""
        with self._lock:
            self._queue.extend(replies)

    def add_rule(self, when: Predicate, reply: ReplySource, *, times: int | None = None) -> Rule:
        """Adds a rule after the others."""
        made = Rule(when, reply, times)
        with self._lock:
            self._rules.append(made)
        return made

    def clear(self) -> None:
        """Forgets queue, rules and default."""
        with self._lock:
            self._queue.clear()
            self._rules.clear()
            self.default = None

    @property
    def left(self) -> int:
        """How many queued replies are left."""
        with self._lock:
            return len(self._queue)

    def next(self, request: ApiRequest) -> Reply | None:
        """The reply for a request, or None if the script has none."""
        source = self._pick(request)
        if source is None:
            return None
        if isinstance(source, str):
            return reply(source)
        return source if isinstance(source, Reply) else source(request)

    def _pick(self, request: ApiRequest) -> ReplySource | None:
        with self._lock:
            for one in self._rules:
                if one.times != 0 and one.when(request):
                    if one.times is not None:
                        one.times -= 1
                    return one.reply
            return self._queue.popleft() if self._queue else self.default


# --- scripts as JSON ----------------------------------------------------------------------------


def script_of(value: object) -> Script:
    """Makes a script from JSON: a list of replies, or an object.

    The object has `replies`, `rules` and `default`. A reply is a text, or an object with the
    fields of `reply`, where `blocks` holds texts, `{"tool": name, "input": …, "id": …, "raw": …}`,
    `{"thinking": text, "signature": …}`, `{"text": text}` or whole content blocks; `repeat` queues
    it several times. A rule is `{"when": {…}, "reply": …, "times": n}`, where `when` has any of
    `last_user`, `tool_result`, `is_tool_result`, `has_tools`, `tool`, `summary`, `system`, `model`.
    """
    listed = as_list(value)
    whole: Json = {"replies": listed} if listed is not None else (as_object(value) or {})
    unknown = whole.keys() - {"replies", "rules", "default", "settings"}
    if unknown or (listed is None and as_object(value) is None):
        raise ValueError(f"not a script; unknown keys: {sorted(unknown)}")
    replies: list[ReplySource] = []
    for one in as_list(whole.get("replies")) or []:
        fields_of = as_object(one)
        repeat = 1 if fields_of is None else int(str(fields_of.get("repeat", 1)))
        replies += [reply_of(one)] * repeat
    rules: list[Rule] = []
    for one in objects(whole.get("rules")):
        times = one.get("times")
        rules.append(
            Rule(
                predicate_of(as_object(one.get("when")) or {}),
                reply_of(one.get("reply")),
                times if isinstance(times, int) else None,
            )
        )
    default = whole.get("default")
    return Script(replies, rules=rules, default=None if default is None else reply_of(default))


def reply_of(value: object) -> Reply:
    """Makes a reply from JSON; see `script_of`."""
    if isinstance(value, str):
        return reply(value)
    given = dict(as_object(value) or {})
    if not given:
        raise ValueError(f"not a reply: {json.dumps(value)}")
    blocks = [_block_of(one) for one in as_list(given.pop("blocks", [])) or []]
    given.pop("repeat", None)
    unknown = given.keys() - {one.name for one in fields(Reply)}
    if unknown:
        raise ValueError(f"no such fields of a reply: {sorted(unknown)}")
    fault = as_object(given.pop("fault", None))
    wire = as_object(given.pop("wire", None))
    base = reply(*blocks, fault=fault, wire=wire)
    return replace(base, **given)


def _block_of(value: object) -> Block:
    if isinstance(value, str):
        return text(value)
    given = as_object(value)
    if given is None:
        raise ValueError(f"not a block: {json.dumps(value)}")
    if "type" in given:
        return Block(given)
    identity, partial = given.get("id"), given.get("raw")
    if "tool" in given:
        return tool(
            str(given["tool"]),
            as_object(given.get("input")),
            id=identity if isinstance(identity, str) else None,
            raw=partial if isinstance(partial, str) else None,
        )
    if "thinking" in given:
        signature = given.get("signature")
        return thinking(
            str(given["thinking"]), signature=signature if isinstance(signature, str) else None
        )
    if "text" in given:
        return text(str(given["text"]))
    raise ValueError(f"not a block: {json.dumps(value)}")


def predicate_of(when: Json) -> Predicate:
    """Makes a predicate from the `when` of a JSON rule; all its parts must hold."""
    made: list[Predicate] = []
    for name, value in when.items():
        if name == "last_user":
            made.append(last_user_contains(str(value)))
        elif name == "tool_result":
            made.append(has_tool_result(str(value)))
        elif name == "is_tool_result":
            made.append(has_tool_result() if value else no_tool_result)
        elif name == "has_tools":
            made.append(has_tools() if value else not_(has_tools()))
        elif name == "tool":
            made.append(has_tools(str(value)))
        elif name == "summary":
            asked = is_summary(value) if isinstance(value, str) else is_summary()
            made.append(asked if value else not_(asked))
        elif name == "system":
            made.append(system_contains(str(value)))
        elif name == "model":
            made.append(model_is(str(value)))
        else:
            raise ValueError(f"no such condition of a rule: {name!r}")
    return all_of(*made)
