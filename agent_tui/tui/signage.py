"""What is told to the terminal beside the picture: its title, and that the person is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from agent_tui.protocol.masking import Masker
from agent_tui.protocol.messages import Message
from agent_tui.settings.credentials import masker_of
from agent_tui.settings.paths import Environment
from agent_tui.settings.schema import Settings
from agent_tui.tui import title
from agent_tui.tui.glyphs import GLYPHS, Glyphs
from agent_tui.tui.notifying import LONG_RUN, Notifier, channels_of
from agent_tui.tui.surroundings import Surroundings, Write
from agent_tui.view.status import Status

NO_TITLE = "CLAUDE_CODE_DISABLE_TERMINAL_TITLE"


def _nowhere(text: str) -> None:
    """Write to no terminal: there is none yet."""


@dataclass(slots=True)
class Signage:
    """One for the whole program. Without a terminal (``write``) it says nothing.

    Attributes:
        notifier: calls the person; None never does.
        titled: the title is set.
        cwd: names what has no title.
        watching: the session is another window's.
        write: writes to the terminal; set by its driver.
    """

    notifier: Notifier | None = None
    titled: bool = False
    cwd: str = ""
    masker: Masker = field(default_factory=Masker)
    glyphs: Glyphs = GLYPHS
    watching: bool = False
    write: Write = _nowhere
    _title: str = ""

    @classmethod
    def of(
        cls,
        settings: Settings,
        env: Environment,
        cwd: str,
        now: Callable[[], float],
        glyphs: Glyphs = GLYPHS,
    ) -> Signage:
        """Make what the settings and the terminal allow."""
        around, masker = Surroundings.of(env), masker_of(env)
        quiet = settings.terminal_title is False or env.get(NO_TITLE) not in ("", "0", "false")
        made = cls(titled=around.has_title and not quiet, cwd=cwd, masker=masker, glyphs=glyphs)
        after = LONG_RUN if settings.notify_after is None else float(settings.notify_after)
        channels = channels_of(settings.notifications, around)
        made.notifier = Notifier(channels, around, now, made.tell, masker, after, last_key=now())
        return made

    def tell(self, sequence: str) -> None:
        """Write one sequence."""
        self.write(sequence)

    def note(self, before: Status, after: Status, message: Message) -> None:
        """Take what the session said."""
        self.show_title(after)
        if self.notifier is not None:
            self.notifier.note(before, after, message)

    def wanted(self, text: str) -> None:
        """Call the person for something the session doesn't know of."""
        if self.notifier is not None:
            self.notifier.call(text)

    def show_title(self, status: Status) -> None:
        """Set the title, if it is another one."""
        if not self.titled:
            return
        text = title.title_of(
            status, self.cwd, masker=self.masker, glyphs=self.glyphs, watching=self.watching
        )
        if text != self._title:
            self._title = text
            self.tell(title.sequence_of(text))

    def focus(self, focused: bool) -> None:
        """Note that the terminal got the focus, or lost it."""
        if self.notifier is not None:
            self.notifier.focused = focused

    def touched(self) -> None:
        """Note that a key was pressed."""
        if self.notifier is not None:
            self.notifier.last_key = self.notifier.now()

    def begin(self) -> None:
        """Keep the terminal's own title, and set ours; called whenever the terminal is taken."""
        if self.titled:
            self.tell(title.KEEP + title.sequence_of(self._title or title.PROGRAM))

    @property
    def restoring(self) -> str:
        """What gives the terminal its own title back."""
        return title.RESTORE if self.titled else ""

    def end(self) -> None:
        """Give the terminal its own title back; called whenever the terminal is let go."""
        if self.titled:
            self.tell(self.restoring)
