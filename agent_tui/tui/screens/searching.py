"""Searching the conversation: the field, the places that are here, and those in messages that are not here yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_tui.protocol.looking import Find, Found
from agent_tui.tui.panes.findbar import FindBar

if TYPE_CHECKING:
    from textual.timer import Timer

    from agent_tui.tui.panes.finding import Finding
    from agent_tui.tui.panes.queue import Hints
    from agent_tui.tui.screens.main import MainScreen

WALKING = (
    ("fold", "unfold"),
    ("copy", "copy"),
    ("copyPart", "part"),
    ("raw", "raw"),
    ("find", "find"),
)
AMONG_PLACES = (("before", "before"), ("next", "next"), ("find", "again"))
"""Keys that the rule names while one walks, and while one walks from place to place."""
PAUSE = 0.2
"""Older messages are asked about this long after the last key (seconds)."""


class Searching:
    """What the main screen does about one search; ``bar`` is the field it shows."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._timer: Timer | None = None
        self._due = False
        self.bar = FindBar(screen.backstage.look, screen.backstage.kills)
        self.bar.guard = screen.asking.prompt_key
        self.bar.leave = self.leave

    @property
    def is_open(self) -> bool:
        """Whether the field is shown."""
        return self.bar.has_class("-open")

    @property
    def hints(self) -> Hints:
        """The keys worth naming while one searches or walks; none otherwise, nor while there is another hint."""
        screen = self._screen
        if screen.focused is self.bar:
            return self.bar.hints()
        if screen.focused is not screen.conversation or screen.conversation.cursor is None:
            return ()
        if screen.hint:
            return ()
        label = screen.backstage.look.habits.keys.label
        verbs = WALKING if self._finding is None else AMONG_PLACES
        return (
            *((label(f"walk:{verb}"), what) for verb, what in verbs if label(f"walk:{verb}")),
            ("esc", "back"),
        )

    @property
    def _finding(self) -> Finding | None:
        return self._screen.conversation.finding

    def begin(self) -> None:
        """Show the field and give it the keyboard, with what was looked for last."""
        screen = self._screen
        if screen.asking.has_keyboard:
            return
        self.bar.add_class("-open")
        screen.set_focus(
            self.bar, scroll_visible=False
        )  # at once: the next key is the first letter
        screen.update_rule()
        if self._finding is None and self.bar.value:
            self.bar.editor.replace("")
            self.bar.redraw()
        self.counted()

    def typed(self) -> None:
        """What is looked for has changed: look here when the key is drawn, and in older messages after a pause."""
        if not self._due:
            self._due = True
            self._screen.call_after_refresh(self._find)
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._screen.set_timer(PAUSE, self._ask_older)

    def _find(self) -> None:
        """Look for what is typed by now, unless that has been done: a key that steps does it itself."""
        due, self._due = self._due, False
        if due and self.is_open:
            self._screen.conversation.find(self.bar.value)

    def _ask_older(self) -> None:
        self._timer = None
        self._screen.run_worker(self._count_older, group="find", exclusive=True)

    async def _count_older(self) -> None:
        finding, pump = self._finding, self._screen.pump
        if finding is None or finding.needle is None or not pump.has_older:
            return
        text, before = finding.text, pump.first
        reply = await self._screen.link.ask(Find(text, before))
        if self._finding is finding and finding.text == text and pump.first == before:
            finding.older = reply.places if isinstance(reply, Found) else 0
            if not finding.here and finding.older:
                await self._load_older(finding)
            self.counted()

    def step(self, by: int) -> None:
        """Go to the next place, or the one before; beyond the last one here, fetch older messages or begin anew."""
        self._find()
        conversation, finding = self._screen.conversation, self._finding
        if finding is None or conversation.find_next(by):
            return
        if by < 0 and finding.older:
            self._screen.run_worker(self._to_older, group="find", exclusive=True)
        else:
            conversation.find_end(last=by < 0)

    async def _to_older(self) -> None:
        finding = self._finding
        if finding is not None:
            await self._load_older(finding)
            if self._finding is finding:
                self._screen.conversation.find_next(-1)
            self.counted()

    async def _load_older(self, finding: Finding) -> None:
        """Fetch page after page until one holds a place."""
        pump, before = self._screen.pump, finding.here
        self.bar.say("fetching older messages")
        while self._finding is finding and finding.here <= before and pump.has_older:
            first = pump.first
            await pump.load_older()
            if pump.first == first:
                break
        if not before:
            self._screen.conversation.find_next(-1)

    def counted(self) -> None:
        """Say in the field how the search stands."""
        finding = self._finding
        if finding is None or finding.needle is None:
            self.bar.say("")
            return
        if not self._screen.pump.has_older:
            finding.older = 0
        total = finding.here + finding.older
        if not total:
            waits = self._timer is not None and self._screen.pump.has_older
            self.bar.say(
                "looking in older messages" if waits else "nothing found", alarming=not waits
            )
        elif finding.number:
            self.bar.say(f"place {finding.number:,} of {total:,}")
        else:
            self.bar.say(f"{total:,} in older messages")

    def leave(self, back: bool) -> None:
        """End the search: back to where it began, or stay at what was found, walking from there."""
        screen, conversation = self._screen, self._screen.conversation
        self._find()
        self._close()
        if back or self._finding is None or not self._finding.number:
            self.end(back=True)
            screen.focus_prompt()
            return
        screen.set_focus(conversation, scroll_visible=False)
        conversation.move_cursor(0)
        screen.say_hint("")
        screen.update_rule()

    def refocused(self) -> None:
        """The keyboard went elsewhere: the field goes, and what was found stays marked while one walks."""
        screen = self._screen
        if screen.focused is self.bar or (self._finding is None and not self.is_open):
            return
        if screen.focused is screen.conversation:
            self._close()
        else:
            self.end()

    def end(self, *, back: bool = False) -> None:
        """Forget what was looked for; ``back``: the conversation goes back to where it was."""
        self._close()
        self._screen.conversation.stop_finding(back=back)

    def _close(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self.is_open:
            self.bar.remove_class("-open")
            self._screen.update_rule()
