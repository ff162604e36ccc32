"""One rule: ``Tool`` or ``Tool(specifier)``, read, printed, checked, and where it stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from agent_tui.protocol.requests import PermissionRuleValue, RuleBehavior

MAX_RULE: Final = 4_000
"""Characters; a longer rule is a document, not a rule."""

OLD_NAMES: Final = {
    "Task": "Agent",
    "BashOutput": "TaskOutput",
    "AgentOutput": "TaskOutput",
    "KillShell": "TaskStop",
    "KillBash": "TaskStop",
}
"""Names tools had before; accepted in rules and calls."""

PATH_TOOLS: Final = frozenset({"Read", "Edit"})
COMMAND_TOOLS: Final = frozenset({"Bash", "Monitor"})
NAME_TOOLS: Final = frozenset({"Agent", "Skill"})
FOLDER_TOOL: Final = "Cd"
UNUSED_PATH_TOOLS: Final = frozenset({"Write", "Glob", "Grep", "LSP", "NotebookEdit"})
MAIN_FIELDS: Final = frozenset({"command", "file_path", "path", "notebook_path", "url"})
COMMAND_FIELDS: Final = frozenset(
    {"run_in_background", "timeout", "description", "dangerouslyDisableSandbox"}
)
"""Fields of a shell call that a rule may name and that are no part of the line."""
AGENT_FIELDS: Final = frozenset(
    {"model", "run_in_background", "description", "prompt", "isolation", "subagent_type"}
)

_CANONICAL: Final = {
    name.lower(): name
    for name in (
        *OLD_NAMES,
        *sorted(PATH_TOOLS | COMMAND_TOOLS | NAME_TOOLS | UNUSED_PATH_TOOLS),
        *("WebFetch", "WebSearch", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "Cd"),
    )
}
_RANKS: Final = {
    name: rank
    for rank, name in enumerate(("managed", "flag", "session", "local", "project", "user"))
}

_SHAPE = re.compile(r"(?P<tool>[A-Za-z0-9_*-]+)(?:\((?P<content>.*)\))?", re.DOTALL)
_PARAM = re.compile(r"(?P<name>[A-Za-z_]\w*):(?P<value>.*)", re.DOTALL)
_ALLOWED_GLOB = re.compile(r"mcp__[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*__[^*]*\*[^*]*")


@dataclass(frozen=True, slots=True)
class RuleSource:
    """Where a rule stands.

    Attributes:
        name: ``managed``, ``flag``, ``session``, ``local``, ``project`` or ``user``.
        path: the settings file, "" for flags and session.
        line: its line in it, from 1; 0 where unknown.
        anchor: the folder that path patterns beginning with ``/`` start at; "" is the session's first working folder.
    """

    name: str
    path: str = ""
    line: int = 0
    anchor: str = ""

    def __str__(self) -> str:
        if not self.path:
            return "the command line" if self.name == "flag" else f"the {self.name} rules"
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule that holds."""

    behavior: RuleBehavior
    value: PermissionRuleValue
    source: RuleSource

    def __str__(self) -> str:
        return str(self.value)

    @property
    def rank(self) -> tuple[int, str, str]:
        """What rules of one kind are ordered by: their source, the highest first, then their text.

        So neither the order of rules in a file nor a rule that stands twice changes what is decided, or what is told.
        """
        return _RANKS.get(self.source.name, len(_RANKS)), str(self), self.source.path

    @property
    def tool(self) -> str:
        """The canonical name of the tool (it may hold ``*``)."""
        return canonical(self.value.tool_name)

    @property
    def content(self) -> str | None:
        """The specifier; None when the rule is for the whole tool."""
        return None if self.whole else self.value.rule_content

    @property
    def whole(self) -> bool:
        """``Tool``, ``Tool()``, ``Tool(*)`` (and ``Tool(:*)``) are one."""
        return self.value.rule_content in (None, "", "*", ":*")


class Rules(Protocol):
    """The rules in force, by what they do."""

    @property
    def allow(self) -> tuple[Rule, ...]:
        """Rules that allow."""
        ...

    @property
    def ask(self) -> tuple[Rule, ...]:
        """Rules that ask."""
        ...

    @property
    def deny(self) -> tuple[Rule, ...]:
        """Rules that forbid."""
        ...


@lru_cache(maxsize=4096)
def parse_rule(text: str) -> PermissionRuleValue | None:
    """Read a rule; None when it isn't one. ``str()`` of what it gives is ``text`` again."""
    found = _SHAPE.fullmatch(text) if len(text) <= MAX_RULE else None
    return PermissionRuleValue(found["tool"], found["content"]) if found else None


def canonical(tool_name: str) -> str:
    """Give the name a tool has now."""
    return OLD_NAMES.get(tool_name, tool_name)


def param_rule(content: str) -> tuple[str, str] | None:
    """Read ``param:value``: the input field and the pattern of its value; None when it is no such thing."""
    found = _PARAM.fullmatch(content)
    return (found["name"], found["value"]) if found and found["name"] not in MAIN_FIELDS else None


@lru_cache(maxsize=4096)
def problem_of(value: PermissionRuleValue, behavior: RuleBehavior) -> str | None:
    """Say why a well-formed rule can't be used, or None: it can."""
    tool = canonical(value.tool_name)
    content = value.rule_content
    meant = _CANONICAL.get(value.tool_name.lower(), value.tool_name)
    if meant != value.tool_name:
        return f"there is no tool {value.tool_name}; write {meant}"
    if "*" in tool and behavior == "allow" and not _ALLOWED_GLOB.fullmatch(tool):
        return "an allow rule may have * in the tool's name only after a literal mcp__server__"
    if content in (None, "", "*", ":*"):
        return None
    if any(ord(char) < 32 and char not in "\t\n" for char in content):
        return "it holds control characters"
    return _content_problem(tool, content, behavior)


def restricts_nothing(value: PermissionRuleValue) -> bool:
    """Tell whether a restriction that can't be used may be left out.

    ``Write(path)`` and its like are known and never consulted; of tools that aren't ours nothing has to be forbidden.
    """
    name = value.tool_name
    ours = name.lower() in _CANONICAL or "*" in name or name.startswith("mcp__")
    return name in UNUSED_PATH_TOOLS or not ours


def _content_problem(tool: str, content: str, behavior: RuleBehavior) -> str | None:
    field, colon, value = content.partition(":")
    prefix = tool in COMMAND_TOOLS and (
        field != "command" or value == "*"
    )  # an old spelling of a prefix
    if field in MAIN_FIELDS and colon and not prefix:
        return f"a rule can't name the field {field}; write what it holds, as in Bash(rm *)"
    by_field = param_rule(content) is not None
    if tool in UNUSED_PATH_TOOLS and not (behavior != "allow" and by_field):
        return f"paths are ruled by Edit(...) and Read(...); {tool}(...) is never consulted"
    if tool in PATH_TOOLS or tool == FOLDER_TOOL:
        return _path_problem(content)
    if tool in COMMAND_TOOLS or tool in NAME_TOOLS:
        fields = COMMAND_FIELDS if tool in COMMAND_TOOLS else AGENT_FIELDS
        only_stricter = behavior == "allow" and by_field and field in fields
        return "a rule about a field can deny or ask, not allow" if only_stricter else None
    if tool == "WebFetch" and _is_domain(content):
        return None
    if by_field and behavior != "allow" and not (tool == "WebFetch" and field == "domain"):
        return None
    return "WebFetch takes domain:<host>" if tool == "WebFetch" else f"{tool} takes no specifier"


def _path_problem(content: str) -> str | None:
    if content.startswith("!"):
        return "a path pattern can't be negated"
    if content.rstrip("/") in ("", ".", "~") and content not in ("/", "//", "~/", "./"):
        return "the path is empty"
    return None


def _is_domain(content: str) -> bool:
    kind, colon, host = content.partition(":")
    return kind == "domain" and bool(colon) and bool(re.fullmatch(r"[\w.*:-]+", host.strip("[]")))


def tool_named(rule: Rule, tool: str) -> bool:
    """Tell whether a rule's tool name covers ``tool`` (canonical): same, a ``*`` pattern, or ``mcp__server``.

    Rules of ``Bash`` count for ``Monitor`` too, which runs commands. A server's name may hold ``__``. So ``mcp__a__b`` may be a tool of ``a`` or the server ``a__b``: to restrict it is
    both, to allow only the first.
    """
    name = rule.tool
    if name == tool or (tool == "Monitor" and name == "Bash"):
        return True
    if "*" in name:
        return _glob(name).fullmatch(tool) is not None
    server = rule.behavior != "allow" or "__" not in name[5:]
    return server and name.startswith("mcp__") and tool.startswith(f"{name}__")


@lru_cache(maxsize=256)
def _glob(name: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(piece) for piece in re.split(r"\*+", name)), re.DOTALL)
