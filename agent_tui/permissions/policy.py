"""May this call run? One function, pure but for the resolver's looks at the file system, in the documented order.

=====  ===========================================================================================================
step   what decides
=====  ===========================================================================================================
1      a hook's deny
2      deny rules, in every mode; a deny rule that may apply, but that can't be told, makes it a question; in the sandbox
       writes to protected paths, which are not possible there
3      ask rules and a hook's ask, in every mode; calls that need the person
4      the mode that approves all, but for removals of critical paths
5      removals of critical paths: always asked
6      a hook's allow, but not for protected paths, and in plan mode not for changes
7      writes to protected paths: always asked
8      reads inside the working folders and lines that only look, but for places where secrets are kept; the mode's
       edits, but for such places; allow rules: those for paths and whole tools open such places too
9      shell lines that run in the sandbox, where those need no approval; see ``sandboxed``
10     the question; in dontAsk a denial
=====  ===========================================================================================================

For a shell line every part and every redirection is judged, and the strictest wins. What can't be understood is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from agent_tui.permissions import sandboxed, suggest
from agent_tui.permissions.calls import first_cover
from agent_tui.permissions.files import FileRules, judge_folder, judge_read, judge_write
from agent_tui.permissions.lines import judge_line
from agent_tui.permissions.places import Ground, steers_the_agent
from agent_tui.permissions.resolver import Resolver
from agent_tui.permissions.rule import (
    COMMAND_TOOLS,
    FOLDER_TOOL,
    PATH_TOOLS,
    Rule,
    canonical,
)
from agent_tui.permissions.rules import RuleBook
from agent_tui.permissions.verdict import MODES, Hit, Mode, Verdict, weightier
from agent_tui.protocol.access import (
    Access,
    AskUser,
    CallMcp,
    FetchUrl,
    NoAccess,
    ReadPath,
    RunCommand,
    WritePath,
)
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import PermissionMode
from agent_tui.protocol.requests import (
    CommandPart,
    HookDecision,
    PermissionUpdate,
    Span,
)

By: TypeAlias = Literal[
    "rule",
    "mode",
    "path",
    "hook",
    "unparsable",
    "critical",
    "read_only",
    "secret",
    "classifier",
    "sandbox",
    "other",
]


@dataclass(frozen=True, slots=True)
class Allowed:
    """The call may run. ``rule`` is the allow rule that was needed, if one was."""

    by: By
    rule: Rule | None = None


@dataclass(frozen=True, slots=True)
class Denied:
    """The call may not run; ``message`` is for the model."""

    message: str
    by: By
    rule: Rule | None = None


@dataclass(frozen=True, slots=True)
class MustAsk:
    """A person must decide. The fields are those of ``protocol.requests.PermissionRequest``."""

    reason: str
    decided_by: By = "mode"
    rule: str | None = None
    rule_source: str | None = None
    parts: tuple[CommandPart, ...] = ()
    danger: tuple[Span, ...] = ()
    suggestions: tuple[PermissionUpdate, ...] = ()
    blocked_path: str | None = None
    default_to_no: bool = False


Decision: TypeAlias = Allowed | Denied | MustAsk

CHANGING: Final = (RunCommand, WritePath)
"""What may change files or run something: asked in plan mode, whatever allows it, unless it only looks."""

_NO_WAY_ROUND = "Don't try to reach the same by another way; tell the person if you need it."
_REMOVERS = re.compile(r"\b(?:rm|rmdir|unlink|shred|delete)\b")


def decide(
    access: Access,
    tool_name: str,
    tool_input: JsonObject,
    *,
    mode: PermissionMode,
    rules: RuleBook,
    hook: HookDecision | None,
    resolver: Resolver,
    working_dirs: tuple[Path, ...],
    cwd: Path,
    read_only: bool,
    made: frozenset[str] = frozenset(),
) -> Decision:
    """Decide one call.

    Args:
        access: what it would touch.
        tool_name: the tool.
        tool_input: its input.
        mode: the permission mode.
        rules: every rule in force.
        hook: what hooks said of it.
        resolver: answers about paths.
        working_dirs: the folders that count as inside, the session's first folder first.
        cwd: the shell's folder now.
        read_only: the tool says of itself that it changes nothing; only such a tool reads unasked.
        made: real paths of files this session made itself; ``acceptEdits`` lets those be removed.
    """
    folders = tuple(str(folder) for folder in working_dirs) or (str(cwd),)
    here = access.cwd if isinstance(access, RunCommand) else str(cwd)
    case = _Case(
        access,
        canonical(tool_name),
        tool_input,
        sandboxed.spared(rules, access, mode),
        Ground(folders, here, resolver, made),
    )
    row = MODES[mode]
    verdict = case.judge(row, read_only=read_only)
    decision = _weigh(verdict, hook, row, mode, case)
    if isinstance(decision, MustAsk) and sandboxed.leaves(access):
        decision = _leaving(decision)
    if isinstance(decision, MustAsk) and not row.asks:
        return Denied(
            f"{decision.reason} In mode {mode} nobody is asked, so it was not run.", "mode"
        )
    return decision


def only_looks(command: str, cwd: Path, working_dirs: tuple[Path, ...], resolver: Resolver) -> bool:
    """Tell whether a shell line changes nothing and reads only inside the working folders."""
    ground = Ground(tuple(map(str, working_dirs)), str(cwd), resolver)
    verdict = judge_line(command, "Bash", RuleBook(), ground, MODES["plan"]).verdict
    return verdict.free and not verdict.unclear


def _weigh(
    verdict: Verdict, hook: HookDecision | None, row: Mode, mode: PermissionMode, case: _Case
) -> Decision:
    """Put what was found in the documented order."""
    said = hook.behavior if hook is not None else None
    if said == "deny" and hook is not None:
        return Denied(hook.reason or "A hook forbids this call.", "hook")
    if verdict.denied is not None:
        return _denied(verdict.denied, case.tool)
    if verdict.protected and not row.approves_all and sandboxed.inside(case.access, mode):
        return Denied(sandboxed.kept_closed(verdict.protected), "sandbox")
    if verdict.asked is not None:
        return _asked_by_rule(verdict, verdict.asked)
    if verdict.doubt:
        return _ask(verdict, verdict.doubt, "rule", default_to_no=True)
    if said == "ask" and hook is not None:
        return _ask(verdict, hook.reason or "A hook wants this call to be asked.", "hook")
    if isinstance(case.access, AskUser):
        return _ask(verdict, "It needs your answer.", "other")
    if verdict.critical:
        return _ask(verdict, verdict.critical, "critical", default_to_no=True)
    if row.approves_all and not case.may_hide(verdict):
        return Allowed("mode")
    fenced = sandboxed.unasked(case.access, mode)
    if verdict.unclear and (case.may_hide(verdict) or not (said == "allow" or fenced)):
        return _ask(verdict, verdict.unclear, "unparsable", default_to_no=True)
    if verdict.protected and not row.approves_all:
        return _protected(verdict)
    if said == "allow" and (row.rules_allow or not isinstance(case.access, CHANGING)):
        return Allowed("hook")
    out = sandboxed.leaves(case.access)
    if verdict.allowed and not verdict.unclear and (verdict.free or not out):
        by = "rule" if verdict.rule is not None else "mode" if verdict.by_edits else "read_only"
        return Allowed(by, verdict.rule)
    if fenced and not verdict.secret:
        return Allowed("sandbox")
    reason = verdict.why
    if mode == "plan":
        reason = f"In plan mode what may change something is asked. {reason}"
    elif row.asks:
        reason = f"{reason} In mode {mode} that is asked.".lstrip()
    return replace(
        _ask(verdict, reason, _why_asked(verdict)),
        suggestions=() if mode == "plan" else verdict.suggestions,
        default_to_no=verdict.default_to_no,
    )


def _ask(verdict: Verdict, reason: str, by: By, *, default_to_no: bool = False) -> MustAsk:
    link = f" It is a link: {verdict.leads_to} is written." if verdict.leads_to else ""
    return MustAsk(
        reason + link,
        by,
        parts=verdict.parts,
        danger=verdict.danger,
        blocked_path=verdict.blocked_path,
        default_to_no=default_to_no or verdict.default_to_no,
    )


def _leaving(question: MustAsk) -> MustAsk:
    """Say of a question that the call wants out of the sandbox; no rule is offered, for none would let it out."""
    by = "sandbox" if question.decided_by in ("mode", "path") else question.decided_by
    return replace(
        question,
        reason=f"{sandboxed.LEAVING} {question.reason}",
        decided_by=by,
        suggestions=(),
        default_to_no=True,
    )


def _why_asked(verdict: Verdict) -> By:
    if verdict.secret:
        return "secret"
    return "path" if verdict.blocked_path else "mode"


def _protected(verdict: Verdict) -> MustAsk:
    reason = (
        f"It writes {verdict.protected}, a protected place: what stands there can run programs or change what is "
        "allowed, so no rule and no mode approves it."
    )
    if steers_the_agent(verdict.protected):
        reason = (
            "The agent would change its own settings, hooks, servers or rules: it writes the protected place "
            f"{verdict.protected}, which no rule and no mode approves."
        )
    return replace(
        _ask(verdict, reason, "path", default_to_no=True), blocked_path=verdict.protected
    )


def _asked_by_rule(verdict: Verdict, hit: Hit) -> MustAsk:
    reason = f"The rule {hit.rule} in {hit.rule.source} wants this asked."
    return replace(
        _ask(verdict, reason, "rule"), rule=str(hit.rule), rule_source=str(hit.rule.source)
    )


def _denied(hit: Hit, tool: str) -> Denied:
    what = f" ({hit.what})" if hit.what and hit.what != tool else ""
    message = f"A permission rule forbids this call{what}: {hit.rule}, in {hit.rule.source}. {_NO_WAY_ROUND}"
    return Denied(message, "rule", hit.rule)


@dataclass(frozen=True, slots=True)
class _Case:
    """One call, with what it is judged by."""

    access: Access
    tool: str
    tool_input: JsonObject
    rules: RuleBook
    ground: Ground

    def judge(self, row: Mode, *, read_only: bool) -> Verdict:
        """Find everything about the call."""
        found = self._by_access(row, read_only=read_only)
        denied = weightier(found.denied, self._by_tool(self.rules.deny))
        asked = weightier(found.asked, self._by_tool(self.rules.ask))
        return replace(found, denied=denied, asked=asked)

    def may_hide(self, verdict: Verdict) -> bool:
        """A line that isn't understood may hide what a rule forbids, or a removal no mode approves."""
        if not verdict.unclear or not isinstance(self.access, RunCommand):
            return False
        ruled = any(
            rule.tool in COMMAND_TOOLS | PATH_TOOLS for rule in (*self.rules.deny, *self.rules.ask)
        )
        return ruled or bool(_REMOVERS.search(self.access.command))

    def _by_access(self, row: Mode, *, read_only: bool) -> Verdict:
        match self.access:
            case RunCommand(command, _):
                line = judge_line(command, self.tool, self.rules, self.ground, row)
                return replace(line.verdict, suggestions=suggest.for_line(line, self.ground))
            case ReadPath(path) if self.tool == FOLDER_TOOL:
                return judge_folder(self._files(), path)
            case ReadPath(path):
                found = judge_read(self._files(), path, widely=row.reads_widely)
                free = found.free and read_only
                rule = self._allowing()
                return replace(
                    found,
                    free=free,
                    allowed=free or found.rule is not None or rule is not None,
                    rule=None if free else found.rule or rule,
                    suggestions=suggest.for_read(path, self.ground),
                )
            case WritePath(path):
                return self._write(path, row)
            case FetchUrl(url):
                return self._open("It fetches from the network.", suggest.for_fetch(self.tool, url))
            case CallMcp(server, tool):
                return self._open(
                    f"It calls {tool} of the server {server}.", suggest.for_tool(self.tool)
                )
            case NoAccess():
                return Verdict(free=True, allowed=True)
            case AskUser():
                return Verdict()

    def _files(self) -> FileRules:
        return FileRules(self.rules, self.ground)

    def _write(self, path: str, row: Mode) -> Verdict:
        found = judge_write(
            self._files(), path, notebook=self.tool == "NotebookEdit", by_edits=row.approves_edits
        )
        suggestions = suggest.for_edit(path, self.ground)
        if not row.rules_allow:
            return replace(found, allowed=False, rule=None, suggestions=suggestions)
        rule = found.rule or self._allowing()
        return replace(
            found, allowed=found.allowed or rule is not None, rule=rule, suggestions=suggestions
        )

    def _open(self, why: str, suggestions: tuple[PermissionUpdate, ...]) -> Verdict:
        rule = self._allowing()
        return Verdict(allowed=rule is not None, rule=rule, why=why, suggestions=suggestions)

    def _allowing(self) -> Rule | None:
        hit = self._by_tool(self.rules.allow)
        return None if hit is None else hit.rule

    def _by_tool(self, rules: Iterable[Rule]) -> Hit | None:
        """Find the first rule that covers the call by its tool's name, or by something in its input."""
        return first_cover(rules, self.access, self.tool, self.tool_input)
