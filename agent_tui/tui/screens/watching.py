"""A session that another window runs: everything is seen, nothing is sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from agent_tui.link.base import EngineLost, Link
from agent_tui.protocol.messages import Message
from agent_tui.protocol.ops import Op
from agent_tui.settings.options import Options
from agent_tui.tui.backstage import Backstage
from agent_tui.tui.commands.stage import find_command
from agent_tui.tui.gate import Gate
from agent_tui.tui.panes.field import Field
from agent_tui.tui.screens.main import MainScreen
from agent_tui.tui.screens.wording import rule_words
from agent_tui.view.status import Status

ALLOWED = frozenset({"copy", "exit", "help", "theme", "vim"})
"""Commands of the screen that the session doesn't notice."""
REFUSED = "watching only: nothing is sent"


class _Deaf(Gate):
    """A way to the engine that takes no ops; ``refused`` is told of each."""

    def __init__(self, link: Link, refused: Callable[[], None]) -> None:
        super().__init__(link)
        self._refused = refused

    def send(self, op: Op) -> None:
        """Tell that nothing is sent."""
        self._refused()


class WatchScreen(MainScreen):
    """The main screen without a way to say anything. Draft and history are the other window's."""

    def __init__(self, backstage: Backstage, link: Link, options: Options) -> None:
        super().__init__(backstage, link, options)
        self.link = _Deaf(self.link, self._refuse)
        self.pump.goes_on = True
        self.working.hints = False

    def _refuse(self) -> None:
        self.say_hint(REFUSED)

    # -- what the session says -----------------------------------------------------------------

    def status_changed(self, before: Status, after: Status, message: Message) -> None:
        """Draw what differs; questions are answered in the other window, so none is asked here."""
        session = after.session
        if session is not None and session.cwd:
            self.backstage.look.cwd = session.cwd
        seen = replace(after, requests=())
        super().status_changed(seen if after is before else replace(before, requests=()), seen, message)  # fmt: skip
        self.begun = False  # the session is not ours to go on with

    def engine_up(self, *, restarted: bool) -> None:
        """It can be watched, or watched again."""
        self.is_gone = False
        super().engine_up(restarted=restarted)

    async def _load_past(self, *, restarted: bool) -> None:
        await self.pump.load_past()
        if restarted:
            self.say_hint("watching again")

    def engine_lost(self, lost: EngineLost) -> None:
        """Say it, and whether it is waited for."""
        self.is_up, self.is_gone = False, not lost.restarting
        session = self.pump.status.session
        if session is not None:
            self.pump.take(replace(session, busy=False, phase="idle"))
        self.pump.status = replace(self.pump.status, queue=(), requests=(), retry=None, works=())
        self._show_queue()
        reason = lost.reason[:1].upper() + lost.reason[1:]
        if lost.restarting:
            self.pump.say(f"{reason}. It is watched again as soon as it goes on.")
        else:
            self.pump.say("It has not gone on; ctrl+d leaves.")

    # -- what is typed -------------------------------------------------------------------------

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Enter in the editor: a command that the session doesn't notice, or nothing."""
        event.prevent_default()  # the main screen would send it
        if event.field is not self.prompt or not event.text:
            return
        found = find_command(event.text)
        if found is not None and found[0].name in ALLOWED:
            command, argument = found
            command.runner.run(self.doing, argument)
        else:
            self.prompt.give_back(event.text)
            self._refuse()

    def keep(self, text: str) -> None:
        """Keep nothing: the history is of what was sent."""

    def save_draft(self) -> None:
        """Save nothing: the draft on disk is the other window's."""
        self._draft_dirty = False

    def edit_queue(self) -> None:
        """The queue is changed where it is."""
        self._refuse()

    def update_rule(self) -> None:
        """Say first of all that this window only watches."""
        mode, words, right, hints = rule_words(self)
        self.rule.show(mode, [("watching, read-only", "accent"), *words], right, hints)
