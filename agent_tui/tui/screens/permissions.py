"""The permissions screen: the rules in force and where they stand, and what would be decided over any call."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

from textual import events
from textual.app import ComposeResult

from agent_tui.link.base import Link
from agent_tui.protocol.explanations import ExplainedRule, PermissionsInForce
from agent_tui.protocol.queries import ChangePermissions, Explain, Failed, InForce
from agent_tui.protocol.queries import Explained as ExplainedReply
from agent_tui.protocol.requests import (
    Destination,
    PermissionRuleValue,
    PermissionUpdate,
    RuleBehavior,
)
from agent_tui.tui.lines import Span
from agent_tui.tui.look import Look
from agent_tui.tui.panels.rules import PLACE_WORDS
from agent_tui.tui.panes.explained import Explained
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.ruling import Ruling
from agent_tui.tui.screens.help import Hints, SearchField, Title
from agent_tui.tui.screens.overlay import Overlay
from agent_tui.view.clean import clean

PAUSE = 0.15
"""Seconds after a key until what is typed is asked about."""
ASK = "what would you decide?  git push -f   src/a.py   Read .env   WebFetch https://example.com"
ADD = "allow Bash(make *)   ask Bash(git push *)   deny Read(./secret/**)"
PLACES: tuple[Destination, ...] = ("session", "localSettings", "userSettings")
TRUST = {True: "trusted", False: "not trusted"}

_RULE = re.compile(
    r"(?:(?P<behavior>allow|ask|deny)\s+)?(?P<tool>[\w*.-]+)(?:\((?P<content>.*)\))?", re.DOTALL
)

IN_FIELD = (("tab", "to the rules"), ("up down", "scroll"), ("esc", "back"))
IN_SEARCH = (("tab", "to the question"), ("up down", "choose"), ("esc", "back"))
IN_LIST = (("up down", "choose"), ("d", "remove"), ("a", "add"), ("/", "search"), ("esc", "back"))
ADDING = (("enter", "add it"), ("tab", "where it is kept"), ("esc", "back"))


class AskField(Field):
    """Where a call is typed, or (``adding``) a rule and where it is to be kept."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, single_line=True, placeholder=ASK, id="permissions-ask")
        self.adding = False
        self.place: Destination = "session"

    def lead(self, row: int) -> Sequence[Span]:
        """A mark of what is typed here."""
        theme, glyphs = self.look.theme, self.look.glyphs
        mark = glyphs.plus if self.adding else glyphs.prompt
        return ((" ", theme.style("text", "surface")), (mark, theme.style("accent", "surface")))

    def facts(self) -> Sequence[Span]:
        """Where a rule would be kept."""
        if not self.adding:
            return ()
        return ((PLACE_WORDS[self.place], self.look.theme.style("muted", "surface")),)

    def begin(self, *, adding: bool) -> None:
        """Empty it, for the one or the other."""
        self.adding = adding
        self.placeholder = ADD if adding else ASK
        self.editor.replace("")
        self.changed()


class PermissionsScreen(Overlay[None], inherit_bindings=False):
    """Lists rules; what is typed at the bottom is explained in their place."""

    AUTO_FOCUS = ""

    def __init__(self, look: Look, link: Link) -> None:
        super().__init__()
        self._look = look
        self._link = link
        self._title = Title(look, "Permissions")
        self._search = SearchField(look, single_line=True, placeholder="search the rules")
        self._list = Ruling(look, id="permissions-list")
        self._explained = Explained(look, id="permissions-explained")
        self._ask = AskField(look)
        self._hints = Hints(look, IN_FIELD)

    def compose(self) -> ComposeResult:
        """Title, search, rules or an explanation, the line to ask in, hints."""
        yield self._title
        yield self._search
        yield self._list
        yield self._explained
        yield self._ask
        yield self._hints

    def on_mount(self) -> None:
        """Typing asks."""
        self._ask.focus()
        self._do(self._load)

    # -- what is typed -------------------------------------------------------------------------

    def on_field_changed(self, event: Field.Changed) -> None:
        """Search, or ask in a moment."""
        if event.field is self._search:
            self._list.search(self._search.value.strip())
        elif not self._ask.adding:
            self._look_up(PAUSE)

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Enter: ask at once, add the rule, or go to the list."""
        if event.field is self._search:
            self._list.focus()
        elif self._ask.adding:
            self._do(partial(self._add, event.text.strip()))
        else:
            self._look_up(0)

    def on_descendant_focus(self) -> None:
        """Other keys mean something now."""
        self._show_hints()

    # -- keys ----------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Move, change the rules, leave."""
        key = event.key
        step = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}.get(key)
        if step is not None:
            self._move(step)
        elif key in ("tab", "shift+tab"):
            self._next(-1 if key == "shift+tab" else 1)
        elif key in ("escape", "ctrl+c", "ctrl+d"):
            self._back()
        elif self._list.has_focus and self._list_key(event.character or ""):
            pass
        else:
            return
        event.stop()

    def _list_key(self, char: str) -> bool:
        match char:
            case "j" | "k":
                self._list.move(1 if char == "j" else -1)
            case "d":
                self._remove()
            case "a":
                self._ask.begin(adding=True)
                self._ask.focus()
                self._show_hints()
            case "/":
                self._search.focus()
            case "?":
                self._ask.focus()
            case "q":
                self.answer()
            case _:
                return False
        return True

    def _move(self, by: int) -> None:
        if self._shows_explanation:
            self._explained.scroll(by)
        else:
            self._list.move(by)

    def _next(self, by: int) -> None:
        """Give the keyboard to the next part; while a rule is typed, choose where it is kept."""
        if self._ask.adding and self._ask.has_focus:
            at = PLACES.index(self._ask.place)
            self._ask.place = PLACES[(at + by) % len(PLACES)]
            self._ask.redraw()
            return
        parts = (self._ask, self._list, self._search)
        at = next((at for at, part in enumerate(parts) if part.has_focus), 0)
        parts[(at + by) % len(parts)].focus()

    def _back(self) -> None:
        """Take back what is typed; with nothing typed, leave."""
        if self._list.removing is not None:
            self._list.removing = None
            self._list.redraw()
        elif self._ask.adding:
            self._ask.begin(adding=False)
            self._explain_nothing()
            self._list.focus()
        elif self._ask.value:
            self._ask.begin(adding=False)
            self._ask.focus()
        elif self._search.value:
            self._search.set_value("")
        else:
            self.answer()
        self._show_hints()

    # -- mouse ---------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        """Choose the rule clicked."""
        if event.widget is self._list:
            self._list.clicked(event.y)
            self._list.focus()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll."""
        (self._explained if self._shows_explanation else self._list).scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll."""
        (self._explained if self._shows_explanation else self._list).scroll(-3)

    # -- asking --------------------------------------------------------------------------------

    @property
    def _shows_explanation(self) -> bool:
        return self.has_class("-explaining")

    def _look_up(self, pause: float) -> None:
        explain = partial(self._explain, self._ask.value.strip(), pause)
        self.run_worker(explain, group="explain", exclusive=True)

    async def _explain(self, text: str, pause: float) -> None:
        await asyncio.sleep(pause)
        if not text:
            self._explain_nothing()
            return
        reply = await self._link.ask(Explain(text))
        if not self.is_attached:
            return
        match reply:
            case ExplainedReply(explanations):
                self._explained.show(explanations)
            case Failed(error):
                self._explained.show((), error)
            case _:
                return
        self.add_class("-explaining")

    def _explain_nothing(self) -> None:
        self._explained.show(())
        self.remove_class("-explaining")

    # -- changing ------------------------------------------------------------------------------

    def _remove(self) -> None:
        """Remove the chosen rule, when that is wanted twice."""
        rule = self._list.current
        if rule is None or rule.removable is None:
            return
        if self._list.removing == rule:
            self._do(partial(self._change, _removal(rule, rule.removable)))
        else:
            self._list.removing = rule
            self._list.redraw()

    async def _add(self, text: str) -> None:
        found = _RULE.fullmatch(text)
        if found is None:
            self._complain(
                "A rule looks like Bash(git log *); allow, ask or deny stands before it."
            )
            return
        behavior: RuleBehavior = "allow"
        if found["behavior"] in ("ask", "deny"):
            behavior = "ask" if found["behavior"] == "ask" else "deny"
        value = PermissionRuleValue(found["tool"], found["content"])
        place = self._ask.place
        update = PermissionUpdate("addRules", (value,), behavior, destination=place)
        if await self._change(update):
            self._ask.begin(adding=False)
            self._explain_nothing()
            self._list.focus()

    async def _change(self, update: PermissionUpdate) -> bool:
        reply = await self._link.ask(ChangePermissions((update,)))
        if not self.is_attached:
            return False
        match reply:
            case PermissionsInForce():
                self._show(reply)
                return True
            case Failed(error):
                self._complain(error)
            case _:
                pass
        return False

    def _complain(self, error: str) -> None:
        """Say in the place of the rules why a rule was not taken; what is typed stays."""
        self._explained.show((), error)
        self.add_class("-explaining")

    async def _load(self) -> None:
        reply = await self._link.ask(InForce())
        if not self.is_attached:
            return
        match reply:
            case PermissionsInForce():
                self._show(reply)
            case Failed(error):
                self._list.show(None, error)
            case _:
                pass

    def _show(self, state: PermissionsInForce) -> None:
        self._list.show(state)
        muted = self._look.theme.style("muted")
        facts = [f"mode {clean(state.mode)}"]
        if state.sandbox:
            facts.append(f"sandbox {clean(state.sandbox).partition(',')[0]}")
        if state.trusted is not None:
            facts.append(TRUST[state.trusted])
        self._title.facts = (("   ".join(facts), muted),)
        self._title.redraw()
        self._show_hints()

    def _show_hints(self) -> None:
        hints = IN_LIST if self._list.has_focus else IN_FIELD
        if self._search.has_focus:
            hints = IN_SEARCH
        if self._ask.adding:
            hints = ADDING
        if hints != self._hints.left:
            self._hints.left = hints
            self._hints.redraw()

    def _do(self, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
        self.run_worker(work, group="change")


def _removal(rule: ExplainedRule, destination: Destination) -> PermissionUpdate:
    found = _RULE.fullmatch(rule.text)
    assert found is not None
    value = PermissionRuleValue(found["tool"], found["content"])
    return PermissionUpdate("removeRules", (value,), rule.behavior, destination=destination)
