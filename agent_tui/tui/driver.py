"""The terminal's two ends: what is written is checked once more, what is read is never lost and never wakes us in vain.

Differs from Textual's own driver in these points. Output: escape sequences that no part of the screen makes are taken
out, a second guard behind ``view.clean``; nothing is written while another program has the terminal. Input: the reading
thread sleeps until there is something to read; bytes that are no UTF-8 don't end the program; a paste is taken in one
piece however it is cut into reads; Alt+Enter is told from Enter; nothing is read before there is a screen to type into,
so what is typed earlier waits in the terminal. The size is the terminal's own, whatever the environment says, and a storm
of new sizes is answered a few times a second, the last one always. What is beside the picture (title, bell) is handed
in. And a terminal that can't be given back in order is given back all the same (``give_back``).
"""

from __future__ import annotations

import codecs
import os
import re
import select
import signal
import termios
import time
from asyncio import TimerHandle
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import ClassVar

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size
from textual.message import Message

from agent_tui.tui.links import pass_links
from agent_tui.tui.paper import Paper
from agent_tui.tui.signage import Signage

PASTE_START, PASTE_END = "\x1b[200~", "\x1b[201~"
READ_BYTES = 64 * 1024
ESCAPE_WAIT = 0.05
"""How often a lone ESC is looked at again until it is known to be the key (seconds)."""
RESIZE_PAUSE = 0.05
"""Seconds from one new size that is drawn to the next."""
GIVE_BACK = (
    "\x1b[?2026l\x1b[?2004l\x1b[?1004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l"
    "\x1b[?1016l\x1b[?2048l\x1b[0m\x1b[?7h\x1b[<u\x1b[?1049l\x1b[?25h"
)
"""Ends every mode we turn on; the keyboard's before the other screen is left, which has a stack of its own."""

_ALLOWED = (
    r"\[[0-9;:]*m"  # colours and attributes
    r"|\[\d*;?\d*H"  # cursor to a place
    r"|\[\?[0-9;]+[hl]"  # modes on and off
    r"|\[\?[0-9;]+\$p"  # asking for a mode
    r"|\[[<>=]\d*u"  # keyboard protocol
)
_FORBIDDEN = re.compile(rf"\x1b(?!{_ALLOWED})|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
_POINTER = re.compile(r"\x1b\]22;[a-z-]*\x07")
_CLIPBOARD = re.compile(r"\x1b\]52;c;[A-Za-z0-9+/=]*\x07")
_ALT_ENTER = re.compile("\x1b[\r\n]")
_OTHER_KEYS = re.compile(r"\x1b\[27;(\d+);(\d+)~")


def guard(data: str) -> str:
    """Take out of a write what no part of the screen makes; text that stood between stays, powerless.

    The bell, the pointer's shape and the clipboard are written alone, and pass only so; of links those pass that were
    made by ``tui.links``.
    """
    if data == "\x07" or _CLIPBOARD.fullmatch(data) or _POINTER.fullmatch(data):
        return data
    return pass_links(data, lambda text: _FORBIDDEN.sub("", text))


class PasteFilter:
    """Splits what is read into keys and pastes, wherever the reads were cut."""

    def __init__(self) -> None:
        self._held = ""
        self._paste: list[str] | None = None

    @property
    def waiting(self) -> bool:
        """Whether what may be a key is held back, because a mark might begin so."""
        return bool(self._held) and self._paste is None

    def feed(self, data: str) -> Iterator[tuple[bool, str]]:
        """Give (is a paste, text) in order."""
        data, self._held = self._held + data, ""
        while data:
            mark = PASTE_START if self._paste is None else PASTE_END
            at = data.find(mark)
            if at < 0:
                keep = _tail_of_mark(data, mark)
                data, self._held = data[: len(data) - keep], data[len(data) - keep :]
                if self._paste is not None:
                    self._paste.append(data)
                elif data:
                    yield False, data
                return
            before, data = data[:at], data[at + len(mark) :]
            if self._paste is None:
                if before:
                    yield False, before
                self._paste = []
            else:
                text = "".join([*self._paste, before]).replace("\x00", "")
                self._paste = None
                yield True, text

    def flush(self) -> str:
        """Give what was held back: no more of a mark came."""
        held, self._held = self._held, ""
        return held


def _tail_of_mark(data: str, mark: str) -> int:
    for size in range(min(len(mark) - 1, len(data)), 0, -1):
        if mark.startswith(data[-size:]):
            return size
    return 0


class Terminal(LinuxDriver):
    """Textual's driver with the differences.

    Attributes:
        signage: what is written beside the picture.
        paper: what was typed before there was a screen; takes the answer about the background out of what is read.
        taken: the one that has the terminal now.
    """

    taken: ClassVar[Terminal | None] = None
    signage: Signage | None = None
    paper: Paper | None = None
    _wake: tuple[int, int] | None = None
    _listening = False
    _away = True
    _resized: TimerHandle | None = None
    _resized_at = 0.0

    def listen(self) -> None:
        """Begin to read keys, now and whenever the terminal is taken again."""
        self._listening = True
        if self._wake is not None:
            os.write(self._wake[1], b"x")

    def write(self, data: str) -> None:
        """Write, guarded; nothing while another program has the terminal."""
        if not self._away:
            super().write(guard(data))

    def tell(self, sequence: str) -> None:
        """Write a sequence of our own that is no part of the picture: it is not guarded, its maker has cleaned it."""
        if not self._away:
            super().write(sequence)

    def _get_terminal_size(self) -> tuple[int, int]:
        """Ask the terminal itself: ``COLUMNS`` and ``LINES`` may be from another one, and don't change with it."""
        for stream in (self.fileno, 1, 2):
            with suppress(OSError):
                width, height = os.get_terminal_size(stream)
                if width and height:
                    return width, height
        return 80, 25

    def start_application_mode(self) -> None:
        """Take the terminal."""
        self._away = False
        self._wake = os.pipe()
        super().start_application_mode()
        if self._writer_thread is None:
            return  # in the background: the shell has the terminal, and wakes us again when it is ours
        Terminal.taken = self
        signal.signal(signal.SIGWINCH, self._on_winch)
        if self.signage is not None:
            self.signage.write = self.tell
            self.signage.begin()

    def stop_application_mode(self) -> None:
        """Give the terminal back as it was."""
        if self._resized is not None:
            self._resized.cancel()
            self._resized = None
        if self.signage is not None:
            self.signage.end()
        super().stop_application_mode()
        self._away = True
        Terminal.taken = None

    def give_back(self) -> None:
        """Give the terminal back at once, from any thread, whatever state the program is in; once, and never raises."""
        if Terminal.taken is not self:
            return
        Terminal.taken = None
        self._away = True
        title = self.signage.restoring if self.signage is not None else ""
        out = 2  # where Textual writes to
        with suppress(OSError):
            os.set_blocking(out, False)  # a terminal that takes nothing more must not hold us
            os.write(out, (title + GIVE_BACK).encode())
        with suppress(OSError):
            os.set_blocking(out, True)
        if self.attrs_before is not None:
            with suppress(OSError, termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, self.attrs_before)
        self.exit_event.set()  # nothing is read any more, and the reading thread keeps no program alive
        if self._wake is not None:
            with suppress(OSError):
                os.write(self._wake[1], b"x")

    def _on_winch(self, *_: object) -> None:
        """Note, in a signal's handler, that the terminal has another size."""
        if not self._in_band_window_resize:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._size_changed)

    def _size_changed(self) -> None:
        """Draw at the new size, at once or when the pause after the last one is over."""
        if self._resized is None:
            wait = self._resized_at + RESIZE_PAUSE - time.monotonic()
            self._resized = self._loop.call_later(max(0.0, wait), self._draw_at_size)

    def _draw_at_size(self) -> None:
        self._resized, self._resized_at = None, time.monotonic()
        size = Size(*self._get_terminal_size())
        self._app.post_message(events.Resize(size, size))

    def disable_input(self) -> None:
        """Stop reading keys."""
        if self._wake is not None:
            self.exit_event.set()
            with suppress(OSError):
                os.write(self._wake[1], b"x")
            if self._key_thread is not None:
                self._key_thread.join()
            self.exit_event.clear()
            self._key_thread = None
        super().disable_input()
        if self._wake is not None:
            for end in self._wake:
                os.close(end)
            self._wake = None

    def run_input_thread(self) -> None:
        """Read keys until told to stop; sleeps while there are none."""
        assert self._wake is not None
        wake = self._wake[0]
        parser = XTermParser(self._debug)
        decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        pastes = PasteFilter()
        half_read = False
        while not self.exit_event.is_set():
            ends = [self.fileno, wake] if self._listening else [wake]
            early = self.paper.take_early() if self.paper and self._listening else b""
            wait = 0 if early else ESCAPE_WAIT if half_read else None
            ready, _, _ = select.select(ends, [], [], wait)
            if wake in ready and not early:
                os.read(wake, 1)
                continue
            if early or self.fileno in ready:
                raw = early or self._read()
                if not raw:
                    return
                read = decode(raw)
                read = self.paper.filter(read) if self.paper else read
                for is_paste, text in pastes.feed(read):
                    if is_paste:
                        self.process_message(events.Paste(text))
                    else:
                        self._post_all(parser.feed(_plain_keys(text)))
            elif pastes.waiting:  # ESC alone: the key, or the beginning of one
                self._post_all(parser.feed(_plain_keys(pastes.flush())))
            self._post_all(parser.tick())
            half_read = pastes.waiting or parser._timeout_time is not None  # pyright: ignore[reportPrivateUsage]

    def _read(self) -> bytes:
        """Read what there is; when the terminal is gone, end the app as a hang-up does, and give nothing."""
        try:
            raw = os.read(self.fileno, READ_BYTES)
        except OSError:
            raw = b""
        if not raw:
            with suppress(RuntimeError):  # the loop has ended already
                self._loop.call_soon_threadsafe(self._app.exit, None, 128 + signal.SIGHUP)
        elif self.signage is not None:
            self.signage.touched()
        return raw

    def _post_all(self, messages: Iterable[Message]) -> None:
        for message in messages:
            self.process_message(message)


def _plain_keys(text: str) -> str:
    """Write the two spellings Textual's parser takes for others in the one it knows."""
    if "\x1b" not in text:
        return text
    text = _ALT_ENTER.sub("\x1b[13;3u", text)
    return _OTHER_KEYS.sub("\x1b[\\2;\\1u", text)
