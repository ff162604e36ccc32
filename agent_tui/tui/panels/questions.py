"""The panel for questions with choices: the model's own, and ours (a budget that is used up)."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual.strip import Strip

from agent_tui.protocol.display import AskedQuestion, Choice, QuestionDisplay
from agent_tui.protocol.requests import Allow, Deny, PermissionRequest
from agent_tui.tui.editor import KillRing
from agent_tui.tui.lines import (
    TEXT_COLUMN,
    Line,
    Page,
    Span,
    blank_line,
    cut,
    make_line,
    spans_width,
    width_of,
)
from agent_tui.tui.look import Look
from agent_tui.tui.panels.choosing import Choosing
from agent_tui.tui.panels.head import who_asks
from agent_tui.tui.panels.panel import Panel
from agent_tui.tui.panes.completion import chosen_line
from agent_tui.tui.panes.field import Field
from agent_tui.tui.theme import Background
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.clean import clean

DESCRIBED = 70
"""From this width on what a choice means stands beside it."""

LABEL_GAP = 4


class QuestionPanel(Panel):
    """Shows the questions of one request. Numbers and Enter choose, Escape gives no answer."""

    def __init__(self, look: Look, kills: KillRing | None = None) -> None:
        super().__init__(look, kills, "choices")
        self._request: PermissionRequest | None = None
        self._choosing = Choosing(())
        self._cursor_row = 0

    @property
    def request(self) -> PermissionRequest | None:
        """The request shown, None while closed."""
        return self._request

    @property
    def typing(self) -> bool:
        """Whether its text field is in use."""
        return self._request is not None and self._choosing.typing

    def begin(self, request: PermissionRequest) -> None:
        """Take a request; nothing is chosen yet."""
        assert isinstance(request.display, QuestionDisplay)
        self._request = request
        # what we ask ourselves has no place for other words than ours
        self._choosing = Choosing(request.display.questions, free=bool(request.tool_name))
        if not request.tool_name:
            self._choosing.move(-1)  # the last one stops: the safe answer is chosen
        self.set_typing(False)

    def forget(self) -> None:
        """Let go of the request."""
        self._request = None

    def redraw(self) -> None:
        """Draw everything again, with the row under the cursor in sight."""
        super().redraw()
        shown = self.body.max_rows
        if self._request is None or shown is None:
            return
        top = min(self.body.top, self._cursor_row)
        self.body.top = max(top, self._cursor_row - shown + 1)
        self.body.refresh()

    # -- keys ----------------------------------------------------------------------------------

    def take_key(self, key: str, char: str) -> bool:
        """Choose, or move about."""
        choosing = self._choosing
        if choosing.typing:
            if key == "escape":
                choosing.say("")
                self.set_typing(False)
                return True
            return key in ("tab", "shift+tab", "pageup", "pagedown")
        if char.isascii() and char.isdigit():
            if choosing.point(int(char) - 1):
                self._chosen(taken=not choosing.question.multiple)
        elif key == "enter":
            self._chosen(taken=True)
        elif key == "space":
            self._chosen(taken=False)
        elif key in ("up", "down", "ctrl+p", "ctrl+n"):
            choosing.move(-1 if key in ("up", "ctrl+p") else 1)
            self.redraw()
        elif key in ("tab", "shift+tab"):
            choosing.next(1 if key == "tab" else -1)
            self.redraw()
        elif key == "escape":
            self.send(Deny(interrupt=bool(self._request and self._request.tool_name)))
        elif key in ("pageup", "pagedown"):
            page = max(1, self.body.size.height - 1)
            self.body.scroll(page if key == "pagedown" else -page)
        else:
            return bool(char) and char.isprintable()
        return True

    def on_field_changed(self, event: Field.Changed) -> None:
        """Give the words their rows."""
        event.stop()
        self.redraw()

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Take the person's own words."""
        event.stop()
        if self._request is None or not self.armed or self.sent:
            return
        self._choosing.say(event.text)
        self.set_typing(False)
        if not self._choosing.question.multiple:
            self._send_if_complete()

    def _chosen(self, *, taken: bool) -> None:
        choosing = self._choosing
        if taken:
            choosing.take()
        else:
            choosing.toggle()
        if choosing.typing:
            self.field.placeholder = "your answer"
            self.field.editor.replace(choosing.words[choosing.at])
            self.set_typing(True)
            return
        self.redraw()
        if taken:
            self._send_if_complete()

    def _send_if_complete(self) -> None:
        request, choosing = self._request, self._choosing
        if request is not None and choosing.complete:
            self.send(Allow({**request.input, "answers": choosing.answers()}))

    # -- drawing -------------------------------------------------------------------------------

    def draw_head(self, page: Page) -> Sequence[Line]:
        """Make the rule that means a question; below it who asks, when it is not the main conversation."""
        theme = page.theme
        rule = Segment(page.glyphs.rule * page.width, theme.style("warning"))
        rows = [Line(Strip([rule], page.width))]
        return rows if self._request is None else [*rows, *who_asks(page, self._request)]

    def draw_body(self, page: Page) -> Sequence[Line]:
        """Make the questions with their choices; of several only this one where there is little room."""
        if self._request is None:
            return ()
        choosing = self._choosing
        alone = page.width < DESCRIBED or self.limit < 18
        rows: list[Line] = []
        shown = [choosing.at] if alone else list(range(len(choosing.questions)))
        column = max(self._label_column(page, at) for at in shown)
        for at in shown:
            if rows:
                rows.append(blank_line(page))
            rows += self._question(page, at, column, first=len(rows))
        return rows

    def _label_column(self, page: Page, at: int) -> int:
        """Give how far in a question's explanations may begin; they stand in one column for all."""
        labels = [width_of(clean(choice.label)) for choice in self._choosing.choices(at)]
        mark = _mark_width(self._choosing.questions[at])
        return mark + min(max(labels), page.text_width // 2) + LABEL_GAP

    def draw_foot(self, page: Page) -> Sequence[Line]:
        """Say what the keys do."""
        theme = page.theme
        key = theme.style("accent" if self.armed else "muted", bold=self.armed or None)
        muted = theme.style("muted")
        keys = self._keys(page)
        while True:
            spans: list[Span] = []
            for name, what in keys:
                spans += [("   ", muted)] if spans else []
                spans += [(name, key), (f" {what}", muted)]
            if spans_width(spans) <= page.text_width or len(keys) < 3:
                break
            keys.pop(-2)  # the first and the last say how to answer and how not to
        return (blank_line(page), make_line(page, spans))

    def _keys(self, page: Page) -> list[tuple[str, str]]:
        choosing = self._choosing
        if choosing.typing:
            return [("enter", "take these words"), ("esc", "back to the choices")]
        ours = self._request is not None and not self._request.tool_name
        keys = [("enter", "answer"), ("esc", "stop" if ours else "no answer, and stop")]
        if any(question.multiple for question in choosing.questions):
            keys.insert(1, ("space", "choose"))
        keys.insert(-1, (f"{page.glyphs.up} {page.glyphs.down}", "move"))
        if len(choosing.questions) > 1:
            keys.insert(-1, ("tab", "next question"))
        return keys

    def _question(self, page: Page, at: int, column: int, *, first: int) -> list[Line]:
        choosing = self._choosing
        current = at == choosing.at
        rows = self._title(page, at, current=current)
        if current and page.width >= DESCRIBED and self.limit >= 18:
            rows.append(blank_line(page))
        choices = choosing.choices(at)
        for row, choice in enumerate(choices):
            if current and row == choosing.cursors[at]:
                self._cursor_row = first + len(rows)
            rows.append(self._row(page, at, row, choice, column))
            if current and row == choosing.cursors[at] and page.width < DESCRIBED:
                rows += self._meaning(page, at, choice)
        preview = choices[choosing.cursors[at]].preview if current else ""
        if preview and page.width >= DESCRIBED:
            from agent_tui.tui.markdown import draw_markdown  # door: the parser

            rows += [blank_line(page), *draw_markdown(page, preview)]
        return rows

    def _meaning(self, page: Page, at: int, choice: Choice) -> list[Line]:
        """Say below the row under the cursor what it means, where there is no room beside it."""
        column = TEXT_COLUMN + _mark_width(self._choosing.questions[at])
        about = [(clean(choice.description), page.theme.style("muted"))]
        rows = wrap_prose(about, page.right - column) if choice.description else []
        return [make_line(page, row.spans, column=column) for row in rows]

    def _title(self, page: Page, at: int, *, current: bool) -> list[Line]:
        choosing, theme = self._choosing, page.theme
        muted = theme.style("muted")
        question = choosing.questions[at]
        style = theme.style("strong", bold=True) if current else theme.style("text")
        done = choosing.answered(at) and not current
        glyph = page.glyphs.allowed if done else page.glyphs.asking
        role = "ok" if done else "warning" if current else "muted"
        count = len(choosing.questions)
        facts: list[Span] = [(f"question {at + 1} of {count}", muted)] if count > 1 else []
        if count == 1 and self.place_in_line[1] > 1:
            here, all_of_them = self.place_in_line
            facts = [(f"question {here} of {all_of_them}", muted)]
        room = page.text_width - (spans_width(facts) + 3 if facts else 0)
        spans: list[Span] = [(clean(question.question), style)]
        if question.multiple:
            spans.append(("   several may be chosen", muted))
        lead: list[Span] = [(" ", muted), (glyph, theme.style(role))]
        wrapped = wrap_prose(spans, room)
        rows = [make_line(page, wrapped[0].spans, lead=lead, facts=facts)]
        return rows + [make_line(page, row.spans) for row in wrapped[1:]]

    def _row(self, page: Page, at: int, row: int, choice: Choice, column: int) -> Line:
        choosing, theme = self._choosing, page.theme
        question, current = choosing.questions[at], at == choosing.at
        chosen = current and row == choosing.cursors[at]
        on: Background = "select" if chosen else "bg"
        live = self.armed and current
        key = theme.style("accent" if live else "muted", on, bold=live or None)
        picked = row in choosing.picked[at]
        if question.multiple:
            box = page.glyphs.checked if picked else page.glyphs.unchecked
            spans: list[Span] = [(box, key if picked else theme.style("muted", on)), (" ", key)]
        else:
            spans = [(f"{row + 1}", key), ("  ", key)]
        other = choosing.is_other(at, row) and choosing.words[at]
        label = cut(clean(other or choice.label), max(8, page.text_width - 4), page.glyphs.cut)
        role = "strong" if current else "text"
        bold = (chosen or (picked and not question.multiple)) or None
        spans.append((label, theme.style(role, on, bold=bold)))
        about = clean(choice.description).replace("\n", " ")
        if about and page.width >= DESCRIBED and not other:
            gap = max(2, column - spans_width(spans))
            spans.append((" " * gap, theme.style("text", on)))
            room = page.text_width - spans_width(spans)
            spans.append((cut(about, max(0, room), page.glyphs.cut), theme.style("muted", on)))
        return chosen_line(page, spans, chosen=chosen)


def _mark_width(question: AskedQuestion) -> int:
    """Cells of a number, or of a box, before a choice."""
    return 4 if question.multiple else 3
