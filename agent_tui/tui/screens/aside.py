"""A side question and its answer, over the conversation and no part of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual import events
from textual.app import ComposeResult

from agent_tui.link.base import Link
from agent_tui.protocol.asides import Aside, AsideAnswer
from agent_tui.protocol.queries import Failed
from agent_tui.tui.look import Look
from agent_tui.tui.panes.conversation import Conversation
from agent_tui.tui.screens.help import Hints, Title
from agent_tui.tui.screens.overlay import Overlay
from agent_tui.view import figures
from agent_tui.view.blocks import AnswerBlock, ErrorBlock, PromptBlock

WAITING = "waiting for the answer; what goes on goes on"


class AsideScreen(Overlay[None], inherit_bindings=False):
    """Asks as soon as it is shown.

    Args:
        look: how things look.
        link: answers.
        question: what is asked.
        copy: puts the answer into the clipboard.
    """

    AUTO_FOCUS = ""

    def __init__(self, look: Look, link: Link, question: str, copy: Callable[[str], None]) -> None:
        super().__init__()
        self._look = look
        self._link = link
        self._question = question
        self._copy = copy
        self._answer = ""
        self._title = Title(look, "By the way")
        self._body = Conversation(look, id="aside-body")

    def compose(self) -> ComposeResult:
        """Title, question and answer, hints."""
        yield self._title
        yield self._body
        hints = (("up down", "scroll"), ("y", "copy the answer"), ("esc", "back"))
        yield Hints(self._look, hints, word="not part of the conversation")

    def on_mount(self) -> None:
        """Ask."""
        self._body.extend([PromptBlock("aside-question", self._question)])
        self._say(WAITING)
        self.run_worker(self._ask, group="aside")

    def _say(self, words: str) -> None:
        self._title.facts = ((words, self._look.theme.style("muted")),)
        self._title.redraw()

    async def _ask(self) -> None:
        reply = await self._link.ask(Aside(self._question))
        if not self.is_attached:
            return
        match reply:
            case AsideAnswer(text, cost):
                self._answer = text
                self._body.extend([AnswerBlock("aside-answer", text)])
                self._say(figures.money(cost))
            case Failed(error):
                self._body.extend([ErrorBlock("aside-answer", error)])
                self._say("")
            case _:
                pass

    def on_key(self, event: events.Key) -> None:
        """Scroll, copy, leave."""
        key = event.key
        steps = {
            "up": partial(self._body.scroll_rows, -1),
            "k": partial(self._body.scroll_rows, -1),
            "down": partial(self._body.scroll_rows, 1),
            "j": partial(self._body.scroll_rows, 1),
            "pageup": partial(self._body.page, -1),
            "pagedown": partial(self._body.page, 1),
        }
        if key in steps:
            steps[key]()
        elif key == "y" and self._answer:
            self._copy(self._answer)
            self._say("copied")
        elif key in ("escape", "q", "enter", "ctrl+c", "ctrl+d"):
            self.answer()
        else:
            return
        event.stop()
