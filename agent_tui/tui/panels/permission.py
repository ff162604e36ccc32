"""The permission panel: the exact change or command, why it is asked, and the answers. The safe one is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent_tui.protocol.display import PlanDisplay
from agent_tui.protocol.requests import Deny, PermissionRequest
from agent_tui.tui.displays.drawing import Options
from agent_tui.tui.editor import KillRing
from agent_tui.tui.lines import Line, Page
from agent_tui.tui.look import Look
from agent_tui.tui.panels import answers, rules
from agent_tui.tui.panels.answers import AnswerKey
from agent_tui.tui.panels.body import draw_body
from agent_tui.tui.panels.foot import draw_foot
from agent_tui.tui.panels.head import draw_head
from agent_tui.tui.panels.panel import Panel
from agent_tui.tui.panels.question import Mode, Question
from agent_tui.tui.panes.field import Field

SIDE_BY_SIDE_WIDTH = 140
WHY_NOT = "why not? enter without a reason is a plain no"
AND_SAY = "what should it know? enter without a word is a plain yes"


class PermissionPanel(Panel):
    """Shows the change or command in question, and the answers. ``tools`` may be named in rules; empty: any."""

    def __init__(self, look: Look, kills: KillRing | None = None) -> None:
        super().__init__(look, kills, "question")
        self._question: Question | None = None
        self.tools: tuple[str, ...] = ()

    @property
    def request(self) -> PermissionRequest | None:
        """The request shown, None while closed."""
        return None if self._question is None else self._question.request

    @property
    def typing(self) -> bool:
        """Whether its text field is in use."""
        return self._question is not None and self._question.mode != "answers"

    def begin(self, request: PermissionRequest) -> None:
        """Take a request; the answer No is chosen."""
        self._question = Question.of(request)
        self._enter("answers")

    def forget(self) -> None:
        """Let go of the request."""
        self._question = None

    # -- keys ----------------------------------------------------------------------------------

    def take_key(self, key: str, char: str) -> bool:
        """Answer, or move about in the question."""
        question = self._question
        assert question is not None
        if question.mode == "answers":
            return self._answer_key(key, char, question)
        return self._field_key(key, question)

    def _answer_key(self, key: str, char: str, question: Question) -> bool:
        offered: list[AnswerKey] = [choice.key for choice in question.choices()]
        if char in offered:
            if self._must_be_meant(char, question):
                self._choose(char, question)
            else:
                self._answer(char, question)
        elif key == "enter":
            self._answer(question.chosen, question)
        elif key in ("up", "down", "ctrl+p", "ctrl+n"):
            by = -1 if key in ("up", "ctrl+p") else 1
            at = (offered.index(question.chosen) + by) % len(offered)
            self._choose(offered[at], question)
        elif key in ("left", "right"):
            self._other_length(1 if key == "right" else -1, question)
        elif key == "escape":
            self.send(Deny(interrupt=True))
        elif key == "tab":
            self._tab(question)
        elif char == "f":
            self.set_full(not self.full)
        elif char == "c" and isinstance(question.request.display, PlanDisplay):
            self.post_message(self.LinesWanted(question.request))
        elif key in ("pageup", "pagedown") and self._hidden() > 0:
            page = max(1, self.body.size.height - 1)
            self.body.scroll(page if key == "pagedown" else -page)
        elif self._view_key(key, char, question):
            self.redraw()
        else:
            return bool(char) and char.isprintable()
        return True

    def _must_be_meant(self, key: AnswerKey, question: Question) -> bool:
        """Whether a letter only goes to its answer: one that lets something dangerous run is taken by a second key."""
        dangerous = question.request.default_to_no and key in answers.ALLOWING
        return dangerous and question.chosen != key

    def _choose(self, key: AnswerKey, question: Question) -> None:
        """Put the cursor on an answer; where a second key would let something dangerous run, not too soon."""
        meant = self._must_be_meant(key, question)
        question.chosen = key
        self.redraw()
        if meant:
            self.rest()

    def _other_length(self, by: int, question: Question) -> None:
        """Let "this session" hold for longer or shorter."""
        if question.update is not None and question.update.rules:
            question.lasting.move(by)
            self._choose("s", question)

    def _tab(self, question: Question) -> None:
        """At a yes say something with it, else change the rule; where there is none, say why not."""
        stores = question.update is not None and bool(question.update.rules)
        plan = isinstance(question.request.display, PlanDisplay)
        if question.chosen == "y" or (plan and question.chosen in answers.ALLOWING):
            self._enter("note")
        elif stores:
            self._enter("rule")
        elif question.chosen == "n":
            self._enter("comment")

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
        elif question.chosen == "s" and key == "backspace":
            return question.lasting.erase()
        elif question.chosen == "s" and char.isdigit():
            return question.lasting.digit(char)
        else:
            return False
        return True

    def _answer(self, key: str, question: Question) -> None:
        match key:
            case "y" | "a" | "s":
                self.send(question.take(key))
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
            self.field.set_value(question.proposal.text)
        elif key == "ctrl+g" and question.mode == "edit":
            self.post_message(self.OwnEditor(self.field))
        elif key == "tab" and question.mode == "rule":
            at = rules.PLACES.index(question.place) if question.place in rules.PLACES else -1
            question.place = rules.PLACES[(at + 1) % len(rules.PLACES)]
            self.foot.redraw()
        elif key in ("up", "down") and question.mode == "rule":
            update = question.other_suggestion(1 if key == "down" else -1)
            if update is not None:
                self.field.set_value(rules.rules_text(update))
        else:
            return key in ("tab", "shift+tab", "up", "down", "pageup", "pagedown")
        return True

    def on_field_changed(self, event: Field.Changed) -> None:
        """Show what the model will be told."""
        event.stop()
        question = self._question
        if question is not None:
            if question.mode == "edit":
                question.edited = self.field.value
            elif question.mode == "rule":
                self._look_at_rules(question)
            self.redraw()

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Take what was typed."""
        event.stop()
        question = self._question
        if question is None or not self.armed or self.sent:
            return
        if question.mode == "comment":
            self.send(Deny(message=event.text.strip()))
        elif question.mode == "note":
            self.send(question.take(question.chosen, event.text.strip()))
        elif question.mode == "rule" and question.update is not None:
            typed = question.look_at_rules(event.text, self.tools)
            if typed is None or question.problem:
                self.redraw()
                return
            question.update = replace(question.update, rules=typed)
            question.chosen = "a"
            self._enter("answers")

    def _look_at_rules(self, question: Question) -> None:
        """Say at once what is wrong with the rules that are typed, and have asked what they would do."""
        before = question.typed
        typed = question.look_at_rules(self.field.value, self.tools)
        if typed is not None and typed != before:
            self.post_message(self.RulesTyped(self, question.request.id, typed))

    def rules_judged(self, typed: Panel.RulesTyped, allows: bool, why: str) -> None:
        """Show what the rules would do, if they are still what is typed."""
        question = self._question
        if question is None or question.mode != "rule" or question.typed != typed.rules:
            return
        question.allows, question.problem = allows, question.problem or why
        self.redraw()

    # -- inside --------------------------------------------------------------------------------

    def _enter(self, mode: Mode) -> None:
        question = self._question
        assert question is not None
        question.mode, question.problem = mode, ""
        field = self.field
        field.enter_submits = mode != "edit"
        if mode == "comment":
            plan = isinstance(question.request.display, PlanDisplay)
            field.placeholder = "what should be otherwise?" if plan else WHY_NOT
            field.editor.replace("")
        elif mode == "note":
            field.placeholder = AND_SAY
            field.editor.replace("")
        elif mode == "rule" and question.update is not None:
            field.placeholder = ""
            field.editor.replace(rules.rules_text(question.update))
            question.typed = None
            self._look_at_rules(question)
        elif mode == "edit" and question.proposal is not None:
            field.placeholder = ""
            field.editor.replace(question.text or "", 0, fold=False)
        self.set_typing(mode != "answers")

    def _leave_field(self, question: Question) -> None:
        if question.mode == "edit":
            question.chosen = "y" if question.is_changed else "n"
        self._enter("answers")

    # -- drawing -------------------------------------------------------------------------------

    def one_hunk(self, width: int) -> bool:
        """Whether only one hunk is shown at a time: there is little room."""
        return not self.full and (width < 70 or self.limit < 18)

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
        armed = self.armed and not self.sent
        return draw_foot(page, self._question, armed=armed, hidden=hidden)

    def _is_unified(self, question: Question, width: int) -> bool:
        if question.unified is not None:
            return question.unified
        return not self.full or width < SIDE_BY_SIDE_WIDTH

    def _hidden(self, width: int | None = None) -> int:
        """How many rows of the body don't fit."""
        shown = self.body.max_rows
        return 0 if shown is None else len(self.body.rows(width)) - shown
