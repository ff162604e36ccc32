"""Rules that carry examples: each is tried against its rule when the rules are loaded, by the judge that decides calls.

An example is what the rule is about: a shell line (``Bash``, ``Monitor``), a path (``Read``, ``Edit``, ``Cd``; relative
ones from the working folder), an address (``WebFetch``), a kind of sub-agent, a skill with its arguments, the value of
the field a rule names, and for rules about names of tools such a name.

An allow rule covers an example when with it alone the call would run, and it is about it. A rule that restricts covers
one when with it alone the call would be denied, or asked. Where that can't be told (``git $x``) neither a ``match`` nor
a ``not_match`` holds.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from agent_tui.permissions.calls import covers_call
from agent_tui.permissions.files import FileRules
from agent_tui.permissions.lines import judge_line
from agent_tui.permissions.malformed import refusal
from agent_tui.permissions.places import Ground
from agent_tui.permissions.policy import Allowed, Decision, Denied, MustAsk, decide
from agent_tui.permissions.rule import (
    AGENT_FIELDS,
    COMMAND_FIELDS,
    COMMAND_TOOLS,
    FOLDER_TOOL,
    PATH_TOOLS,
    Rule,
    RuleSource,
    param_rule,
)
from agent_tui.permissions.rules import RuleBook
from agent_tui.permissions.shell.forms import Fit, allow_fit
from agent_tui.permissions.verdict import MODES
from agent_tui.protocol.access import (
    Access,
    CallMcp,
    FetchUrl,
    NoAccess,
    ReadPath,
    RunCommand,
    WritePath,
)
from agent_tui.protocol.content import JsonObject
from agent_tui.settings.rule_entries import RuleExample, SourcedRule

READERS = frozenset({"Read", "Grep", "Glob", "LSP", FOLDER_TOOL})
WRITERS = frozenset({"Edit", "Write", "NotebookEdit"})

SHOWN = 80
"""Characters of an example that are shown."""


@dataclass(frozen=True, slots=True)
class Held:
    """The rules whose examples hold, and a sentence for each that is left out."""

    entries: tuple[SourcedRule, ...]
    problems: tuple[str, ...] = ()


def hold(entries: Iterable[SourcedRule], ground: Ground) -> Held:
    """Try the examples of all rules; one that can't be used at all is not tried. Looks at files.

    Args:
        entries: rules as they were written.
        ground: the folders of the session.

    Raises:
        SettingsError: an example of a rule that restricts doesn't hold; the text names its file and line.
    """
    kept: list[SourcedRule] = []
    problems: list[str] = []
    for entry in entries:
        failed = _failed(entry, ground) if entry.examples else None
        if failed is None:
            kept.append(entry)
            continue
        example, why = failed
        if entry.behavior != "allow":
            raise refusal(
                entry, f"is not what its examples say: {why}. Nothing is started.", example.line
            )
        place = RuleSource(entry.source, entry.path, example.line or entry.line)
        problems.append(f"{place}: the allow rule {entry.text!r} is left out: {why}.")
    return Held(tuple(kept), tuple(problems))


def _failed(entry: SourcedRule, ground: Ground) -> tuple[RuleExample, str] | None:
    """Give the first example that doesn't hold, and why."""
    rules = RuleBook.of([entry]).rules(entry.behavior)
    for example in entry.examples if rules else ():
        fit, reason = try_example(rules[0], example.text, ground)
        if fit is (Fit.YES if example.fits else Fit.NO):
            continue
        shown = example.text if len(example.text) <= SHOWN else f"{example.text[: SHOWN - 3]}..."
        if fit is Fit.MAYBE:
            why = f"whether it covers {shown!r} can't be told"
        elif example.fits:
            why = f"it doesn't cover {shown!r}, which stands in match"
        else:
            why = f"it covers {shown!r}, which stands in not_match"
        return example, f"{why} ({reason})" if reason else why
    return None


def try_example(rule: Rule, text: str, ground: Ground) -> tuple[Fit, str]:
    """Tell whether a rule covers an example, and where it doesn't, what keeps it from that (may be empty)."""
    call = _call_of(rule, text, ground)
    book = RuleBook(
        allow=(rule,) if rule.behavior == "allow" else (),
        ask=(rule,) if rule.behavior == "ask" else (),
        deny=(rule,) if rule.behavior == "deny" else (),
    )
    decision = decide(
        call.access,
        call.tool,
        call.given,
        mode="default",
        rules=book,
        hook=None,
        resolver=ground.resolver,
        working_dirs=tuple(map(Path, ground.working_dirs)),
        cwd=Path(ground.cwd),
        read_only=True,
    )
    if rule.behavior == "allow":
        return _allows(rule, call, decision, book, ground)
    if isinstance(decision, MustAsk) and decision.decided_by in ("rule", "unparsable"):
        sure = rule.behavior == "ask" and decision.rule is not None
        return (Fit.YES, "") if sure else (Fit.MAYBE, _inner(decision.reason))
    return (Fit.YES if isinstance(decision, Denied) else Fit.NO), ""


@dataclass(frozen=True, slots=True)
class _Call:
    access: Access
    tool: str
    given: JsonObject


def _allows(
    rule: Rule, call: _Call, decision: Decision, book: RuleBook, ground: Ground
) -> tuple[Fit, str]:
    if not isinstance(decision, Allowed):
        why = decision.reason if isinstance(decision, MustAsk) else decision.message
        return Fit.NO, _inner(why)
    if decision.rule is not None or _is_about(rule, call, book, ground):
        return Fit.YES, ""
    return Fit.NO, ""


def _is_about(rule: Rule, call: _Call, book: RuleBook, ground: Ground) -> bool:
    """Tell whether a rule that was not needed covers the call all the same."""
    match call.access:
        case RunCommand(command, _):
            content = rule.content
            line = judge_line(command, call.tool, book, ground, MODES["default"])
            own = [one.part for one in line.parts if one.part.inside is None]
            return content is None or any(allow_fit(content, part) for part in own)
        case ReadPath(path) if rule.tool != FOLDER_TOOL and rule.content is not None:
            return FileRules(book, ground).read(path).rule is not None
        case _:
            return call.tool == FOLDER_TOOL or covers_call(rule, call.access, call.tool, call.given)


def _call_of(rule: Rule, text: str, ground: Ground) -> _Call:
    """Make the call an example of the rule stands for."""
    tool = rule.tool
    field = _field_of(rule)
    if field is not None:
        access = RunCommand(":", ground.cwd) if tool in COMMAND_TOOLS else NoAccess()
        return _Call(access, tool, {field: text})
    if tool in COMMAND_TOOLS:
        return _Call(RunCommand(text, ground.cwd), tool, {"command": text})
    if tool in READERS:
        return _Call(ReadPath(_path(text, ground)), tool, {})
    if tool in WRITERS:
        return _Call(WritePath(_path(text, ground)), tool, {})
    if tool == "WebFetch":
        url = text if "://" in text else f"https://{text}"
        return _Call(FetchUrl(url), tool, {"url": url})
    if tool == "Agent":
        return _Call(NoAccess(), tool, {"subagent_type": text})
    if tool == "Skill":
        name, _, arguments = text.partition(" ")
        return _Call(NoAccess(), tool, {"skill": name, "args": arguments})
    return _Call(_named(rule, text), text, {})


def _field_of(rule: Rule) -> str | None:
    """Give the field of the input that a rule is about, if it is about one."""
    param = param_rule(rule.content or "") if rule.behavior != "allow" else None
    if param is None or rule.tool in PATH_TOOLS or rule.tool == FOLDER_TOOL:
        return None
    field = param[0]
    known = {"Bash": COMMAND_FIELDS, "Monitor": COMMAND_FIELDS, "Agent": AGENT_FIELDS}
    if rule.tool == "WebFetch":
        return None if field == "domain" else field
    return field if field in known.get(rule.tool, {field}) else None


def _named(rule: Rule, name: str) -> Access:
    """Give what a tool of this name touches, as far as rules about names care."""
    if not name.startswith("mcp__"):
        return NoAccess()
    server, _, tool = name.removeprefix("mcp__").partition("__")
    known = rule.tool.removeprefix("mcp__")
    if "*" not in known and name.startswith(f"mcp__{known}__"):
        server, tool = known, name.removeprefix(f"mcp__{known}__")
    return CallMcp(server, tool)


def _path(text: str, ground: Ground) -> str:
    if text == "~" or text.startswith("~/"):
        text = ground.home + text[1:]
    elif not text.startswith("/"):
        text = f"{ground.project}/{text}"
    return os.path.normpath(f"/{text.lstrip('/')}")


def _inner(reason: str) -> str:
    """Make a sentence part of another."""
    return reason.removesuffix(".")
