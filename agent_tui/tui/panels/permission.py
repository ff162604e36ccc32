"""The permission panel: the exact change or command, why it is asked, and the answers. The safe one is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from agent_tui.protocol.requests import Allow, Deny, PermissionRequest
from agent_tui.tui.displays.drawing import Options
from agent_tui.tui.editor import KillRing
from agent_tui.tui.lines import Line, Page, Span
from agent_tui.tui.look import Look
from agent_tui.tui.panels import rules
from agent_tui.tui.panels.answers import AnswerKey
from agent_tui.tui.panels.body import draw_body
from agent_tui.tui.panels.foot import draw_foot
from agent_tui.tui.panels.head import draw_head
from agent_tui.tui.panels.question import Mode, Question
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.sheet import Sheet

SIDE_BY_SIDE_WIDTH = 140


class _Head(Sheet):
    def __init__(self, look: Look, panel: PermissionPanel) -> None:
        super().__init__(look, id="question-head")
        self._panel = panel

    def draw(self, page: Page) -> Sequence[Line]:
        return self._panel.draw_head(page)


class _Body(Sheet):
    def __init__(self, look: Look, panel: PermissionPanel) -> None:
        super().__init__(look, id="question-body")
        self._panel = panel

    def draw(self, page: Page) -> Sequence[Line]:
        return self._panel.draw_body(page)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.scroll(-3)


class _Foot(Sheet):
    def __init__(self, look: Look, panel: PermissionPanel) -> None:
        super().__init__(look, id="question-foot")
        self._panel = panel

    def draw(self, page: Page) -> Sequence[Line]:
        return self._panel.draw_foot(page)


class _Text(Field):
    """The one text field of the panel; a bar beside it says that it can be typed in."""

    def lead(self, row: int) -> Sequence[Span]:
        theme, glyphs = self.look.theme, self.look.glyphs
        return (("  ", theme.style("text")), (glyphs.bar, theme.style("accent")))


class PermissionPanel(Vertical, can_focus=True):
    """Shows one request at a time; what is answered goes out as ``Answered``.

    While not ``armed`` it ignores every key and draws its letters muted.
    """

    DEFAULT_CSS = """
    PermissionPanel { height: auto; display: none; }
    PermissionPanel.-open { display: block; }
    PermissionPanel Field { display: none; margin-top: 1; }
    PermissionPanel.-typing Field { display: block; }
    """

    @dataclass
    class Answered(Message):
        """The person's answer."""

        request_id: str
        answer: Allow | Deny

    @dataclass
    class FullScreen(Message):
        """The whole screen is wanted for it, or no more."""

        on: bool

    @dataclass
    class OwnEditor(Message):
        """The text being edited is to be opened in the person's own editor."""

        field: Field

    def __init__(self, look: Look, kills: KillRing | None = None) -> None:
        super().__init__(id="question")
        self.look = look
        self.armed = False
        self.full = False
        self.place_in_line = (1, 1)
        self._question: Question | None = None
        self._sent = False
        self._limit = 0
        self._head = _Head(look, self)
        self._body = _Body(look, self)
        self._foot = _Foot(look, self)
        self._field = _Text(look, kills, band=False)

    def compose(self) -> ComposeResult:
        """Head, what it is about, a field when one is needed, answers."""
        yield self._head
        yield self._body
        yield self._field
        yield self._foot

    # -- what the screen asks of it ------------------------------------------------------------

    @property
    def request(self) -> PermissionRequest | None:
        """The request shown, None while closed."""
        return None if self._question is None else self._question.request

    @property
    def typing(self) -> bool:
        """Whether its text field is in use."""
        return self._question is not None and self._question.mode != "answers"

    def show(self, request: PermissionRequest) -> None:
        """Open with a request; the answer No is chosen and no key counts yet."""
        self._question = Question.of(request)
        self.armed = self._sent = False
        self._body.top = 0
        self.add_class("-open")
        self._enter("answers")

    def close(self) -> None:
        """Show nothing."""
        self._question = None
        self.armed = False
        self.remove_class("-open", "-typing")
        self._set_full(False)

    def arm(self) -> None:
        """From now on its keys count."""
        self.armed = True
        self.redraw()
        self.take_focus()

    def take_focus(self) -> None:
        """Put the focus where keys are meant to go."""
        (self._field if self.typing else self).focus(scroll_visible=False)

    def place(self, at: int, count: int) -> None:
        """Say which question of how many this is."""
        if (at, count) != self.place_in_line:
            self.place_in_line = (at, count)
            self._head.redraw()

    def limit_rows(self, rows: int) -> None:
        """Use at most so many rows in all; what doesn't fit of the body scrolls."""
        self._limit = rows
        self.redraw()

    def redraw(self) -> None:
        """Draw everything again, sharing the rows out: the answers always have theirs."""
        if self._question is None:
            return
        width = self.screen.size.width
        self._field.max_rows = max(1, min(self._limit // 2, 20))
        self._head.redraw()
        self._body.redraw()
        self._foot.redraw()
        fixed = len(self._head.rows(width)) + len(self._foot.rows(width))
        if self.typing:
            fixed += self._field.get_content_height(self.size, self.size, width) + 1
        self._body.max_rows = max(1, self._limit - fixed)
        self._body.redraw()
        self._foot.redraw()
        self._field.redraw()

    # -- keys ----------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Answer, or move about in the question."""
        question = self._question
        if question is None:
            return
        if not self.armed or self._sent:
            taken = event.key not in ("ctrl+c", "ctrl+z", "ctrl+l")
        elif question.mode == "answers":
            taken = self._answer_key(event.key, event.character or "", question)
        else:
            taken = self._field_key(event.key, question)
        if taken:
            event.stop()
            event.prevent_default()

    def _answer_key(self, key: str, char: str, question: Question) -> bool:
        offered: list[AnswerKey] = [choice.key for choice in question.choices()]
        if char in offered:
            self._answer(char, question)
        elif key == "enter":
            self._answer(question.chosen, question)
        elif key in ("up", "down", "ctrl+p", "ctrl+n"):
            by = -1 if key in ("up", "ctrl+p") else 1
            question.chosen = offered[(offered.index(question.chosen) + by) % len(offered)]
            self.redraw()
        elif key == "escape":
            self._send(Deny(interrupt=True))
        elif key == "tab":
            if question.update is not None and question.update.rules:
                self._enter("rule")
        elif char == "f":
            self._set_full(not self.full)
        elif key in ("pageup", "pagedown") and self._hidden() > 0:
            page = max(1, self._body.size.height - 1)
            self._body.scroll(page if key == "pagedown" else -page)
        elif self._view_key(key, char, question):
            self.redraw()
        else:
            return bool(char) and char.isprintable()
        return True

    def _view_key(self, key: str, char: str, question: Question) -> bool:
        """Keys that change what is seen of the change, or which hunks are in it."""
        if char == "u" and self.full:
            question.unified = not self._is_unified(question, self.size.width)
        elif char == "w":
            question.wrap = not question.wrap
        elif char in ("j", "k"):
            return question.move_hunk(1 if char == "j" else -1)
        elif key == "space":
            return question.toggle_hunk()
        else:
            return False
        return True

    def _answer(self, key: str, question: Question) -> None:
        match key:
            case "y":
                self._send(question.allow())
            case "a" | "s" if question.update is not None:
                place = question.place if key == "a" else "session"
                self._send(question.allow(rules.at_place([question.update], place)))
            case "h":
                if question.chosen == "h":
                    question.move_hunk(1 if question.hunk + 1 < question.hunks else -question.hunk)
                question.chosen = "h"
                self.redraw()
            case "e":
                self._enter("edit")
            case "n":
                question.chosen = "n"
                self._enter("comment")
            case _:
                pass

    def _field_key(self, key: str, question: Question) -> bool:
        if key == "escape":
            self._leave_field(question)
        elif key == "ctrl+r" and question.mode == "edit" and question.proposal is not None:
            self._field.set_value(question.proposal.text)
        elif key == "ctrl+g" and question.mode == "edit":
            self.post_message(self.OwnEditor(self._field))
        elif key == "tab" and question.mode == "rule":
            at = rules.PLACES.index(question.place) if question.place in rules.PLACES else -1
            question.place = rules.PLACES[(at + 1) % len(rules.PLACES)]
            self._foot.redraw()
        elif key in ("up", "down") and question.mode == "rule":
            update = question.other_suggestion(1 if key == "down" else -1)
            if update is not None:
                self._field.set_value(rules.rules_text(update))
        else:
            return key in ("tab", "shift+tab", "up", "down", "pageup", "pagedown")
        return True

    def on_field_changed(self, event: Field.Changed) -> None:
        """Show what the model will be told."""
        event.stop()
        question = self._question
        if question is not None:
            question.problem = ""
            if question.mode == "edit":
                question.edited = self._field.value
            self.redraw()

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Take what was typed."""
        event.stop()
        question = self._question
        if question is None or not self.armed or self._sent:
            return
        if question.mode == "comment":
            self._send(Deny(message=event.text.strip()))
        elif question.mode == "rule" and question.update is not None:
            try:
                parsed = rules.parse_rules(event.text)
            except ValueError as error:
                question.problem = str(error)
                self._foot.redraw()
                return
            question.update = replace(question.update, rules=parsed)
            question.chosen = "a"
            self._enter("answers")

    def on_paste(self, event: events.Paste) -> None:
        """Let the screen give it to the editor: a paste answers nothing."""

    # -- inside --------------------------------------------------------------------------------

    def _send(self, answer: Allow | Deny) -> None:
        question = self._question
        if question is not None and not self._sent:
            self._sent = True
            self.post_message(self.Answered(question.request.id, answer))

    def _enter(self, mode: Mode) -> None:
        question = self._question
        assert question is not None
        question.mode, question.problem = mode, ""
        field = self._field
        field.enter_submits = mode != "edit"
        if mode == "comment":
            field.placeholder = "why not? enter without a reason is a plain no"
            field.editor.replace("")
        elif mode == "rule" and question.update is not None:
            field.placeholder = ""
            field.editor.replace(rules.rules_text(question.update))
        elif mode == "edit" and question.proposal is not None:
            field.placeholder = ""
            field.editor.replace(question.text or "", 0, fold=False)
        had_keyboard = self.screen.focused in (self, field)
        self.set_class(mode != "answers", "-typing")
        self.redraw()
        if self.armed or had_keyboard:
            self.take_focus()

    def _leave_field(self, question: Question) -> None:
        if question.mode == "edit":
            question.chosen = "y" if question.is_changed else "n"
        self._enter("answers")

    def _set_full(self, on: bool) -> None:
        if on != self.full:
            self.full = on
            self.post_message(self.FullScreen(on))

    # -- drawing -------------------------------------------------------------------------------

    def one_hunk(self, width: int) -> bool:
        """Whether only one hunk is shown at a time: there is little room."""
        return not self.full and (width < 70 or self._limit < 18)

    def draw_head(self, page: Page) -> Sequence[Line]:
        """Make the rule, what is asked, and why."""
        question = self._question
        if question is None:
            return ()
        one = question.hunk if self.one_hunk(page.width) else None
        return draw_head(
            page,
            question.request,
            self.place_in_line,
            mode=question.mode,
            hunk=one,
            edited=question.is_changed,
            full=self.full,
            armed=self.armed,
        )

    def draw_body(self, page: Page) -> Sequence[Line]:
        """Make what is asked about."""
        question = self._question
        if question is None or (question.mode == "edit" and question.request.tool_name != "Edit"):
            return ()
        one = self.one_hunk(page.width)
        picks = question.picking is not None and question.edited is None and not one
        options = Options(
            expanded=True,
            wrap=question.wrap,
            side_by_side=not self._is_unified(question, page.width),
            chosen=frozenset(question.picked) if picks else None,
            current=question.hunk if question.chosen == "h" else None,
            only=question.hunk if one else None,
        )
        return draw_body(page, question.request, options)

    def draw_foot(self, page: Page) -> Sequence[Line]:
        """Make the answers, or what the field's keys do."""
        if self._question is None:
            return ()
        hidden = self._hidden(page.width)
        armed = self.armed and not self._sent
        return draw_foot(page, self._question, armed=armed, hidden=hidden)

    def _is_unified(self, question: Question, width: int) -> bool:
        if question.unified is not None:
            return question.unified
        return not self.full or width < SIDE_BY_SIDE_WIDTH

    def _hidden(self, width: int | None = None) -> int:
        """How many rows of the body don't fit."""
        shown = self._body.max_rows
        return 0 if shown is None else len(self._body.rows(width)) - shown
