"""Does a rule cover a call by the name of its tool, a name in its input, an address, or a field of its input?

What a shell line runs and which files a call touches are judged elsewhere (``lines.py``, ``files.py``).
"""

from __future__ import annotations

from collections.abc import Iterable

from agent_tui.permissions.match import rule_covers_host, rule_covers_mcp, value_fits
from agent_tui.permissions.rule import NAME_TOOLS, Rule, param_rule, tool_named
from agent_tui.permissions.shell.forms import read_pattern
from agent_tui.permissions.verdict import Hit
from agent_tui.protocol.access import Access, CallMcp, FetchUrl
from agent_tui.protocol.agents import USUAL_KIND
from agent_tui.protocol.content import JsonObject


def first_cover(
    rules: Iterable[Rule], access: Access, tool: str, tool_input: JsonObject
) -> Hit | None:
    """Find the first rule that covers a call of ``tool`` (its canonical name)."""
    covering = (rule for rule in rules if covers_call(rule, access, tool, tool_input))
    return next((Hit(rule, tool) for rule in covering), None)


def covers_call(rule: Rule, access: Access, tool: str, tool_input: JsonObject) -> bool:
    """Tell whether one rule does."""
    content, strict = rule.content, rule.behavior != "allow"
    named = (
        rule_covers_mcp(rule, access, tool)
        if isinstance(access, CallMcp)
        else tool_named(rule, tool)
    )
    if content is None or not named:
        return named
    if strict and (param := param_rule(content)) is not None:
        name, value = param
        if value_fits(value, tool_input, name):
            return True
    if isinstance(access, FetchUrl) and rule.tool == "WebFetch":
        return content.startswith("domain:") and rule_covers_host(
            content, access.url, strict=strict
        )
    return rule.tool in NAME_TOOLS and _covers_name(content, tool, tool_input, strict=strict)


def _covers_name(content: str, tool: str, tool_input: JsonObject, *, strict: bool) -> bool:
    """``Agent(Explore)``, ``Skill(name)``, ``Skill(name *)``."""
    pattern = read_pattern(content)
    if tool == "Agent":
        kind = tool_input.get("subagent_type") or USUAL_KIND
        return isinstance(kind, str) and pattern.fits(kind)
    given, arguments = tool_input.get("skill"), tool_input.get("args")
    if not isinstance(given, str):
        return False
    name = given.strip().removeprefix("/")
    text = f"{name} {arguments}" if isinstance(arguments, str) and arguments.strip() else name
    return pattern.fits(text) or (strict and pattern.fits(name))
