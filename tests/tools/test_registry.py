"""The list of built-in tools is their folder."""

from __future__ import annotations

import ast
import inspect
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import cast

import pytest

from agent_tui.tools import builtin
from agent_tui.tools.definition import BuiltinTool
from agent_tui.tools.registry import (
    builtin_modules,
    builtin_names,
    builtin_tool,
    builtin_tools,
    module_of,
)

FOLDER = Path(builtin.__path__[0])


NAMES = [
    "Agent",
    "AskUserQuestion",
    "Bash",
    "Edit",
    "EnterPlanMode",
    "ExitPlanMode",
    "Glob",
    "Grep",
    "NotebookEdit",
    "Read",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "ToolSearch",
    "Write",
]


def test_the_tools_are_those_of_the_folder_in_a_fixed_order() -> None:
    assert list(builtin_names()) == NAMES
    assert [tool.name for tool in builtin_tools()] == NAMES
    assert [module_of(name) for name in NAMES] == list(builtin_modules())
    left = [name for name in NAMES if name not in ("Glob", "TaskGet")]
    assert [tool.name for tool in builtin_tools(leave_out=("glob", "task_get"))] == left
    with pytest.raises(KeyError):
        builtin_tool("../base")


@pytest.mark.parametrize("module", builtin_modules())
def test_a_module_holds_exactly_one_tool_and_its_text(module: str) -> None:
    found = import_module(f"agent_tui.tools.builtin.{module}")
    kinds: list[type] = []
    for _, kind in inspect.getmembers(found, inspect.isclass):
        if issubclass(kind, BuiltinTool) and kind.__module__ == found.__name__:
            kinds.append(cast("type", kind))
    assert [type(found.TOOL)] == kinds
    assert module_of(found.TOOL.name) == module
    assert (FOLDER / f"{module}.md").read_text().strip() == found.TOOL.schema()["description"]


def test_every_text_belongs_to_a_tool() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.md")) == list(builtin_modules())


def test_naming_the_tools_loads_none() -> None:
    code = (
        "import sys; from agent_tui.tools.registry import builtin_modules; builtin_modules();"
        "print([m for m in sys.modules if m.startswith('agent_tui.tools.builtin')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=FOLDER.parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ast.literal_eval(done.stdout) == []


def test_the_schemas_are_small_and_the_same_every_time() -> None:
    one = json.dumps([tool.schema() for tool in builtin_tools()])
    assert len(one) / 4 < 4_000
    code = (
        "import json; from agent_tui.tools.registry import builtin_tools;"
        "print(json.dumps([tool.schema() for tool in builtin_tools()]), end='')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=FOLDER.parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == one


def test_only_looking_tools_may_run_together() -> None:
    assert {tool.name for tool in builtin_tools() if tool.read_only} == {
        "Agent",
        "AskUserQuestion",
        "Glob",
        "Grep",
        "Read",
        "TaskGet",
        "TaskList",
        "TaskOutput",
        "ToolSearch",
    }
