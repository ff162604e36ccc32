"""Calls the person back who has gone to another window: a question waits, or a long run has ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent_tui.protocol.masking import Masker
from agent_tui.protocol.messages import Message, ResultMessage
from agent_tui.tui.facts import duration
from agent_tui.tui.lines import take, width_of
from agent_tui.tui.surroundings import Program, Surroundings, Write
from agent_tui.tui.title import PROGRAM, harmless
from agent_tui.view.status import Status

Channel: TypeAlias = Literal["bell", "osc9", "osc777", "osc99", "none"]

CHANNELS: dict[str, tuple[Channel, ...]] = {
    "terminal_bell": ("bell",),
    "iterm2": ("osc9",),
    "iterm2_with_bell": ("osc9", "bell"),
    "kitty": ("osc99",),
    "ghostty": ("osc777",),
    "osc9": ("osc9",),
    "osc99": ("osc99",),
    "osc777": ("osc777",),
    "notifications_disabled": (),
    "none": (),
}
"""What the setting may say beside ``auto``, and how that calls."""
_KNOWN: dict[Program, tuple[Channel, ...]] = {
    "kitty": ("osc99",),
    "iterm": ("osc9",),
    "wezterm": ("osc9",),
    "ghostty": ("osc777",),
    "foot": ("osc777",),
}
"""Terminals known to show them; the others ring."""
LONG_RUN = 10.0
"""Seconds after which a run counts as long, unless the settings say otherwise."""
SILENT_FOR = 60.0
"""Where a terminal never tells whether it is looked at: no key for so many seconds means that it is not."""
MAX_WIDTH = 120


def channels_of(setting: str | None, around: Surroundings) -> tuple[Channel, ...]:
    """Choose how to call. Of itself nothing but the bell is used inside a multiplexer, which hands on no more."""
    if setting is not None and setting in CHANNELS:
        chosen = CHANNELS[setting]
        # a notification may get lost in a multiplexer, and the bell does not
        return (*chosen, "bell") if around.inside and chosen and "bell" not in chosen else chosen
    if around.inside:
        return ("bell",)
    return _KNOWN.get(around.program, ("bell",))


def sequence_of(channel: Channel, text: str) -> str:
    """Give what calls with a text that is harmless already."""
    match channel:
        case "bell":
            return "\x07"
        case "osc9":
            # ``9;4;…`` would be a progress bar, and other digits other things: a letter comes first
            return f"\x1b]9;{PROGRAM}: {text}\x07"
        case "osc777":
            return f"\x1b]777;notify;{PROGRAM};{text.replace(';', ',')}\x07"
        case "osc99":
            return f"\x1b]99;i={PROGRAM}:d=0;{PROGRAM}\x1b\\\x1b]99;i={PROGRAM}:d=1:p=body;{text}\x1b\\"
        case "none":
            return ""


@dataclass(slots=True)
class Notifier:
    """Watches a session's status, and calls while the person looks elsewhere.

    Attributes:
        channels: how; empty never calls.
        around: the terminal.
        now: a monotonic clock in seconds.
        write: writes to the terminal.
        masker: hides secrets.
        long_run: seconds after which the end of a run is worth a call.
        focused: what the terminal said last, None while it has said nothing.
        last_key: when a key was pressed last.
    """

    channels: tuple[Channel, ...]
    around: Surroundings
    now: Callable[[], float]
    write: Write
    masker: Masker
    long_run: float = LONG_RUN
    focused: bool | None = None
    last_key: float = 0.0
    _since: float | None = None

    @property
    def is_away(self) -> bool:
        """Whether the person looks elsewhere, as far as it can be known."""
        if self.focused is None:
            return self.now() - self.last_key > SILENT_FOR
        return not self.focused

    def note(self, before: Status, after: Status, message: Message) -> None:
        """Take what was said."""
        if after.busy and not before.busy:
            self._since = self.now()
        known = {request.id for request in before.requests}
        for request in after.requests:
            if request.id not in known:
                self.call(request.title or "A question waits for your answer")
                return
        if isinstance(message, ResultMessage):
            self._ended(after, message)

    def call(self, text: str) -> None:
        """Call the person, if they are away."""
        if not self.channels or not self.is_away:
            return
        said = harmless(text, self.masker)
        if width_of(said) > MAX_WIDTH:
            said = take(said, MAX_WIDTH - 1) + "…"
        for channel in self.channels:
            sequence = sequence_of(channel, said)
            pieces = (sequence,) if channel == "bell" else self.around.pass_through(sequence)
            for piece in pieces:
                self.write(piece)

    def _ended(self, after: Status, result: ResultMessage) -> None:
        now = self.now()
        took = 0.0 if self._since is None else now - self._since
        self._since = now if after.busy else None
        aborted = (result.terminal_reason or "").startswith("aborted")
        if took < self.long_run or aborted or after.queue:
            return
        what = "Stopped on an error" if result.is_error else "Done"
        about = f": {after.title}" if after.title else ""
        self.call(f"{what} after {duration(took * 1000)}{about}")
