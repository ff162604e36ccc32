"""Which built-in tools a session offers, and why it leaves out the others."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent_tui.model.prices import bare_id
from agent_tui.permissions.rule import OLD_NAMES, parse_rule
from agent_tui.permissions.rules import RuleBook
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment
from agent_tui.tools.base import SEARCH, ToolSet
from agent_tui.tools.registry import builtin_names, builtin_tool, module_of

NEED_A_PERSON = frozenset({"AskUserQuestion", "EnterPlanMode", "ExitPlanMode"})
TASK_TOOLS = frozenset({"TaskCreate", "TaskGet", "TaskList", "TaskUpdate"})

USUAL = "default"
"""In a list of tools, stands for the usual ones."""

_WITHOUT_TASKS = re.compile(
    r"claude-(?:opus-(?:4-[89]|[5-9])|(?:sonnet|haiku)-[5-9]|fable-|mythos-)"
)
"""Models that keep their tasks in mind themselves."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What decides.

    Attributes:
        options, env, rules: as for the session.
        model: the one that is asked first.
        somebody: whether questions can be answered.
        search: whether there may be tools to be searched for.
    """

    options: Options
    env: Environment
    rules: RuleBook
    model: str
    somebody: bool
    search: bool


def offered(setting: Setting) -> ToolSet:
    """Give the built-in tools of a session, and for each of the others a reason that the model can be told."""
    absent: dict[str, str] = {}
    names: list[str] = []
    for name in builtin_names():
        why = _why_not(name, setting)
        if why:
            absent[name] = why
        else:
            names.append(name)
    return ToolSet.of(tuple(builtin_tool(module_of(name)) for name in names), absent)


def _why_not(name: str, setting: Setting) -> str:
    base = setting.options.tools.base
    chosen = None if base is None else {OLD_NAMES.get(one, one) for one in base}
    if setting.rules.hides(name):
        return "a permission rule forbids it"
    if name in NEED_A_PERSON and not setting.somebody:
        return "nobody is there to answer"
    if name == SEARCH and not setting.search:
        return "every tool there is can be called right away"
    if chosen is not None and name in chosen:
        return ""
    if chosen is not None and USUAL not in chosen:
        return "it is not among the tools chosen for it"
    if name in TASK_TOOLS and not _has_tasks(name, setting):
        return "this model works without a task list"
    return ""


def _has_tasks(name: str, setting: Setting) -> bool:
    """A person likes to see the list; without one, newer models do better without it unless it is wanted."""
    env = setting.env
    if env.get("CLAUDE_CODE_ENABLE_TASKS").lower() in ("0", "false", "no", "off"):
        return False
    if env.get("CLAUDE_CODE_ENABLE_TODO_TOOLS").lower() in ("1", "true", "yes", "on"):
        return True
    rules = (parse_rule(text) for text in setting.options.permissions.allowed_tools)
    if any(rule is not None and rule.tool_name in TASK_TOOLS for rule in rules):
        return True
    return setting.options.interactive or not _WITHOUT_TASKS.match(bare_id(setting.model))
