"""Reading what somebody asks about."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.permissions.inquiry import MAX_SHOWN, TOOLS, Inquiry, read_inquiry
from agent_tui.protocol.access import (
    AskUser,
    CallMcp,
    FetchUrl,
    NoAccess,
    ReadPath,
    RunCommand,
    WritePath,
)
from agent_tui.tools.base import AnyTool
from agent_tui.tools.registry import builtin_tools
from tests.permissions.ground import Project


def read(project: Project, text: str) -> tuple[Inquiry, ...]:
    return read_inquiry(text, project.ground())


def one(project: Project, text: str) -> Inquiry:
    [found] = read(project, text)
    return found


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("git push -f", "git push -f"),
        ("Bash(git push -f)", "git push -f"),
        ("Bash git push -f", "git push -f"),
        ("Bash(echo ')' && ls)", "echo ')' && ls"),
        ("  ls | wc  ", "ls | wc"),
        ("make", "make"),
        ("cat src/a.py", "cat src/a.py"),
        ("mcp__x__y --help", "mcp__x__y --help"),
        ("Unknown(x)", "Unknown(x)"),
        ("echo $HOME/x", "echo $HOME/x"),
        ("$HOME/x", "$HOME/x"),
    ],
)
def test_a_shell_line(project: Project, text: str, command: str) -> None:
    asked = one(project, text)
    assert asked.access == RunCommand(command, str(project.folder))
    assert (asked.tool, asked.tool_input) == ("Bash", {"command": command})
    assert asked.name == f"Bash({command})"


@pytest.mark.parametrize(
    "text", ["src/a.py", "./run.sh", "a.py", ".env", "src", "..", "/etc/x", "~"]
)
def test_a_path_alone_means_reading_and_writing_it(project: Project, text: str) -> None:
    reading, writing = read(project, text)
    assert isinstance(reading.access, ReadPath) and reading.read_only
    assert isinstance(writing.access, WritePath) and not writing.read_only
    assert reading.access.path == writing.access.path
    assert (reading.name, writing.name) == (f"Read({text})", f"Edit({text})")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Read src/a.py", "{folder}/src/a.py"),
        ("Read(./src/../a.py)", "{folder}/a.py"),
        ("Read(//etc/hosts)", "/etc/hosts"),
        ("Grep ~/notes", "{home}/notes"),
        ("Glob(~)", "{home}"),
    ],
)
def test_a_tool_that_reads(project: Project, text: str, path: str) -> None:
    wanted = path.format(folder=project.folder, home=project.home)
    assert one(project, text).access == ReadPath(wanted)


@pytest.mark.parametrize("tool", ["Edit", "Write", "NotebookEdit"])
def test_a_tool_that_writes(project: Project, tool: str) -> None:
    asked = one(project, f"{tool} a.txt")
    assert asked.access == WritePath(str(project.folder / "a.txt"))
    assert not asked.read_only


def test_the_shells_folder_counts_for_paths(project: Project) -> None:
    ground = project.ground(cwd=project.folder / "src")
    [asked] = read_inquiry("Read a.py", ground)
    assert asked.access == ReadPath(str(project.folder / "src" / "a.py"))


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("WebFetch https://example.com/x", "https://example.com/x"),
        ("WebFetch(domain:example.com)", "https://example.com"),
        ("WebFetch example.com", "https://example.com"),
    ],
)
def test_an_address(project: Project, text: str, url: str) -> None:
    asked = one(project, text)
    assert (asked.access, asked.tool_input) == (FetchUrl(url), {"url": url})


def test_a_servers_tool(project: Project) -> None:
    assert one(project, "mcp__github__search").access == CallMcp("github", "search")
    assert one(project, "mcp__github__search").name == "mcp__github__search"


def test_sub_agents_skills_and_questions(project: Project) -> None:
    assert one(project, "Agent(Explore)").tool_input == {"subagent_type": "Explore"}
    assert one(project, "Task(Explore)").tool == "Agent"
    assert one(project, "Skill(deploy now)").tool_input == {"skill": "deploy", "args": "now"}
    assert one(project, "AskUserQuestion").access == AskUser()
    assert one(project, "TaskList").access == NoAccess()


def test_nothing_is_told_to_be_nothing(project: Project) -> None:
    with pytest.raises(ValueError, match="what about"):
        read(project, "  ")


def test_a_long_line_is_named_short(project: Project) -> None:
    assert len(one(project, f"echo {'x' * 1000}").name) == len("Bash()") + MAX_SHOWN


ARGUMENTS: dict[str, dict[str, object]] = {
    "Read": {"file_path": "x"},
    "Edit": {"file_path": "x", "old_string": "a", "new_string": "b"},
    "Write": {"file_path": "x", "content": "a"},
    "Bash": {"command": "x"},
    "Grep": {"pattern": "a", "path": "x"},
    "Glob": {"pattern": "*", "path": "x"},
    "NotebookEdit": {"notebook_path": "x.ipynb", "new_source": "a", "cell_id": "1"},
    "TaskCreate": {"subject": "x", "description": "x"},
    "TaskGet": {"taskId": "1"},
    "TaskList": {},
    "TaskUpdate": {"taskId": "1"},
    "TaskOutput": {"task_id": "1"},
    "TaskStop": {"task_id": "1"},
    "ToolSearch": {"query": "x"},
    "EnterPlanMode": {},
    "ExitPlanMode": {},
    "AskUserQuestion": {
        "questions": [
            {
                "question": "a?",
                "header": "a",
                "multiSelect": False,
                "options": [{"label": "a", "description": "a"}, {"label": "b", "description": "b"}],
            }
        ]
    },
}
"""Calls of the built-in tools about ``x``."""


@pytest.mark.parametrize(
    "tool", [tool for tool in builtin_tools() if tool.name != "Agent"], ids=lambda tool: tool.name
)
def test_a_call_that_is_asked_about_is_judged_as_the_tools_own_would_be(
    project: Project, tool: AnyTool
) -> None:
    assert tool.name in TOOLS
    own = tool.access(tool.parse(ARGUMENTS[tool.name]), Path(project.folder))
    asked = one(project, f"{tool.name}({'x.ipynb' if tool.name == 'NotebookEdit' else 'x'})")
    assert asked.access == own
    assert isinstance(own, NoAccess | AskUser) or asked.read_only == tool.read_only
