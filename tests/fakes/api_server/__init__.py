"""A strict Messages API on the loopback address, for tests and for driving the real program.

It speaks HTTP and server-sent events, answers from a script, refuses what the real API refuses,
accounts for the prompt cache, and can go wrong in every way that a network or a gateway can::

    from tests.fakes.api_server import ApiServer, reply, tool, cut

    with ApiServer(reply(tool("Read", file_path="a.txt")), reply("Half", fault=cut(0, 2))) as api:
        run_something(base_url=api.url)
        api.check()

The parts: `rules` checks a request, `cache` does the cache accounting, `script` has replies and
faults, `wire` makes bytes of them, `server` is the HTTP server.
"""

from .cache import Accounting, PromptCache
from .rules import MODELS, ModelFacts, RefusedError, Seen, Settings, check, enforce
from .script import (
    ApiRequest,
    Block,
    Fault,
    Reply,
    ReplySource,
    Rule,
    Script,
    Wire,
    all_of,
    any_of,
    cut,
    eof,
    hangup,
    has_tool_result,
    has_tools,
    http_error,
    is_summary,
    last_user_contains,
    malformed_sse,
    model_is,
    no_tool_result,
    not_,
    raw,
    redacted,
    reply,
    result_text,
    rule,
    script_of,
    sse_error,
    stall,
    system_contains,
    text,
    thinking,
    tool,
)
from .server import ApiServer

__all__ = [
    "MODELS",
    "Accounting",
    "ApiRequest",
    "ApiServer",
    "Block",
    "Fault",
    "ModelFacts",
    "PromptCache",
    "RefusedError",
    "Reply",
    "ReplySource",
    "Rule",
    "Script",
    "Seen",
    "Settings",
    "Wire",
    "all_of",
    "any_of",
    "check",
    "cut",
    "enforce",
    "eof",
    "hangup",
    "has_tool_result",
    "has_tools",
    "http_error",
    "is_summary",
    "last_user_contains",
    "malformed_sse",
    "model_is",
    "no_tool_result",
    "not_",
    "raw",
    "redacted",
    "reply",
    "result_text",
    "rule",
    "script_of",
    "sse_error",
    "stall",
    "system_contains",
    "text",
    "thinking",
    "tool",
]
