"""What tests of sub-agents share: a place with a kind of its own, replies for it, and who said what in which order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agent_tui.engine.extras import Extras, HookGroup
from agent_tui.engine.opening import OpenSession
from agent_tui.protocol.agents import AgentDefinition
from agent_tui.protocol.content import JsonObject, TextBlock, ToolResultBlock, ToolUseBlock
from agent_tui.protocol.hooks import HookEvent
from agent_tui.protocol.messages import AssistantMessage, Message, SystemMessage, UserMessage
from agent_tui.protocol.ops import Op, Prompt
from tests.engine.sessions import Place, Talk
from tests.fakes.api_server import ApiRequest, ReplySource, system_contains, tool

SYSTEM = "HELPER SYSTEM"
HELPER = AgentDefinition("helper", "helps", SYSTEM)
KEPT = ("task_started", "task_progress", "task_updated", "task_notification")
"""System messages that are part of a sequence; the others have no fixed place."""

PROMPT = "00000000-0000-4000-8000-000000000000"


def ask(background: bool | None = False, **more: Any) -> Any:
    """Call the Agent tool."""
    given = {"description": "do it", "prompt": "SUBPROMPT", "subagent_type": "helper", **more}
    if background is not None:
        given["run_in_background"] = background
    return tool("Agent", given)


def of_agents(place: Place) -> list[ApiRequest]:
    """The requests of sub-agents with the helper's system prompt."""
    return [one for one in place.api.messages if "HELPER SYSTEM" in one.system_text]


def of_session(place: Place) -> list[ApiRequest]:
    """The others."""
    return [one for one in place.api.messages if "HELPER SYSTEM" not in one.system_text]


async def converse(
    place: Place,
    results: int,
    during: Callable[[Message, Callable[[Op], None]], None] | None = None,
    *,
    ends: int = 0,
) -> Talk:
    """Send one prompt and listen until there were so many results, and so many ends of tasks."""
    talk = Talk()

    async def body(opened: OpenSession) -> None:
        talk.journal = opened.journal_path
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", PROMPT))
            async for message in messages:
                talk.heard.append(message)
                if during is not None:
                    during(message, opened.session.send)
                over = len(talk.system("task_notification"))
                if len(talk.results) >= results and over >= ends:
                    break

    await place.run(body)
    return talk


def with_kinds(place: Place, *kinds: AgentDefinition, **changes: Any) -> Place:
    """The same place, with sessions whose program defines these kinds."""
    options = place.options
    tools = replace(options.tools, agents=kinds or (HELPER,))
    return replace(place, options=replace(options, tools=tools, **changes))


def agent_says(place: Place, *replies: ReplySource, system: str = SYSTEM) -> None:
    """Queue what the model answers to a sub-agent with this system prompt."""
    for one in replies:
        place.api.add_rule(system_contains(system), one, times=1)


def story(heard: Iterable[Message]) -> list[str]:
    """Say in order what was heard of tools, sub-agents and texts; who is not the session is named by a ``>``."""
    told: list[str] = []
    for message in heard:
        match message:
            case SystemMessage(subtype) if subtype in KEPT or subtype == "init":
                told.append(subtype)
            case AssistantMessage() | UserMessage():
                mark = "> " if message.parent_tool_use_id else ""
                content = message.content
                blocks = (TextBlock(content),) if isinstance(content, str) else content
                told += [f"{mark}{_named(message, block)}" for block in blocks]
            case _:
                pass
    return told


def _named(message: AssistantMessage | UserMessage, block: object) -> str:
    match block:
        case ToolUseBlock(name=name):
            return f"calls {name}"
        case ToolResultBlock(is_error=is_error):
            return f"result {is_error}"
        case TextBlock(text):
            who = "says" if isinstance(message, AssistantMessage) else "is told"
            return f"{who} {text.splitlines()[0]}"
        case _:
            return type(block).__name__


@dataclass
class Watch:
    """Hooks that only write down what they were told."""

    fired: list[tuple[str, JsonObject]] = field(default_factory=list[tuple[str, JsonObject]])
    says: dict[str, list[JsonObject]] = field(default_factory=dict[str, list[JsonObject]])

    def extras(self, *events: HookEvent) -> Extras:
        """Watch these events."""
        return Extras(hooks={event: (HookGroup(None, (self._hook,)),) for event in events})

    async def _hook(self, given: JsonObject, tool_use_id: str | None) -> JsonObject:
        event = str(given["hook_event_name"])
        self.fired.append((event, given))
        queued = self.says.get(event)
        return queued.pop(0) if queued else {}


def side_files(journal: Path) -> list[Path]:
    """The journals of sub-agents beside a session's."""
    return sorted((journal.with_suffix("") / "subagents").glob("*.jsonl"))


def lines(path: Path) -> list[dict[str, Any]]:
    """Read a file of JSON lines."""
    return [json.loads(line) for line in path.read_text().splitlines()]
