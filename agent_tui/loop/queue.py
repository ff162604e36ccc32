"""Prompts that wait: each runs as a turn of its own, except those sent *now*, which join the run that goes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from agent_tui.protocol.messages import QueueChanged, QueuedPrompt
from agent_tui.protocol.ops import Prompt


class PromptQueue:
    """First in, first out; ``now`` goes first. Every change is said."""

    def __init__(self, say: Callable[[QueueChanged], Awaitable[None]]) -> None:
        self._say = say
        self._items: list[Prompt] = []

    def __bool__(self) -> bool:
        return bool(self._items)

    async def add(self, prompt: Prompt) -> None:
        """Put a prompt at its place; one that is here already (by uuid) moves."""
        items = [item for item in self._items if item.uuid != prompt.uuid]
        self._items = [prompt, *items] if prompt.now else [*items, prompt]
        await self._changed()

    async def take(self) -> Prompt:
        """Take the next one."""
        prompt = self._items.pop(0)
        await self._changed()
        return prompt

    async def replace(self, items: tuple[QueuedPrompt, ...]) -> None:
        """Make the queue exactly this."""
        known = {item.uuid: item for item in self._items}
        self._items = [
            Prompt(item.text, item.uuid, now=item.uuid in known and known[item.uuid].now)
            for item in items
        ]
        await self._changed()

    async def steering(self) -> list[Prompt]:
        """Take what was sent *now*, slash commands left out: they wait for the end of the run."""
        taken = [item for item in self._items if item.now and not item.text.startswith("/")]
        if taken:
            self._items = [item for item in self._items if item not in taken]
            await self._changed()
        return taken

    async def _changed(self) -> None:
        items = tuple(QueuedPrompt(item.uuid, item.text) for item in self._items)
        await self._say(QueueChanged(items))
