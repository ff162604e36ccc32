"""Prompts that wait: each runs as a turn of its own, except those sent *now*, which join the run that goes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from agent_tui.protocol.messages import QueueChanged, QueuedPrompt
from agent_tui.protocol.ops import Prompt


def begins_with_slash(prompt: Prompt) -> bool:
    """Tell whether a prompt may be a slash command."""
    return prompt.text.startswith("/") and not prompt.verbatim


class PromptQueue:
    """First in, first out; those sent *now* go before the others, in their own order. Every change is said.

    Args:
        say: tells the new queue.
        is_command: which prompts are slash commands or lines for the shell; they never join a run.
        verbatim: every prompt is taken as it is, without mentions and commands.
    """

    def __init__(
        self,
        say: Callable[[QueueChanged], Awaitable[None]],
        is_command: Callable[[Prompt], bool] = begins_with_slash,
        *,
        verbatim: bool = False,
    ) -> None:
        self._say = say
        self._is_command = is_command
        self._verbatim = verbatim
        self._items: list[Prompt] = []

    def __bool__(self) -> bool:
        return bool(self._items)

    async def add(self, prompt: Prompt) -> None:
        """Put a prompt at its place; one that is here already (by uuid) moves."""
        items = [item for item in self._items if item.uuid != prompt.uuid]
        place = len(items)
        if prompt.now:
            place = max((index + 1 for index, item in enumerate(items) if item.now), default=0)
        self._items = [*items[:place], prompt, *items[place:]]
        await self._changed()

    async def take(self) -> Prompt:
        """Take the next one."""
        prompt = self._as_meant(self._items.pop(0))
        await self._changed()
        return prompt

    async def replace(self, items: tuple[QueuedPrompt, ...]) -> None:
        """Make the queue exactly this; a prompt whose text was changed keeps its pictures."""
        known = {item.uuid: item for item in self._items}
        unseen = [item for item in self._items if not _is_shown(item)]
        self._items = unseen + [
            _edited(
                known.get(item.uuid) or Prompt(item.text, item.uuid, shell=item.shell), item.text
            )
            for item in items
        ]
        await self._changed()

    async def steering(self) -> list[Prompt]:
        """Take what was sent *now*, slash commands left out: they wait for the end of the run."""
        taken = [
            item for item in self._items if item.now and not self._is_command(self._as_meant(item))
        ]
        if taken:
            self._items = [item for item in self._items if item not in taken]
            await self._changed()
        return list(map(self._as_meant, taken))

    def _as_meant(self, prompt: Prompt) -> Prompt:
        return replace(prompt, verbatim=True) if self._verbatim else prompt

    async def _changed(self) -> None:
        items = (
            QueuedPrompt(item.uuid, item.text, item.shell)
            for item in self._items
            if _is_shown(item)
        )
        await self._say(QueueChanged(tuple(items)))


def _is_shown(prompt: Prompt) -> bool:
    """What background work says is not the person's to see in their queue, nor to edit."""
    return prompt.origin is None or prompt.origin.get("kind") != "task-notification"


def _edited(prompt: Prompt, text: str) -> Prompt:
    if prompt.text == text:
        return prompt
    content = prompt.content
    if content is not None:
        others = [block for block in content if block.get("type") != "text"]
        content = ({"type": "text", "text": text}, *others)
    return replace(prompt, text=text, content=content)
