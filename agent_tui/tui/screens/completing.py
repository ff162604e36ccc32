"""Asks the engine what a word may mean, joins the screen's own commands, and shows the proposals."""

from __future__ import annotations

import asyncio

from agent_tui.link.base import Link
from agent_tui.protocol.queries import Complete, Completion, Completions
from agent_tui.tui.commands.stage import screen_commands
from agent_tui.tui.panes.completion import Proposal, Word
from agent_tui.tui.panes.prompt import Prompt

LIMIT = 20
AGAIN = 0.25
"""While files are still being listed the question is asked again after so many seconds."""


async def propose(link: Link, prompt: Prompt, word: Word) -> None:
    """Show proposals for the word, again and again while there are more to come; ends when it is no longer typed."""
    own = _own_commands(word.text) if word.what == "command" else []
    if own:
        prompt.show(word, own)
    recent = prompt.history.mentioned() if word.what == "file" else ()
    while word == prompt.word:
        reply = await link.ask(Complete(word.what, word.text, LIMIT, recent))
        if not isinstance(reply, Completions):
            return
        if word.what == "command":
            _show_commands(prompt, word, reply.items)
        else:
            note = "still listing files" if reply.partial else ""
            prompt.show(word, [_proposal(item) for item in reply.items], note)
        if not reply.partial:
            return
        await asyncio.sleep(AGAIN)


def _show_commands(prompt: Prompt, word: Word, items: tuple[Completion, ...]) -> None:
    """Mix the engine's commands and ours: those that begin with what is typed first, each by name."""
    ours = {p.text: p for p in _own_commands(word.text)}
    theirs = {p.text: p for p in map(_command_proposal, items)}
    every = {**theirs, **ours}
    begins = word.text.casefold()
    order = sorted(
        every, key=lambda name: (not name.removeprefix("/").casefold().startswith(begins), name)
    )
    prompt.show(word, [every[name] for name in order])


def _own_commands(typed: str) -> list[Proposal]:
    found: list[Proposal] = []
    needle = typed.casefold()
    for command in screen_commands().values():
        if any(name.startswith(needle) for name in (command.name, *command.aliases)):
            hint = f"{command.argument}  {command.summary}" if command.argument else command.summary
            matched = tuple(range(1, len(typed) + 1)) if command.name.startswith(needle) else ()
            found.append(Proposal(f"/{command.name}", hint, matched))
    return found


def _proposal(item: Completion) -> Proposal:
    return Proposal(item.text, item.hint, item.matched)


def _command_proposal(item: Completion) -> Proposal:
    name = item.text if item.text.startswith("/") else f"/{item.text}"
    shift = len(name) - len(item.text)
    return Proposal(name, item.hint, tuple(at + shift for at in item.matched))
