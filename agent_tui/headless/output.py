"""Standard output of a run without a screen: data only, and a reader that leaves is no accident.

Everything else goes to standard error.
"""

from __future__ import annotations

import io
import json
import os
import select
import sys
from collections.abc import Callable
from typing import TextIO

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.masking import Masker
from agent_tui.view.clean import clean


class Output:
    """Writes to standard output until its reader has left or there is no room.

    Attributes:
        broken: nothing more can be written.
        lost: something could not be written for another reason than that the reader has left.
    """

    def __init__(self) -> None:
        self.broken = False
        self.lost = False
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")

    def write(self, write: Callable[[], None]) -> None:
        """Have ``write`` write, and let it out at once."""
        if self.broken:
            return
        try:
            write()
            sys.stdout.flush()
        except OSError as error:
            # The reader left, or there is no room. Give the interpreter a standard output it can close quietly.
            self.broken = True
            let_go(sys.stdout)
            if not isinstance(error, BrokenPipeError):
                self.lost = True
                complain(f"the answer can't be printed: {error.strerror}")

    def left(self) -> bool:
        """Tell whether the reader has left, without writing. A file or a terminal has none that could."""
        poll = select.poll()
        try:
            poll.register(sys.stdout.fileno(), 0)
            gone = any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))
        except (OSError, ValueError):  # standard output is no file at all
            return False
        self.broken = self.broken or gone
        return self.broken

    def record(self, record: JsonObject) -> None:
        """Write a line of JSON."""
        line = json.dumps(record, separators=(",", ":")) + "\n"
        self.write(lambda: _put(line))


def complain(text: str) -> None:
    """Say a sentence on standard error; where it can't be written, nobody is to be told."""
    try:
        sys.stderr.write(f"agent-tui: {Masker().mask(clean(text))}\n")
        sys.stderr.flush()
    except OSError:
        let_go(sys.stderr)


def let_go(stream: TextIO) -> None:
    """Have what is written from now on, at the interpreter's end too, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _put(line: str) -> None:
    sys.stdout.write(line)
