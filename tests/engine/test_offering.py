"""Which built-in tools a session offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.engine.offering import NEED_A_PERSON, TASK_TOOLS, Setting, offered
from agent_tui.permissions.rules import RuleBook
from agent_tui.settings.layers import SourcedRule
from agent_tui.settings.options import Options, PermissionOptions, ToolOptions
from agent_tui.settings.paths import Environment
from agent_tui.tools.base import ToolSet
from agent_tui.tools.registry import builtin_names


def tools(
    base: tuple[str, ...] | None = None,
    *,
    allowed: tuple[str, ...] = (),
    deny: tuple[str, ...] = (),
    variables: dict[str, str] | None = None,
    model: str = "claude-opus-5-5",
    somebody: bool = True,
    search: bool = True,
    interactive: bool = False,
) -> ToolSet:
    options = Options(
        cwd="/",
        tools=ToolOptions(base=base),
        permissions=PermissionOptions(allowed_tools=allowed),
        interactive=interactive,
    )
    rules = RuleBook.of([SourcedRule("deny", text, "flag") for text in deny])
    env = Environment(variables or {}, Path("/"))
    return offered(Setting(options, env, rules, model, somebody, search))


def names(found: ToolSet) -> set[str]:
    return set(found.by_name)


def test_a_person_at_a_screen_has_everything() -> None:
    assert list(tools(interactive=True).by_name) == list(builtin_names())
    assert tools(interactive=True).absent == {}


def test_what_is_left_out_has_a_reason() -> None:
    found = tools(somebody=False, search=False)
    assert names(found) == set(builtin_names()) - NEED_A_PERSON - TASK_TOOLS - {"ToolSearch"}
    assert set(found.absent) == NEED_A_PERSON | TASK_TOOLS | {"ToolSearch"}
    assert all(found.absent.values())


@pytest.mark.parametrize(
    ("model", "there"),
    [
        ("claude-opus-4-7", True),
        ("claude-opus-4-8", False),
        ("claude-opus-4-8-20260101", False),
        ("claude-opus-5-5", False),
        ("claude-sonnet-4-6", True),
        ("claude-sonnet-5", False),
        ("claude-haiku-4-5", True),
        ("claude-haiku-5-5", False),
        ("claude-fable-5", False),
        ("claude-mythos-5-1", False),
        ("somebody-elses", True),
    ],
)
def test_older_models_have_a_task_list(model: str, there: bool) -> None:
    assert (names(tools(model=model)) >= TASK_TOOLS) is there


@pytest.mark.parametrize(
    ("allowed", "variables", "interactive", "there"),
    [
        (("TaskUpdate",), {}, False, True),
        (("Task(x)", "not a rule ("), {}, False, False),
        ((), {"CLAUDE_CODE_ENABLE_TODO_TOOLS": "1"}, False, True),
        ((), {"CLAUDE_CODE_ENABLE_TODO_TOOLS": "0"}, False, False),
        ((), {}, True, True),
        (("TaskUpdate",), {"CLAUDE_CODE_ENABLE_TASKS": "0"}, True, False),
    ],
)
def test_newer_models_have_it_where_it_is_wanted(
    allowed: tuple[str, ...], variables: dict[str, str], interactive: bool, there: bool
) -> None:
    found = tools(allowed=allowed, variables=variables, interactive=interactive)
    assert (names(found) >= TASK_TOOLS) is there


def test_a_list_of_tools_is_all_there_is() -> None:
    found = tools(("Read", "TaskCreate", "Nonsense", "KillShell"))
    assert names(found) == {"Read", "TaskCreate", "TaskStop"}
    assert "not among the tools chosen" in found.missing("Bash")
    assert names(tools(())) == set()


def test_the_usual_ones_may_be_named_together() -> None:
    assert names(tools(("default", "TaskList"))) == names(tools()) | {"TaskList"}


def test_a_list_brings_back_no_question_nobody_can_answer_nor_a_forbidden_tool() -> None:
    found = tools(("AskUserQuestion", "Bash", "Read"), somebody=False, deny=("Bash",))
    assert names(found) == {"Read"}
    assert "a permission rule forbids it" in found.missing("Bash")
