"""Reads a line, or several, with the keys a shell has: history, completion of files and commands, pasting."""

from __future__ import annotations

import os
import re
import shutil
import sys
import termios
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.patch_stdout import patch_stdout

from agent_tui.protocol.queries import Complete, Completions, Query, Reply
from agent_tui.view.clean import clean

_MENTION = re.compile(r"(?:^|(?<=\s))@(\S*)$")
_COMMAND = re.compile(r"/(\S*)$")

Ask = Callable[[Query], Awaitable[Reply]]
"""Asks the engine."""


class Reading(Protocol):
    """Where lines come from."""

    async def prompt(self, message: str) -> str:
        """Read a prompt; it may have several lines.

        Raises:
            EOFError: the person wants to leave.
            KeyboardInterrupt: the person wants what is typed to go.
        """
        ...

    async def answer(self, message: str, text: str = "") -> str:
        """Read the answer to a question, beginning with ``text``; what was typed before it was asked doesn't count.

        Raises:
            EOFError, KeyboardInterrupt: the person wants it to stop.
        """
        ...


@contextmanager
def quiet_terminal() -> Generator[None]:
    """Don't echo what is typed while nothing is read: it is kept, and shown when it is read. Ctrl+C still interrupts."""
    try:
        fd = sys.stdin.fileno()
        before = termios.tcgetattr(fd)
    except (termios.error, OSError, ValueError):
        yield
        return
    quiet = termios.tcgetattr(fd)
    quiet[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(fd, termios.TCSADRAIN, quiet)
    try:
        yield
    finally:
        with suppress(termios.error):  # a terminal that is gone needs no restoring
            termios.tcsetattr(fd, termios.TCSADRAIN, before)


class Keyboard:
    """The person's terminal.

    Args:
        ask: asks the engine for completions.
        past: prompts typed before, oldest first.
        output: where it echoes; None is what the surroundings give.
    """

    def __init__(self, ask: Ask, past: Iterable[str] = (), output: Output | None = None) -> None:
        history = InMemoryHistory(list(past))
        self._prompts: PromptSession[str] = PromptSession(
            history=history,
            completer=_Completions(ask),
            complete_while_typing=False,
            color_depth=ColorDepth.DEPTH_1_BIT,
            key_bindings=_keys(),
            enable_suspend=True,
            output=output,
        )
        self._answers: PromptSession[str] = PromptSession(
            color_depth=ColorDepth.DEPTH_1_BIT, output=output
        )

    @classmethod
    def of_terminal(cls, ask: Ask, past: Iterable[str] = ()) -> Keyboard:
        """Take this process's terminal; it is never asked where its cursor is, since an answer may come late or never."""
        output = Vt100_Output(
            sys.stdout, _size, os.environ.get("TERM"), ColorDepth.DEPTH_1_BIT, enable_cpr=False
        )
        return cls(ask, past, output)

    @property
    def typed(self) -> str:
        """What is typed by now and not sent."""
        return self._prompts.default_buffer.text

    async def prompt(self, message: str) -> str:
        """Read a prompt; Alt+Enter and a backslash before Enter begin a new line."""
        with patch_stdout():
            return await self._prompts.prompt_async(message, handle_sigint=False)

    async def answer(self, message: str, text: str = "") -> str:
        """Read an answer; keys that were on their way to the prompt are thrown away first."""
        with suppress(termios.error, OSError, ValueError):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        with patch_stdout():
            return await self._answers.prompt_async(
                message, default=text, handle_sigint=False, multiline="\n" in text
            )


def _size() -> Size:
    found = shutil.get_terminal_size((80, 24))
    return Size(rows=found.lines, columns=found.columns)


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("escape", "enter")
    def _newline(event: KeyPressEvent) -> None:  # pyright: ignore[reportUnusedFunction]
        event.current_buffer.insert_text("\n")

    @keys.add("enter")
    @keys.add("c-j")  # what Enter was while the terminal was still in its usual mode
    def _enter(event: KeyPressEvent) -> None:  # pyright: ignore[reportUnusedFunction]
        buffer = event.current_buffer
        if buffer.document.char_before_cursor == "\\":
            buffer.delete_before_cursor()
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    return keys


class _Completions(Completer):
    """Asks the engine for files after ``@`` and for commands after ``/``."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Give nothing: only the other way may wait."""
        return ()

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """Give what fits the word before the cursor."""
        before = document.text_before_cursor
        mention, command = _MENTION.search(before), _COMMAND.fullmatch(before)
        if mention is not None:
            query = Complete("file", mention[1])
        elif command is not None:
            query = Complete("command", command[1])
        else:
            return
        reply = await self._ask(query)
        for item in reply.items if isinstance(reply, Completions) else ():
            yield Completion(
                item.text, -len(query.text), display=clean(item.text), display_meta=clean(item.hint)
            )
