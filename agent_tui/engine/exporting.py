"""Writes a session as a document that only its owner can read, with secrets hidden."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import anyio.to_thread

from agent_tui.journal.entries import Entry
from agent_tui.journal.fold import Conversation
from agent_tui.journal.replay import ToolDisplay, messages
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.masking import Masker
from agent_tui.settings.private import write_private
from agent_tui.view.exporting import FORMS, Form, export
from agent_tui.view.transcript import Transcript

USAGE = "Usage: /export [md|html|json] [file]"
_NO_NAME = re.compile(r"[^\w-]+")
MAX_NAME = 40


@dataclass(frozen=True, slots=True)
class Exporting:
    """Exports one open session.

    Attributes:
        entries: gives the journal's lines that count; blocks on files.
        conversation: gives what it comes to.
        tool_display: how a call looks.
        masker: hides secrets.
        cwd, home: where a file's path begins that is not absolute, or begins with ``~``.
    """

    entries: Callable[[], Iterable[Entry]]
    conversation: Callable[[], Conversation]
    tool_display: ToolDisplay
    masker: Masker
    cwd: Path
    home: Path

    async def write(self, args: str) -> Path:
        """Write the file that ``args`` ask for (a form, a file, both or neither); give its path.

        Raises:
            UsageError: there is such a file already, or it can't be written.
        """
        form, file = self.wanted(args)
        return await anyio.to_thread.run_sync(self._write, form, file)

    def wanted(self, args: str) -> tuple[Form, Path]:
        """Say which form and which file are meant.

        Raises:
            UsageError: the file's ending is of no form there is.
        """
        first, _, rest = args.strip().partition(" ")
        form: Form | None = next((one for one in FORMS if one == first.lower()), None)
        named = (rest if form is not None else args).strip()
        if form is None:
            ending = named.rpartition(".")[2].lower() if "." in named else "md"
            form = next((one for one in FORMS if one == {"markdown": "md", "htm": "html"}.get(ending, ending)), None)  # fmt: skip
        if form is None:
            raise UsageError(f"{USAGE}; {named!r} ends in none of them.")
        path = self._path(named)
        if not named or path.is_dir():
            path = path / f"{self._name()}.{form}"
        return form, path

    def _path(self, named: str) -> Path:
        if named == "~" or named.startswith("~/"):
            return self.home / named[2:]
        return self.cwd / named

    def _name(self) -> str:
        """Name a file after the session."""
        conversation = self.conversation()
        title = _NO_NAME.sub("-", self.masker.mask(conversation.title)).strip("-").lower()
        return "-".join(part for part in (title[:MAX_NAME].strip("-"), conversation.session_id[:8]) if part)  # fmt: skip

    def _write(self, form: Form, path: Path) -> Path:
        transcript = Transcript(self.masker)
        for message in messages(self.entries(), tool_display=self.tool_display):
            transcript.apply(message)
        if not transcript.blocks:
            raise UsageError("There is nothing to export yet.")
        title = self.masker.mask(self.conversation().title)
        if path.exists():
            raise UsageError(f"{path} is there already; name another file.")
        try:
            write_private(path, export(transcript.blocks, form, title))
        except OSError as error:
            raise UsageError(f"{path} can't be written: {error.strerror or error}.") from error
        return path
