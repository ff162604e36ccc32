"""Sub-agents in files: every documented field, and what makes a file be left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.agents.files import LeftOut, names_in, read_definition
from agent_tui.protocol.agents import AgentDefinition

FULL = """---
name: checker
description: Checks things. Use when: asked
tools: Read, Agent(one, two), mcp__docs
disallowedTools: [Bash, Edit]
model: haiku
permissionMode: acceptEdits
maxTurns: 7
background: false
effort: high
skills: pdf, xls
mcpServers:
memory: project
initialPrompt: Begin.
color: blue
---
You check things.

Do it well.
"""


def read(folder: Path, text: str) -> AgentDefinition | LeftOut | None:
    file = folder / "one.md"
    file.write_text(text)
    return read_definition(file, "user")


def test_every_field_is_read_and_unknown_ones_are_left_alone(tmp_path: Path) -> None:
    assert read(tmp_path, FULL) == AgentDefinition(
        name="checker",
        description="Checks things. Use when: asked",
        prompt="You check things.\n\nDo it well.",
        tools=("Read", "Agent(one, two)", "mcp__docs"),
        disallowed_tools=("Bash", "Edit"),
        model="haiku",
        effort="high",
        max_turns=7,
        background=False,
        permission_mode="acceptEdits",
        skills=("pdf", "xls"),
        memory="project",
        initial_prompt="Begin.",
        source="user",
        path=str(tmp_path / "one.md"),
    )


def test_what_is_not_said_is_the_usual(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: b\nmodel: inherit\npermissionMode: auto\ntools: '*'\n---\nc"
    found = read(tmp_path, text)
    assert isinstance(found, AgentDefinition)
    assert (found.tools, found.model, found.permission_mode, found.background) == (None,) * 4


def test_servers_may_be_names_or_objects(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: b\nmcpServers:\n  - docs\n  - own: {command: x}\n---\nc"
    found = read(tmp_path, text)
    assert isinstance(found, AgentDefinition)
    assert found.mcp_servers == ("docs", {"own": {"command": "x"}})


@pytest.mark.parametrize(
    ("fields", "line", "what"),
    [
        ("name: -a\ndescription: b", 2, "name must be"),
        ("name: a:b\ndescription: c", 2, "name must be"),
        ("name: a", 1, "description must be"),
        ("name: a\ndescription: b\nmaxTurns: many", 4, "maxTurns must be"),
        ("name: a\ndescription: b\nmaxTurns: 0", 4, "maxTurns must be"),
        ("name: a\ndescription: b\ntools: {Read: true}", 4, "tools must be"),
        ("name: a\ndescription: b\ntools: [1]", 4, "tools must be"),
        ("name: a\ndescription: b\nbackground: perhaps", 4, "background must be"),
        ("name: a\ndescription: b\npermissionMode: wild", 4, "permissionMode must be"),
        ("name: a\ndescription: b\neffort: 11", 4, "effort must be"),
        ("name: a\ndescription: b\nmcpServers: docs", 4, "mcpServers must be"),
    ],
)
def test_a_bad_field_leaves_the_file_out_and_names_its_line(
    tmp_path: Path, fields: str, line: int, what: str
) -> None:
    found = read(tmp_path, f"---\n{fields}\n---\nbody")
    assert isinstance(found, LeftOut)
    assert found.text.startswith(f"{tmp_path / 'one.md'}:{line}: ")
    assert what in found.text


def test_a_file_without_a_system_prompt_is_left_out(tmp_path: Path) -> None:
    found = read(tmp_path, "---\nname: a\ndescription: b\n---\n\n")
    assert isinstance(found, LeftOut)
    assert "system prompt" in found.text


def test_a_file_without_a_name_defines_nothing(tmp_path: Path) -> None:
    assert read(tmp_path, "# Notes") is None
    assert read(tmp_path, "---\ntitle: x\n---\ny") is None


def test_what_is_no_text_file_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "bytes.md").write_bytes(b"---\nname: \xff\n---\nx")
    (tmp_path / "folder.md").mkdir()
    for name in ("bytes.md", "folder.md", "missing.md"):
        assert isinstance(read_definition(tmp_path / name, "user"), LeftOut)


def test_commas_in_brackets_part_nothing() -> None:
    assert names_in("Read, Agent(a, b) ,,Bash(git *)") == ("Read", "Agent(a, b)", "Bash(git *)")
