"""The rule over the editor, which carries the words, and the prompts that wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip

from agent_tui.protocol.masking import Masker
from agent_tui.protocol.messages import PermissionMode, QueuedPrompt
from agent_tui.tui.lines import Line, Page, Span, cut_spans, make_line, spans_width, width_of
from agent_tui.tui.look import Look
from agent_tui.tui.panes.completion import chosen_line
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.panes.status import MODE_ROLES, MODE_WORDS, mode_name
from agent_tui.tui.prompts import as_typed
from agent_tui.tui.theme import TextRole
from agent_tui.view.clean import clean

SHOWN = 5
Hints = tuple[tuple[str, str], ...]


def rule_line(
    page: Page, left: Sequence[Span], right: Sequence[Span], role: TextRole = "line"
) -> Line:
    """Draw a rule over the whole row with words in it, two cells in from either side."""
    theme = page.theme
    line, gap = theme.style(role), (" ", theme.style("text"))
    mark = page.glyphs.rule
    room = page.width - 6 - (spans_width(right) + 2 if right else 0)
    words = cut_spans(left, max(room - 2, 0), page.glyphs.cut) if left else []
    out: list[Span] = [(mark * 2, line)]
    out += [gap, *words, gap] if words else []
    tail: list[Span] = [gap, *right, gap, (mark * 2, line)] if right else []
    fill = page.width - spans_width(out) - spans_width(tail)
    out += [(mark * max(fill, 0), line), *tail]
    return Line(Strip([Segment(text, style) for text, style in out]).crop(0, page.width))


class Rule(Sheet):
    """The line between conversation and editor. Its words cost no row of their own."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="rule")
        self.mode: PermissionMode = "default"
        self.words: tuple[tuple[str, TextRole], ...] = ()
        self.right: tuple[tuple[str, TextRole], ...] = ()
        self.hints: Hints = ()

    def show(
        self,
        mode: PermissionMode,
        words: Sequence[tuple[str, TextRole]] = (),
        right: Sequence[tuple[str, TextRole]] = (),
        hints: Hints = (),
    ) -> None:
        """Take what it is to say; draws only when that differs."""
        new = (mode, tuple(words), tuple(right), tuple(hints))
        if new != (self.mode, self.words, self.right, self.hints):
            self.mode, self.words, self.right, self.hints = new
            self.redraw()

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the one row."""
        theme = page.theme
        gap = ("   ", theme.style("muted"))
        left: list[Span] = []
        if self.mode != "default":
            role = theme.style(MODE_ROLES[self.mode])
            left.append((mode_name(self.mode), role))
            if page.width >= 80:
                left.append((f"  {MODE_WORDS.get(self.mode, '')}", role))
        for text, role in self.words:
            left += [gap] if left else []
            left.append((clean(text), theme.style(role)))
        right: list[Span] = []
        for text, role in self.right:
            right += [gap] if right else []
            right.append((clean(text), theme.style(role)))
        for key, what in self.hints if page.width >= 70 else ():
            right += [gap] if right else []
            right += [(key, theme.style("accent", bold=True)), (f" {what}", theme.style("muted"))]
        role = "line" if self.mode == "default" else MODE_ROLES[self.mode]
        return [rule_line(page, left, right, role)]


class Queue(Sheet, can_focus=True):
    """The waiting prompts, numbered. With the focus they can be changed."""

    DEFAULT_CSS = "Queue { height: auto; }"

    @dataclass
    class Changed(Message):
        """The queue is to be exactly these."""

        items: tuple[QueuedPrompt, ...]

    @dataclass
    class Taken(Message):
        """An item left the queue: to be edited (from place ``at``), or to be sent now."""

        item: QueuedPrompt
        at: int
        what: Literal["edit", "now"]

    @dataclass
    class Left(Message):
        """The focus goes back to the editor."""

    HINTS: Hints = (
        ("e", "edit"),
        ("d", "delete"),
        ("J K", "move"),
        ("enter", "send now"),
        ("esc", "back"),
    )

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="queue")
        self.items: tuple[QueuedPrompt, ...] = ()
        self.at = 0
        self.folded = False
        self._joining: set[str] = set()

    def show(self, items: Sequence[QueuedPrompt]) -> None:
        """Take the queue as it is now."""
        chosen = self.items[self.at].uuid if self.at < len(self.items) else ""
        self.items = tuple(items)
        ids = [item.uuid for item in self.items]
        self.at = ids.index(chosen) if chosen in ids else max(0, min(self.at, len(ids) - 1))
        if not self.items and self.has_focus:
            self.post_message(self.Left())
        self.redraw()

    def draw(self, page: Page) -> Sequence[Line]:
        """Make a row per prompt in sight."""
        if self.folded and not self.has_focus:
            return ()
        theme = page.theme
        first = max(0, min(self.at - SHOWN + 1, len(self.items) - SHOWN)) if self.has_focus else 0
        rows: list[Line] = []
        for at, item in enumerate(self.items[first : first + SHOWN], first):
            chosen = self.has_focus and at == self.at
            text = Masker().mask(clean(" ".join(as_typed(item).split())))
            role: TextRole = "strong" if chosen else "muted"
            if chosen:
                rows.append(chosen_line(page, [(text, theme.style(role, "select"))], chosen=True))
                continue
            number = str(at + 1)
            lead = [(" " * max(0, 2 - width_of(number)) + number, theme.style("muted"))]
            joins = item.uuid in self._joining
            facts = [("joins the run after this step", theme.style("accent"))] if joins else []
            rows.append(make_line(page, [(text, theme.style(role))], lead=lead, facts=facts))
        left = len(self.items) - SHOWN
        if left > 0:
            rows.append(make_line(page, [(f"{left} more", theme.style("muted"))]))
        return rows

    def on_focus(self) -> None:
        """Show which one is chosen."""
        self.redraw()

    def on_blur(self) -> None:
        """Stop showing it."""
        self.redraw()

    def on_key(self, event: events.Key) -> None:
        """Change the queue."""
        if self.items and self._take_key(event.key, event.character or ""):
            event.stop()
            event.prevent_default()

    def _take_key(self, key: str, char: str) -> bool:
        if key in ("up", "k", "ctrl+p"):
            self.at = max(0, self.at - 1)
            self.redraw()
        elif key in ("down", "j", "ctrl+n"):
            self.at = min(len(self.items) - 1, self.at + 1)
            self.redraw()
        elif char in ("J", "K") or key in ("shift+up", "shift+down"):
            self._move(1 if char == "J" or key == "shift+down" else -1)
        elif key in ("d", "delete", "backspace"):
            self._change(self._without())
        elif key == "e":
            self._take("edit")
        elif key in ("enter", "n"):
            self._take("now")
        elif key in ("escape", "tab") or (
            self.look.habits.keys.action(key, "screen") == "screen:editQueue"
        ):
            self.post_message(self.Left())
        else:
            return False
        return True

    def _without(self) -> tuple[QueuedPrompt, ...]:
        return (*self.items[: self.at], *self.items[self.at + 1 :])

    def _take(self, what: Literal["edit", "now"]) -> None:
        item, at = self.items[self.at], self.at
        self._change(self._without())
        if what == "now":
            self._joining.add(item.uuid)
            self.post_message(self.Left())
        self.post_message(self.Taken(item, at, what))

    def _move(self, by: int) -> None:
        to = self.at + by
        if 0 <= to < len(self.items):
            items = list(self.items)
            items[self.at], items[to] = items[to], items[self.at]
            self.at = to
            self._change(tuple(items))

    def _change(self, items: tuple[QueuedPrompt, ...]) -> None:
        """Show it at once and say it; the engine's word comes back and counts."""
        self.items = items
        self.at = max(0, min(self.at, len(items) - 1))
        self.redraw()
        self.post_message(self.Changed(items))
