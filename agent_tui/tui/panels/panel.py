"""What the panels that ask the person have in common: head, body, a text field, foot, and when keys count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from agent_tui.protocol.requests import Allow, Deny, PermissionRequest, PermissionRuleValue
from agent_tui.tui.editor import KillRing
from agent_tui.tui.lines import Line, Page, Span
from agent_tui.tui.look import Look
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.sheet import Sheet

LEAST_FOOT = 2
"""Rows the answers have, however low the screen is."""

PASSED_ON = ("ctrl+c", "ctrl+z", "ctrl+l")
"""Keys that mean the same whether or not a question is open."""


class Part(Sheet):
    """Head, body or foot: draws what the panel says; the wheel scrolls it."""

    def __init__(
        self, look: Look, name: str, make: Callable[[Page], Sequence[Line]], classes: str = ""
    ) -> None:
        super().__init__(look, id=name, classes=classes)
        self._make = make

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the rows."""
        return self._make(page)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Go down."""
        event.stop()
        self.scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Go up."""
        event.stop()
        self.scroll(-3)


class PanelText(Field):
    """The one text field of a panel; a bar beside it says that it can be typed in."""

    def lead(self, row: int) -> Sequence[Span]:
        """Draw the bar."""
        theme, glyphs = self.look.theme, self.look.glyphs
        return (("  ", theme.style("text")), (glyphs.bar, theme.style("accent")))


class Panel(Vertical, can_focus=True):
    """Shows one request at a time; what is answered goes out as ``Answered``.

    While not ``armed`` it ignores every key and draws its letters muted. ``pressed`` is told of each key that it ignored
    and of each that answered: both put off the moment at which keys count.
    """

    DEFAULT_CSS = """
    Panel { height: auto; display: none; }
    Panel.-open { display: block; }
    Panel Field { display: none; margin-top: 1; }
    Panel.-typing Field { display: block; }
    """

    @dataclass
    class Answered(Message):
        """The person's answer."""

        request_id: str
        answer: Allow | Deny

    @dataclass
    class RulesTyped(Message):
        """Rules for "always" are being typed: would they let the call through?"""

        panel: Panel
        request_id: str
        rules: tuple[PermissionRuleValue, ...]

    @dataclass
    class FullScreen(Message):
        """The whole screen is wanted for it, or no more."""

        on: bool

    @dataclass
    class LinesWanted(Message):
        """The person wants to comment on single lines of a plan."""

        request: PermissionRequest

    @dataclass
    class OwnEditor(Message):
        """The text being edited is to be opened in the person's own editor."""

        field: Field

    def __init__(self, look: Look, kills: KillRing | None, name: str) -> None:
        super().__init__(id=name)
        self.look = look
        self.armed = False
        self.sent = False
        self.full = False
        self.pressed: Callable[[], None] = lambda: None
        self.place_in_line = (1, 1)
        self.limit = 0
        self.head = Part(look, f"{name}-head", self.draw_head)
        self.body = Part(look, f"{name}-body", self.draw_body, "panel-body")
        self.foot = Part(look, f"{name}-foot", self.draw_foot)
        self.field = PanelText(look, kills, band=False)

    def compose(self) -> ComposeResult:
        """Head, what it is about, a field when one is needed, answers."""
        yield self.head
        yield self.body
        yield self.field
        yield self.foot

    # -- what a kind of panel is ---------------------------------------------------------------

    @property
    def request(self) -> PermissionRequest | None:
        """The request shown, None while closed."""
        raise NotImplementedError

    @property
    def typing(self) -> bool:
        """Whether its text field is in use."""
        raise NotImplementedError

    def begin(self, request: PermissionRequest) -> None:
        """Take a request: the safe answer is chosen."""
        raise NotImplementedError

    def forget(self) -> None:
        """Let go of the request."""
        raise NotImplementedError

    def take_key(self, key: str, char: str) -> bool:
        """Act on a key that counts; tell whether it was the panel's."""
        raise NotImplementedError

    def draw_head(self, page: Page) -> Sequence[Line]:
        """Make the rule and what is asked."""
        raise NotImplementedError

    def draw_body(self, page: Page) -> Sequence[Line]:
        """Make what it is about; scrolls when there is little room."""
        raise NotImplementedError

    def draw_foot(self, page: Page) -> Sequence[Line]:
        """Make what always has its rows."""
        raise NotImplementedError

    # -- what the screen asks of it ------------------------------------------------------------

    def show(self, request: PermissionRequest) -> None:
        """Open with a request; no key counts yet."""
        self.armed = self.sent = False
        self.body.top = 0
        self.add_class("-open")
        self.begin(request)

    def close(self) -> None:
        """Show nothing."""
        self.forget()
        self.armed = False
        self.remove_class("-open", "-typing")
        self.set_full(False)

    def arm(self) -> None:
        """From now on its keys count."""
        self.armed = True
        self.redraw()
        self.take_focus()

    def take_focus(self) -> None:
        """Put the focus where keys are meant to go."""
        (self.field if self.typing else self).focus(scroll_visible=False)

    def place(self, at: int, count: int) -> None:
        """Say which question of how many this is."""
        if (at, count) != self.place_in_line:
            self.place_in_line = (at, count)
            self.head.redraw()

    def rules_judged(self, typed: RulesTyped, allows: bool, why: str) -> None:
        """Take what was found about rules that were typed; a panel that asks for none has no use for it."""

    def limit_rows(self, rows: int) -> None:
        """Use at most so many rows in all; what doesn't fit of the body scrolls."""
        self.limit = rows
        self.redraw()

    def redraw(self) -> None:
        """Draw everything again, sharing the rows out: the answers always have theirs."""
        if self.request is None:
            return
        width = self.screen.size.width
        self.field.max_rows = max(1, min(self.limit // 2, 20))
        self.head.redraw()
        self.body.redraw()
        self.foot.redraw()
        fixed = len(self.head.rows(width))
        if self.typing:
            fixed += self.field.get_content_height(self.size, self.size, width) + 1
        foot = self.foot.rows(width)
        self.foot.max_rows = max(LEAST_FOOT, self.limit - fixed - 1)
        fixed += min(len(foot), self.foot.max_rows)
        self.body.max_rows = max(1, self.limit - fixed)
        self.body.redraw()
        self.foot.redraw()
        self._keep_chosen_in_sight(foot, self.foot.max_rows)
        self.field.redraw()

    def _keep_chosen_in_sight(self, foot: Sequence[Line], shown: int) -> None:
        """Scroll the answers where they don't fit: the chosen one, at first the safe one, is always seen."""
        mark = self.look.glyphs.prompt
        chosen = next((at for at, row in enumerate(foot) if mark in row.strip.text), 0)
        top = min(self.foot.top, chosen)
        self.foot.top = max(0, min(max(top, chosen - shown + 1), len(foot) - shown))
        self.foot.refresh()

    def set_typing(self, on: bool) -> None:
        """Show the text field, or put it away; the keyboard goes along."""
        had_keyboard = self.screen.focused in (self, self.field)
        self.set_class(on, "-typing")
        self.redraw()
        if self.armed or had_keyboard:
            self.take_focus()

    def set_full(self, on: bool) -> None:
        """Ask for the whole screen, or give it back."""
        if on != self.full:
            self.full = on
            self.post_message(self.FullScreen(on))

    def send(self, answer: Allow | Deny) -> None:
        """Give the answer; only the first one counts."""
        if self.request is not None and not self.sent:
            self.sent = True
            self.post_message(self.Answered(self.request.id, answer))
            self.pressed()

    def rest(self) -> None:
        """Ignore keys until none has come for a moment: what comes next is meant."""
        self.armed = False
        self.redraw()
        self.pressed()

    # -- keys ----------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Answer, or move about in the question."""
        if self.request is None:
            return
        if not self.armed or self.sent:
            taken = event.key not in PASSED_ON
            self.pressed()
        else:
            taken = self.take_key(event.key, event.character or "")
        if taken:
            event.stop()
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Let the screen give it to the editor: a paste answers nothing."""
