"""Answers ``MemoryFiles``: what is read by now, and the usual files that are not there yet."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from agent_tui.context.memory import MemoryText
from agent_tui.engine.foundation import Foundation
from agent_tui.protocol.memory_files import MemoryList, MemoryRow, MemoryScope
from agent_tui.settings.paths import root


def memory_list(base: Foundation) -> MemoryList:
    """Look which memory files there are. Blocks on files."""
    memory = base.memory()
    usual = _usual(Path(root(base.env)), base.project)
    return MemoryList(
        (*_read(memory), *_missing(memory, usual)), tuple(n.text for n in memory.notes)
    )


def _read(memory: MemoryText) -> Iterator[MemoryRow]:
    for file in memory.files:
        lines = len(file.text.strip().splitlines())
        yield MemoryRow(file.path, file.scope, lines, file.imported_by)


def _usual(own: Path, project: Path) -> tuple[tuple[Path, MemoryScope], ...]:
    return (
        (own / "CLAUDE.md", "user"),
        (project / "CLAUDE.md", "project"),
        (project / "CLAUDE.local.md", "local"),
    )


def _missing(
    memory: MemoryText, usual: tuple[tuple[Path, MemoryScope], ...]
) -> Iterator[MemoryRow]:
    """Give the usual files of a scope of which nothing is read."""
    there = {file.scope for file in memory.files if not file.imported_by}
    for path, scope in usual:
        if scope not in there and not os.path.lexists(path):
            yield MemoryRow(str(path), scope)
