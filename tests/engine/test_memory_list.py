"""Which memory files are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.engine.foundation import lay
from agent_tui.engine.memory_list import memory_list
from agent_tui.protocol.memory_files import MemoryRow
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment


@pytest.fixture
def env(tmp_path: Path) -> Environment:
    (tmp_path / "home" / ".claude").mkdir(parents=True)
    (tmp_path / "project" / ".git").mkdir(parents=True)
    variables = {"PATH": "/usr/bin:/bin", "ANTHROPIC_API_KEY": "sk-test-dummy"}
    return Environment(variables, tmp_path / "home")


def listed(env: Environment) -> tuple[tuple[MemoryRow, ...], tuple[str, ...]]:
    project = env.home.parent / "project"
    found = memory_list(lay(Options(cwd=str(project), interactive=True), env))
    return found.rows, found.notes


def test_the_usual_files_that_are_not_there_yet_can_be_made(env: Environment) -> None:
    rows, notes = listed(env)
    assert [(row.scope, Path(row.path).name, row.lines) for row in rows] == [
        ("user", "CLAUDE.md", None),
        ("project", "CLAUDE.md", None),
        ("local", "CLAUDE.local.md", None),
    ]
    assert rows[0].path == str(env.home / ".agent-tui" / "CLAUDE.md")
    assert notes == ()


def test_what_is_read_stands_in_its_order_with_its_lines_and_imports(env: Environment) -> None:
    project = env.home.parent / "project"
    (env.home / ".claude" / "CLAUDE.md").write_text("one\ntwo\n")
    (project / "CLAUDE.md").write_text("@style.md\n@../outside.md\n")
    (project / "style.md").write_text("short\n")
    (project.parent / "outside.md").write_text("x")
    rows, notes = listed(env)
    assert rows == (
        MemoryRow(str(env.home / ".claude" / "CLAUDE.md"), "user", 2),
        MemoryRow(str(project / "CLAUDE.md"), "project", 2),
        MemoryRow(str(project / "style.md"), "project", 1, str(project / "CLAUDE.md")),
        MemoryRow(str(project / "CLAUDE.local.md"), "local"),
    )
    assert len(notes) == 1
    assert "outside.md" in notes[0]
