"""What a program says before the session is open: ``initialize`` becomes options, and parts of the program's own."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, cast, get_args

from agent_tui.engine.extras import Extras, HookCallback, HookGroup
from agent_tui.headless.asking import STDIO, HostApprover
from agent_tui.headless.calls import HostCalls
from agent_tui.mcp.tunnel import tunnel
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.hooks import HookEvent
from agent_tui.settings.definitions import read_agents
from agent_tui.settings.options import Options

EVENTS = frozenset(get_args(HookEvent))
WHERE = "initialize"


def begun(options: Options, fields: JsonObject) -> Options:
    """Add what ``initialize`` says to the options of the command line.

    Raises:
        UsageError: a field has not the documented form.
    """
    tools, prompts = options.tools, options.prompts
    if fields.get("jsonSchema") is not None:
        tools = replace(tools, schema=_object(fields, "jsonSchema"))
    if fields.get("agents") is not None:
        agents = read_agents(fields["agents"], f"{WHERE}: agents")
        tools = replace(tools, agents=(*tools.agents, *agents))
    if fields.get("skills") is not None:
        tools = replace(tools, skills=_texts(fields, "skills"))
    servers = {name: {"type": "sdk", "name": name} for name in _texts(fields, "sdkMcpServers")}
    tools = replace(tools, servers={**tools.servers, **servers})
    for key, name in (("systemPrompt", "system_prompt"), ("appendSystemPrompt", "append_system_prompt")):  # fmt: skip
        if fields.get(key) is not None:
            prompts = replace(prompts, **{name: _prompt(fields, key)})
    return replace(
        options,
        tools=tools,
        prompts=prompts,
        subagent_text=options.subagent_text or fields.get("forwardSubagentText") is True,
    )


def parts_of(options: Options, fields: JsonObject, calls: HostCalls) -> Extras:
    """Make the parts that the program answers for: hooks, servers, approvals.

    Raises:
        UsageError: the hooks have not the documented form.
    """
    return Extras(
        approver=HostApprover(calls) if options.permissions.prompt_tool == STDIO else None,
        hooks=_hooks(fields.get("hooks") or {}, calls),
        servers={
            name: tunnel(partial(_carry, calls, name))
            for name, config in options.tools.servers.items()
            if isinstance(config, dict) and cast("JsonObject", config).get("type") == "sdk"
        },
    )


async def _carry(calls: HostCalls, server: str, message: JsonObject) -> JsonObject | None:
    request: JsonObject = {"subtype": "mcp_message", "server_name": server, "message": message}
    reply: Any = (await calls.ask(request)).get("mcp_response")
    return cast("JsonObject", reply) if isinstance(reply, dict) else None


def _hooks(given: Any, calls: HostCalls) -> dict[HookEvent, tuple[HookGroup, ...]]:
    if not isinstance(given, dict):
        raise UsageError(f"{WHERE}: hooks must be an object by event")
    found: dict[HookEvent, tuple[HookGroup, ...]] = {}
    for event, matchers in cast("JsonObject", given).items():
        if not isinstance(matchers, list):
            raise UsageError(f"{WHERE}: hooks of {event} must be a list")
        groups = tuple(_group(event, matcher, calls) for matcher in cast("list[Any]", matchers))
        if event in EVENTS:  # others are never fired here, so their hooks have nothing to guard
            found[cast("HookEvent", event)] = groups
    return found


def _group(event: str, given: Any, calls: HostCalls) -> HookGroup:
    where = f"{WHERE}: a matcher of {event}"
    if not isinstance(given, dict):
        raise UsageError(f"{where} must be an object")
    fields = cast("JsonObject", given)
    matcher, timeout = fields.get("matcher"), fields.get("timeout")
    if matcher is not None and not isinstance(matcher, str):
        raise UsageError(f"{where}: matcher must be a text")
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, int | float)):
        raise UsageError(f"{where}: timeout must be a number of seconds")
    if timeout is not None and not timeout >= 0:
        raise UsageError(f"{where}: timeout can't be negative")
    on_failure = fields.get("onFailure")
    if on_failure is not None and on_failure != "continue":
        on_failure = "block"
    ids = _texts(fields, "hookCallbackIds")
    return HookGroup(
        matcher, tuple(_callback(calls, callback_id) for callback_id in ids), timeout, on_failure
    )


def _callback(calls: HostCalls, callback_id: str) -> HookCallback:
    async def call(data: JsonObject, tool_use_id: str | None) -> JsonObject:
        return await calls.ask(
            {
                "subtype": "hook_callback",
                "callback_id": callback_id,
                "input": data,
                "tool_use_id": tool_use_id,
            }
        )

    return call


def _object(fields: JsonObject, key: str) -> JsonObject:
    value: Any = fields.get(key)
    if not isinstance(value, dict):
        raise UsageError(f"{WHERE}: {key} must be an object")
    return cast("JsonObject", value)


def _texts(fields: JsonObject, key: str) -> tuple[str, ...]:
    value: Any = fields.get(key) or []
    entries = cast("list[Any]", value) if isinstance(value, list) else []
    texts = tuple(entry for entry in entries if isinstance(entry, str))
    if not isinstance(value, list) or len(texts) < len(entries):
        raise UsageError(f"{WHERE}: {key} must be a list of texts")
    return texts


def _prompt(fields: JsonObject, key: str) -> str:
    """Read a prompt; several texts are one, parted by blank lines."""
    value: Any = fields[key]
    return value if isinstance(value, str) else "\n\n".join(_texts(fields, key))
