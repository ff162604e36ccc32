"""What the API says to a request: the strict check of the test server, and what it has seen of thinking."""

from __future__ import annotations

import json

from agent_tui.journal.entries import AssistantEntry, Entry
from agent_tui.model.client import ModelRequest
from agent_tui.protocol.content import JsonObject
from tests.fakes.api_server.rules import Seen, SentThinking, check, parse

HEADERS = {"x-api-key": "test", "anthropic-version": "2023-06-01"}


def body(request: ModelRequest) -> JsonObject:
    """The body that goes out, having gone through JSON."""
    whole: JsonObject = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "stream": True,
        "messages": list(request.messages),
        **request.extra,
    }
    if request.system:
        whole["system"] = list(request.system)
    if request.tools:
        whole["tools"] = list(request.tools)
    return parse(json.dumps(whole, ensure_ascii=False).encode("utf-8"))


def complaints(request: ModelRequest, seen: Seen | None = None) -> list[str]:
    """What the API refuses in the request; nothing when it takes it."""
    return check(body(request), HEADERS, seen_thinking=seen)


def sent_thinking(entries: list[Entry]) -> Seen:
    """The thinking a server remembers to have sent."""
    seen = Seen()
    for entry in entries:
        if not isinstance(entry, AssistantEntry):
            continue
        for block in entry.blocks:
            if block.get("type") == "thinking" and block.get("signature"):
                sent = SentThinking(block["thinking"], entry.asked_model)
                seen.thinking.setdefault(block["signature"], sent)
            elif block.get("type") == "redacted_thinking":
                seen.redacted[block["data"]] = entry.asked_model
    return seen
