"""What a program hears of a conversation, kept so that a test can look at it from all sides."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from agent_tui.sdk import (
    AssistantMessage,
    ClaudeSDKClient,
    ResultError,
    ResultMessage,
    StreamEvent,
    SystemMessage,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
    query,
)
from tests.fakes.api_server import ApiRequest
from tests.fakes.api_server.rules import blocks_of
from tests.sdk.place import Place


@dataclass
class Heard:
    """Messages as they came; ``raised`` is the error a single shot ended with."""

    messages: list[Any] = field(default_factory=list[Any])
    raised: ResultError | None = None

    def all(self, kind: type[Any]) -> list[Any]:
        """Give the messages of one class."""
        return [message for message in self.messages if isinstance(message, kind)]

    def system(self, subtype: str) -> list[SystemMessage]:
        return [m for m in self.all(SystemMessage) if m.subtype == subtype]

    @property
    def results(self) -> list[ResultMessage]:
        return self.all(ResultMessage)

    @property
    def result(self) -> ResultMessage:
        return self.results[-1]

    def _blocks(self, said_by: type[Any], kind: type[Any]) -> list[Any]:
        contents: list[list[Any]] = [
            message.content for message in self.all(said_by) if not isinstance(message.content, str)
        ]
        return [block for content in contents for block in content if isinstance(block, kind)]

    @property
    def texts(self) -> list[str]:
        return [block.text for block in self._blocks(AssistantMessage, TextBlock)]

    @property
    def calls(self) -> list[ToolUseBlock]:
        return self._blocks(AssistantMessage, ToolUseBlock)

    @property
    def tool_results(self) -> list[ToolResultBlock]:
        return self._blocks(UserMessage, ToolResultBlock)

    @property
    def events(self) -> list[str]:
        return [str(m.event["type"]) for m in self.all(StreamEvent)]


async def listen(
    messages: AsyncIterator[Any], during: Callable[[Any], None] | None = None
) -> Heard:
    """Read to the end; the error of a failed run is kept, not raised."""
    heard = Heard()
    try:
        async for message in messages:
            heard.messages.append(message)
            if during is not None:
                during(message)
    except ResultError as error:
        heard.raised = error
    return heard


async def shot(place: Place, prompt: str = "go", **options: Any) -> Heard:
    """Hold a conversation of one prompt."""
    return await listen(query(prompt=prompt, options=place.options(**options)))


async def turn(client: ClaudeSDKClient, prompt: str = "go") -> Heard:
    """Send a prompt and read to its result."""
    await client.query(prompt)
    return await listen(client.receive_response())


async def turns(place: Place, *prompts: str, **options: Any) -> list[Heard]:
    """Send prompts one after another in one session; what was heard of each."""
    async with ClaudeSDKClient(place.options(**options)) as client:
        return [await turn(client, prompt) for prompt in prompts]


def shapes(request: ApiRequest) -> list[tuple[str, list[str]]]:
    """Role and types of blocks of each message of a request."""
    return [
        (str(message["role"]), [str(block["type"]) for block in blocks_of(message["content"])])
        for message in request.messages
    ]
