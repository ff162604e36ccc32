"""The prompts typed before, recalled per project, session or from everywhere; ``settings.typed`` keeps them on disk."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from agent_tui.settings.typed import Typed

LOOKED_BACK = 200
"""Prompts that are looked through for files."""
MENTIONS = 30
_MENTION = re.compile(r"(?:^|(?<=\s))@(?:\"([^\"\n]+)\"|([^\s\"]+))")

Scope = Literal["project", "session", "all"]
SCOPES: tuple[Scope, ...] = ("project", "session", "all")


@dataclass(slots=True)
class History:
    """Walks through the prompts of a project, newest first; the draft waits below the newest."""

    project: str
    entries: list[Typed] = field(default_factory=list[Typed])
    _walk: list[str] = field(default_factory=list[str])
    _at: int = -1
    _draft: str = ""

    def add(self, typed: Typed) -> bool:
        """Take a prompt in; the same one twice in a row counts once. Tell whether it was new."""
        self.leave()
        mine = [e for e in self.entries[-1:] if e.project == typed.project]
        if mine and mine[-1].text == typed.text:
            return False
        self.entries.append(typed)
        return True

    def older(self, draft: str) -> str | None:
        """Give the prompt before; None at the oldest. ``draft`` is kept when the walk begins."""
        if self._at < 0:
            self._walk, self._draft = self.texts("project"), draft
        if self._at + 1 >= len(self._walk):
            return None
        self._at += 1
        return self._walk[self._at]

    def newer(self) -> str | None:
        """Give the prompt after, at last the draft; None when not walking."""
        if self._at < 0:
            return None
        self._at -= 1
        return self._draft if self._at < 0 else self._walk[self._at]

    def leave(self) -> str:
        """End the walk: what is in the editor is a new draft. Give the old one, empty when there was none."""
        draft = self._draft if self._at >= 0 else ""
        self._at, self._draft = -1, ""
        return draft.strip() and draft

    def texts(self, scope: Scope, session: str = "") -> list[str]:
        """Give the different prompts of a scope, newest first."""
        seen: dict[str, None] = {}
        for entry in reversed(self.entries):
            if scope == "all" or (
                entry.project == self.project
                and (scope == "project" or entry.session in ("", session))
            ):
                seen.setdefault(entry.text)
        return list(seen)

    def mentioned(self) -> tuple[str, ...]:
        """Give the files that the project's last prompts mention, the last one first."""
        mine = (e.text for e in reversed(self.entries) if e.project == self.project)
        found: dict[str, None] = {}
        for text in islice(mine, LOOKED_BACK):
            for quoted, plain in reversed(_MENTION.findall(text)):
                found.setdefault(quoted or plain.rstrip(".,;:!?)"))
        return tuple(islice(found, MENTIONS))

    def search(self, needle: str, scope: Scope, session: str = "") -> list[str]:
        """Give the prompts that hold ``needle``, without regard to case, newest first."""
        wanted = needle.casefold()
        return [text for text in self.texts(scope, session) if wanted in text.casefold()]
