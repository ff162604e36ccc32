"""The three output formats of ``-p``."""

from __future__ import annotations

import json
from typing import Protocol, TextIO

from agent_tui.headless.output import let_go
from agent_tui.protocol.content import JsonObject, TextBlock, ToolResultBlock, ToolUseBlock
from agent_tui.protocol.masking import Masker
from agent_tui.protocol.messages import (
    AssistantMessage,
    Message,
    QueueChanged,
    ResultMessage,
    StatusChanged,
    SystemMessage,
    ToolProgress,
    UserMessage,
)
from agent_tui.protocol.records import to_record
from agent_tui.protocol.requests import PermissionRequest, RequestClosed
from agent_tui.view.clean import clean

OURS_ONLY = (QueueChanged, StatusChanged, ToolProgress, PermissionRequest, RequestClosed)
"""Messages for a screen; a reader of stream-json has no use for them."""


def for_programs(message: Message) -> bool:
    """Whether a reader of stream-json gets it: not what a screen needs, nor what the model alone is told."""
    told_to_model = isinstance(message, UserMessage) and message.origin is not None
    return not isinstance(message, OURS_ONLY) and not told_to_model


class Printer(Protocol):
    """Writes the messages of one run; ``masker`` hides secrets in what is for people."""

    def __init__(
        self, out: TextIO, err: TextIO, *, verbose: bool, masker: Masker | None = None
    ) -> None: ...

    def message(self, message: Message) -> None:
        """Take the next message."""
        ...

    def end(self) -> None:
        """Write what is left."""
        ...


class TextPrinter:
    """Prints the final answer; with ``verbose`` also what happens, on standard error.

    What a terminal shows is made harmless and its secrets are hidden. A pipe gets the answer as it is: it is data.
    """

    def __init__(
        self, out: TextIO, err: TextIO, *, verbose: bool, masker: Masker | None = None
    ) -> None:
        self._out, self._err, self._verbose = out, err, verbose
        self._masker = masker or Masker()
        self._safe = self._harmless if out.isatty() else str

    def message(self, message: Message) -> None:
        """Print a result, and notices where they are wanted."""
        match message:
            case ResultMessage():
                self._result(message)
            case SystemMessage("api_retry", data):
                self._note(
                    f"retry {data.get('attempt')}: {data.get('reason') or data.get('error')}"
                )
            case SystemMessage("informational" | "local_command_output", data):
                self._note(str(data.get("content")))
            case SystemMessage("saving", data) if data.get("state") == "failed":
                self._note(f"the session can't be saved: {data.get('error')}")
            case AssistantMessage(content=content) if self._verbose:
                for block in content:
                    if isinstance(block, ToolUseBlock):
                        self._note(f"{block.name} {self._short(json.dumps(block.input), 200)}")
                    elif isinstance(block, TextBlock):
                        self._note(block.text)
            case UserMessage(content=tuple(content)) if self._verbose:
                for block in content:
                    if isinstance(block, ToolResultBlock) and block.is_error:
                        self._note(f"failed: {self._short(str(block.content), 300)}")
            case _:
                pass

    def end(self) -> None:
        """Write nothing more."""

    def _result(self, message: ResultMessage) -> None:
        if message.result:
            self._out.write(self._safe(message.result).rstrip("\n") + "\n")
        if message.subtype != "success":
            for error in message.errors or (f"the run ended: {message.subtype}",):
                self._note(error)

    def _note(self, text: str) -> None:
        _note(self._err, text, self._masker)

    def _harmless(self, text: str) -> str:
        return self._masker.mask(clean(text))

    def _short(self, text: str, most: int) -> str:
        """Cut a text; what would be hidden is hidden first, for half a secret is not known as one."""
        return self._masker.mask(text)[:most]


def _note(err: TextIO, text: str, masker: Masker) -> None:
    try:
        err.write(f"agent-tui: {masker.mask(clean(text))}\n")
        err.flush()
    except OSError:  # the answer is to be had all the same
        let_go(err)


class JsonPrinter:
    """Prints the result as one object; with ``verbose`` an array of all records.

    The one object has no place for warnings (a rule left out, say): they go to standard error.
    """

    def __init__(
        self, out: TextIO, err: TextIO, *, verbose: bool, masker: Masker | None = None
    ) -> None:
        self._out, self._err, self._verbose = out, err, verbose
        self._masker = masker or Masker()
        self._records: list[JsonObject] = []

    def message(self, message: Message) -> None:
        """Keep what will be printed."""
        if not for_programs(message):
            return
        if self._verbose or isinstance(message, ResultMessage):
            self._records.append(to_record(message))
        elif isinstance(message, SystemMessage) and message.data.get("level") == "warning":
            _note(self._err, str(message.data.get("content")), self._masker)

    def end(self) -> None:
        """Print it."""
        data = self._records if self._verbose else (self._records or [{}])[-1]
        self._out.write(json.dumps(data) + "\n")


class StreamJsonPrinter:
    """Prints a record a line, the result last."""

    def __init__(
        self, out: TextIO, err: TextIO, *, verbose: bool, masker: Masker | None = None
    ) -> None:
        self._out = out

    def message(self, message: Message) -> None:
        """Print the record now."""
        if for_programs(message):
            self._out.write(json.dumps(to_record(message), separators=(",", ":")) + "\n")

    def end(self) -> None:
        """Write nothing more."""


PRINTERS: dict[str, type[Printer]] = {
    "text": TextPrinter,
    "json": JsonPrinter,
    "stream-json": StreamJsonPrinter,
}
