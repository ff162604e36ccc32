"""The rewind screen: choose an earlier prompt, see what would change, go back."""

from __future__ import annotations

import asyncio
from functools import partial

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.strip import Strip

from agent_tui.link.base import Link
from agent_tui.protocol.queries import Failed, PreviewRewind, Rewind
from agent_tui.protocol.queries import RewindList as AskPoints
from agent_tui.protocol.reviews import Consent, RewindPlan, RewindPoint, RewindPoints, Rewound
from agent_tui.tui.lines import Line, Page, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.panes.queue import rule_line
from agent_tui.tui.panes.reviewbars import Pairs, hint_spans
from agent_tui.tui.panes.rewindlist import PlanSheet, RewindList
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.overlay import Overlay
from agent_tui.tui.theme import TextRole
from agent_tui.view.clean import clean

TWO_PANES = 100
SHORT = 80
BOTH = "conversation and files"
PAUSE = 0.06
"""Seconds until a moment that is passed by is looked at."""
NOTHING = "There is no prompt to go back to yet."
NOT_KEPT = "files are not kept in this session"


class _Divider(Sheet):
    def draw(self, page: Page) -> list[Line]:
        """Give no rows: the line is drawn whatever the height."""
        return []

    def render_line(self, y: int) -> Strip:
        """Draw one cell of it."""
        return Strip([Segment(self.look.glyphs.divide, self.look.theme.style("line"))])


class _Bar(Sheet):
    """Words over a rule, or a rule over two rows of words."""

    def __init__(self, look: Look, id: str, title: str = "") -> None:
        super().__init__(look, id=id)
        self.title = title
        self.word: tuple[str, TextRole] = ("", "muted")
        self.pairs: Pairs = ()

    def draw(self, page: Page) -> list[Line]:
        """Make the rows."""
        theme = page.theme
        rule = rule_line(page, (), ())
        if self.title:
            below = "choose the prompt to go back to: it, and all that came of it, is undone"
            spans = [(self.title, theme.style("strong", bold=True))]
            if page.width >= 80:
                spans.append((f"  {below}", theme.style("muted")))
            return [make_line(page, spans, column=1), rule]
        word = [(self.word[0], theme.style(self.word[1]))]
        hints = make_line(page, hint_spans(page, self.pairs), column=1)
        return [rule, make_line(page, word, column=1), hints]


class RewindScreen(Overlay[Rewound | None], inherit_bindings=False):
    """Goes back; gives what was done, None when nothing was."""

    AUTO_FOCUS = ""

    def __init__(self, look: Look, link: Link) -> None:
        super().__init__()
        self._look = look
        self._link = link
        self._head = _Bar(look, "rewind-head", "Rewind")
        self._list = RewindList(look)
        self._plan = PlanSheet(look)
        self._foot = _Bar(look, "rewind-foot")
        self._going = False

    def compose(self) -> ComposeResult:
        """Title, moments and what would change, keys."""
        yield self._head
        with Horizontal(id="rewind-panes"):
            yield self._list
            yield _Divider(self._look, id="rewind-divider")
            yield self._plan
        yield self._foot

    def on_mount(self) -> None:
        """Ask for the moments."""
        self._list.focus()
        self.run_worker(self._load, group="list", exclusive=True)

    def on_resize(self, event: events.Resize) -> None:
        """One pane below a width."""
        self.set_class(event.size.width < TWO_PANES, "-one-pane")
        self._hint()

    # -- what the engine says --------------------------------------------------------------------

    async def _load(self) -> None:
        reply = await self._link.ask(AskPoints())
        if not self.is_attached:
            return
        match reply:
            case RewindPoints(points, kept):
                self._list.show(points, NOTHING)
                if not kept:
                    self._say(NOT_KEPT)
            case Failed(error):
                self._list.show((), clean(error))
            case _:
                pass
        self._look_at()

    def _look_at(self) -> None:
        point = self._list.current
        self._plan.show(point, None, "looking at the files")
        if point is not None:
            self.run_worker(partial(self._preview, point), group="plan", exclusive=True)
        self._hint()

    async def _preview(self, point: RewindPoint) -> None:
        await asyncio.sleep(PAUSE)
        reply = await self._link.ask(PreviewRewind(point.uuid))
        if not self.is_attached or self._list.current != point:
            return
        if isinstance(reply, RewindPlan):
            self._plan.show(point, reply)
        elif isinstance(reply, Failed):
            self._plan.show(point, None, clean(reply.error))
        self._hint()

    async def _go(self, *, files: bool, conversation: bool) -> None:
        point, plan = self._list.current, self._plan
        if point is None:
            return
        also = tuple(Consent(file.path, file.seen) for file in plan.foreign) if plan.also else ()
        reply = await self._link.ask(Rewind(point.uuid, files, conversation, also))
        self._going = False
        if not self.is_attached:
            return
        if isinstance(reply, Rewound):
            self.answer(reply)
        elif isinstance(reply, Failed):
            self._say(clean(reply.error), "warning")

    # -- keys ------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Choose, go back, leave."""
        key, char = event.key, event.character or ""
        if self._going:
            event.stop()
            return
        step = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}.get(key)
        if step is None and char in ("j", "k"):
            step = 1 if char == "j" else -1
        if key in ("escape", "ctrl+c", "ctrl+d") or char == "q":
            self._back()
        elif step is not None:
            self._move(step)
        elif key in ("enter", "tab", "shift+tab"):
            self._enter(key)
        elif not self._deed(char):
            return
        event.stop()

    def _back(self) -> None:
        if self.has_class("-one-pane") and self.has_class("-plan"):
            self.remove_class("-plan")
            self._hint()
        else:
            self.answer(None)

    def _move(self, step: int) -> None:
        if self.has_class("-one-pane") and self.has_class("-plan"):
            self._plan.scroll(step)
            return
        at = max(0, min(self._list.at + step, len(self._list.points) - 1))
        if self._list.choose(at):
            self._say("")
            self._look_at()

    def _enter(self, key: str) -> None:
        if self.has_class("-one-pane"):
            self.toggle_class("-plan")
            self._plan.redraw()
            self._hint()
        elif key == "enter":
            self._say("b f c: what shall go back?")

    def _deed(self, char: str) -> bool:
        plan = self._plan.plan
        ways = {"b": (True, True), "f": (True, False), "c": (False, True)}
        if char == "o" and self._plan.foreign:
            self._plan.also = not self._plan.also
            self._plan.redraw()
            self._hint()
            return True
        if char not in ways:
            return False
        if plan is None or not self._shown:
            self._say("wait until it is known what would change, or press enter to see it")
            return True
        files, conversation = ways[char]
        if files and not conversation and not self._plan.changes_files:
            self._say("no file would be put back")
        elif conversation and not plan.conversation:
            self._say("the conversation did not move there: f puts the files back")
        else:
            self._going = True
            self._say("going back")
            go = partial(self._go, files=files, conversation=conversation)
            self.run_worker(go, group="go", exclusive=True)
        return True

    @property
    def _shown(self) -> bool:
        """Whether the person can see what would change."""
        return not self.has_class("-one-pane") or self.has_class("-plan")

    # -- words -----------------------------------------------------------------------------------

    def _say(self, word: str, role: TextRole = "muted") -> None:
        self._foot.word = (word, role)
        self._foot.redraw()

    def _hint(self) -> None:
        pairs: list[tuple[str, str]] = []
        if not self._shown:
            pairs = [("up down", "choose"), ("enter", "see what would change")]
        elif self._plan.plan is not None:
            pairs = [("b", BOTH), ("f", "files only"), ("c", "conversation only")]
            if self.size.width < SHORT:
                pairs = [("b", "both"), ("f", "files"), ("c", "conversation")]
            if not self._plan.changes_files:
                pairs = [("c", "conversation")]
            if self._plan.foreign:
                wish = "leave" if self._plan.also else "put back"
                more = " what others changed, too" if self.size.width >= SHORT else " others'"
                pairs.append(("o", f"{wish}{more}"))
        self._foot.pairs = (*pairs, ("esc", "back"))
        self._foot.redraw()

    # -- mouse -----------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        """Choose the moment clicked."""
        if event.widget is self._list and self._list.choose(event.y + self._list.top - 1):
            self._look_at()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll."""
        (self._plan if event.widget is self._plan else self._list).scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll."""
        (self._plan if event.widget is self._plan else self._list).scroll(-3)
