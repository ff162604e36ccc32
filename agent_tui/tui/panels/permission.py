"""The permission panel: the exact change or command, why it is asked, and the answers. The safe one is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from agent_tui.protocol.display import DiffDisplay
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    Destination,
    PermissionRequest,
    PermissionUpdate,
)
from agent_tui.tui.displays.drawing import Options
from agent_tui.tui.editor import KillRing
from agent_tui.tui.lines import Line, Page, Span, blank_line, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.panels import rules
from agent_tui.tui.panels.answers import AnswerKey, Choice, choices, draw_choices
from agent_tui.tui.panels.body import draw_body
from agent_tui.tui.panels.head import draw_head
from agent_tui.tui.panels.proposal import (
    Proposal,
    changed_input,
    changed_lines,
    note_for_model,
    proposal_of,
)
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.view.clean import clean

Mode = Literal["answers", "comment", "rule", "edit"]
SIDE_BY_SIDE_WIDTH = 140
TOLD_ROWS = 6


@dataclass(slots=True)
class _State:
    """What the person has made of the question so far."""

    request: PermissionRequest
    proposal: Proposal | None
    place: Destination = "localSettings"
    suggestion: int = 0
    update: PermissionUpdate | None = None
    chosen: AnswerKey = "n"
    mode: Mode = "answers"
    edited: str | None = None
    hunk: int = 0
    unified: bool | None = None
    wrap: bool = False
    problem: str = ""


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
    PermissionPanel Field { display: none; }
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
        self._state: _State | None = None
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
        return None if self._state is None else self._state.request

    @property
    def typing(self) -> bool:
        """Whether its text field is in use."""
        return self._state is not None and self._state.mode != "answers"

    def show(self, request: PermissionRequest) -> None:
        """Open with a request; the answer No is chosen and no key counts yet."""
        suggestion = request.suggestions[0] if request.suggestions else None
        self._state = _State(request, proposal_of(request), update=suggestion)
        self.armed = self._sent = False
        self._body.top = 0
        self.add_class("-open")
        self._enter("answers")

    def close(self) -> None:
        """Show nothing."""
        self._state = None
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
        """Draw everything again."""
        if self._state is None:
            return
        self._field.max_rows = max(1, min(self._limit // 2, 20))
        for part in (self._head, self._foot):
            part.redraw()
        fixed = len(self._head.rows()) + len(self._foot.rows())
        fixed += (
            self._field.get_content_height(self.size, self.size, self.size.width) + 1
            if (self.typing)
            else 0
        )
        self._body.max_rows = max(1, self._limit - fixed)
        self._body.redraw()
        self._field.redraw()

    # -- keys ----------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Answer, or move about in the question."""
        state = self._state
        if state is None:
            return
        if not self.armed or self._sent:
            taken = event.key not in ("ctrl+c", "ctrl+z", "ctrl+l")
        elif state.mode == "answers":
            taken = self._answer_key(event.key, event.character or "", state)
        else:
            taken = self._field_key(event.key, state)
        if taken:
            event.stop()
            event.prevent_default()

    def _answer_key(self, key: str, char: str, state: _State) -> bool:
        offered: list[AnswerKey] = [choice.key for choice in self._choices(state)]
        if char in offered:
            self._answer(char, state)
        elif key == "enter":
            self._answer(state.chosen, state)
        elif key in ("up", "down", "ctrl+p", "ctrl+n"):
            by = -1 if key in ("up", "ctrl+p") else 1
            state.chosen = offered[(offered.index(state.chosen) + by) % len(offered)]
            self._foot.redraw()
        elif key == "escape":
            self._send(Deny(interrupt=True))
        elif key == "tab":
            if state.update is not None and state.update.rules:
                self._enter("rule")
        elif char == "f":
            self._set_full(not self.full)
        elif char == "u" and self.full:
            state.unified = not self._is_unified(state, self.size.width)
            self._body.redraw()
        elif char == "w":
            state.wrap = not state.wrap
            self._body.redraw()
        elif char in ("j", "k"):
            self._next_hunk(1 if char == "j" else -1, state)
        elif key in ("pageup", "pagedown") and len(self._body.rows()) > self._body.size.height:
            page = max(1, self._body.size.height - 1)
            self._body.scroll(page if key == "pagedown" else -page)
        else:
            return bool(char) and char.isprintable()
        return True

    def _answer(self, key: str, state: _State) -> None:
        match key:
            case "y":
                self._send(self._allow(state))
            case "a" | "s" if state.update is not None:
                place = state.place if key == "a" else "session"
                self._send(self._allow(state, rules.at_place([state.update], place)))
            case "e":
                self._enter("edit")
            case "n":
                state.chosen = "n"
                self._enter("comment")
            case _:
                pass

    def _field_key(self, key: str, state: _State) -> bool:
        if key == "escape":
            self._leave_field(state)
        elif key == "ctrl+r" and state.mode == "edit" and state.proposal is not None:
            self._field.set_value(state.proposal.text)
        elif key == "ctrl+g" and state.mode == "edit":
            self.post_message(self.OwnEditor(self._field))
        elif key == "tab" and state.mode == "rule":
            at = rules.PLACES.index(state.place) if state.place in rules.PLACES else -1
            state.place = rules.PLACES[(at + 1) % len(rules.PLACES)]
            self._foot.redraw()
        elif key in ("up", "down") and state.mode == "rule":
            self._other_suggestion(1 if key == "down" else -1, state)
        else:
            return key in ("tab", "shift+tab", "up", "down", "pageup", "pagedown")
        return True

    def on_field_changed(self, event: Field.Changed) -> None:
        """Show what the model will be told."""
        event.stop()
        state = self._state
        if state is not None:
            state.problem = ""
            if state.mode == "edit":
                state.edited = self._field.value
            self.redraw()

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Take what was typed."""
        event.stop()
        state = self._state
        if state is None or not self.armed or self._sent:
            return
        if state.mode == "comment":
            self._send(Deny(message=self._field.value.strip()))
        elif state.mode == "rule" and state.update is not None:
            try:
                parsed = rules.parse_rules(self._field.value)
            except ValueError as error:
                state.problem = str(error)
                self._foot.redraw()
                return
            state.update = replace(state.update, rules=parsed)
            state.chosen = "a"
            self._enter("answers")

    def on_paste(self, event: events.Paste) -> None:
        """Let the screen give it to the editor: a paste answers nothing."""

    # -- inside --------------------------------------------------------------------------------

    def _send(self, answer: Allow | Deny) -> None:
        state = self._state
        if state is not None and not self._sent:
            self._sent = True
            self.post_message(self.Answered(state.request.id, answer))

    def _allow(self, state: _State, updates: tuple[PermissionUpdate, ...] = ()) -> Allow:
        if state.proposal is None or not self._is_edited(state):
            return Allow(updated_permissions=updates)
        text = state.edited or ""
        return Allow(
            updated_input=changed_input(state.request, state.proposal, text),
            updated_permissions=updates,
            note=note_for_model(state.proposal, text),
        )

    def _is_edited(self, state: _State) -> bool:
        return (
            state.proposal is not None
            and state.edited is not None
            and state.edited != state.proposal.text
        )

    def _enter(self, mode: Mode) -> None:
        state = self._state
        assert state is not None
        state.mode, state.problem = mode, ""
        field = self._field
        field.enter_submits = mode != "edit"
        if mode == "comment":
            field.placeholder = "why not? enter without a reason is a plain no"
            field.editor.replace("")
        elif mode == "rule" and state.update is not None:
            field.placeholder = ""
            field.editor.replace(rules.rules_text(state.update))
        elif mode == "edit" and state.proposal is not None:
            field.placeholder = ""
            field.editor.replace(
                state.proposal.text if state.edited is None else state.edited, 0, fold=False
            )
        self.set_class(mode != "answers", "-typing")
        self.redraw()
        if self.armed:
            self.take_focus()

    def _leave_field(self, state: _State) -> None:
        if state.mode == "edit":
            state.chosen = "y" if self._is_edited(state) else "n"
        self._enter("answers")

    def _other_suggestion(self, by: int, state: _State) -> None:
        others = [s for s in state.request.suggestions if s.rules]
        if others:
            state.suggestion = (state.suggestion + by) % len(others)
            state.update = others[state.suggestion]
            self._field.set_value(rules.rules_text(state.update))

    def _next_hunk(self, by: int, state: _State) -> None:
        display = state.request.display
        if isinstance(display, DiffDisplay) and display.hunks:
            state.hunk = max(0, min(state.hunk + by, len(display.hunks) - 1))
            self._head.redraw()
            self._body.redraw()

    def _set_full(self, on: bool) -> None:
        if on != self.full:
            self.full = on
            self.post_message(self.FullScreen(on))

    def _choices(self, state: _State) -> tuple[Choice, ...]:
        return choices(
            state.request,
            state.update,
            state.place,
            state.proposal,
            edited=self._is_edited(state),
        )

    # -- drawing -------------------------------------------------------------------------------

    def one_hunk(self, width: int) -> bool:
        """Whether only one hunk is shown at a time: there is little room."""
        return not self.full and (width < 70 or self._limit < 18)

    def draw_head(self, page: Page) -> Sequence[Line]:
        """Make the rule, what is asked, and why."""
        state = self._state
        if state is None:
            return ()
        one = state.hunk if self.one_hunk(page.width) else None
        return draw_head(
            page, state.request, self.place_in_line, mode=state.mode, hunk=one,
            edited=self._is_edited(state), full=self.full, armed=self.armed,
        )  # fmt: skip

    def _is_unified(self, state: _State, width: int) -> bool:
        if state.unified is not None:
            return state.unified
        return not self.full or width < SIDE_BY_SIDE_WIDTH

    def draw_body(self, page: Page) -> Sequence[Line]:
        """Make what is asked about."""
        state = self._state
        if state is None or (state.mode == "edit" and state.request.tool_name != "Edit"):
            return ()
        options = Options(
            expanded=True,
            wrap=state.wrap,
            side_by_side=not self._is_unified(state, page.width),
            only=state.hunk if self.one_hunk(page.width) else None,
        )
        return draw_body(page, state.request, options)

    def draw_foot(self, page: Page) -> Sequence[Line]:
        """Make the answers, or what the field's keys do."""
        state = self._state
        if state is None:
            return ()
        rows = [blank_line(page)]
        body, height = len(self._body.rows(page.width)), self._body.max_rows
        if height is not None and body > height and state.mode == "answers":
            words = f"{body} rows   pageup pagedown"
            rows = [make_line(page, [], facts=[(words, page.theme.style("muted"))])]
        if state.mode == "answers":
            return rows + draw_choices(
                page, self._choices(state), state.chosen, armed=self.armed and not self._sent
            )
        if state.mode == "edit" and state.proposal is not None:
            rows += self._told(page, state)
        if state.problem:
            rows.append(make_line(page, [(clean(state.problem), page.theme.style("error"))]))
        return [*rows, self._hints(page, state)]

    def _told(self, page: Page, state: _State) -> list[Line]:
        """Show what the model will be told of the changes."""
        assert state.proposal is not None
        lines = changed_lines(state.proposal.text, self._field.value)
        if not lines:
            return []
        theme = page.theme
        muted, text = theme.style("muted"), theme.style("text")
        rows = [make_line(page, [("The model will be told", theme.style("strong", bold=True))])]
        for line in lines[:TOLD_ROWS]:
            spans: list[Span] = [(f"line {line.number}  ", muted)]
            if line.kind != "changed":
                spans.append((f"{line.kind}  ", muted))
            if line.old:
                spans.append((clean(line.old.strip()), theme.style("text", strike=True)))
                spans.append(("  ", text))
            spans.append((clean(line.new.strip()), text))
            rows.append(make_line(page, spans, column=5))
        if len(lines) > TOLD_ROWS:
            rows.append(
                make_line(page, [(f"and {len(lines) - TOLD_ROWS} more lines", muted)], column=5)
            )
        return [*rows, blank_line(page)]

    def _hints(self, page: Page, state: _State) -> Line:
        theme = page.theme
        key, muted, text = (
            theme.style("accent", bold=True),
            theme.style("muted"),
            theme.style("text"),
        )
        pairs: list[tuple[str, str]]
        match state.mode:
            case "comment":
                pairs = [("enter", "no, with this reason"), ("esc", "back to the answers")]
            case "rule":
                pairs = [("enter", "take this rule"), ("tab", "place:")]
            case _:
                pairs = [
                    ("esc", "back to the answers, changes kept"),
                    ("ctrl+r", "the proposal as it was"),
                ]
        spans: list[Span] = []
        for name, what in pairs:
            spans += [("   ", muted)] if spans else []
            spans += [(name, key), (f" {what}", muted)]
        if state.mode == "rule":
            spans += [(f" {rules.PLACE_WORDS[state.place]}", text), ("   ", muted)]
            if len(state.request.suggestions) > 1:
                arrows = f"{page.glyphs.up} {page.glyphs.down}"
                spans += [(arrows, key), (" narrower, wider   ", muted)]
            spans += [("esc", key), (" back", muted)]
        return make_line(page, spans)
