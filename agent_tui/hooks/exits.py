"""What the end of a shell hook means: exit code and output taken together (reference/hooks.md, section 7)."""

from __future__ import annotations

import json
import re
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

from agent_tui.hooks.command import Place, Ran
from agent_tui.hooks.configured import CommandHook
from agent_tui.hooks.events import EVENTS
from agent_tui.hooks.failure import Failure
from agent_tui.hooks.output import SILENT, BadOutputError, Said, plain_output, read_output
from agent_tui.protocol.hooks import HookEvent, HookOutcome

_NOT_EXECUTABLE, _NOT_FOUND = 126, 127
_MISSING = (
    re.compile(r"can't open file '(?P<file>[^']+)'.*No such file"),  # python
    re.compile(r'Can\'t open perl script "(?P<file>[^"]+)".*No such file'),
    re.compile(r"(?:cannot open|[Cc]an't open) (?P<file>\S+?):? ?(?:No such file.*)?$"),  # sh
    re.compile(r"^\S*sh: (?:line )?(?:\d+: )?(?P<file>[^:]+): No such file or directory$"),
    re.compile(r"No such file or directory -- (?P<file>\S+)"),  # ruby
    re.compile(r"Cannot find module '(?P<file>[^']+)'"),  # node
    re.compile(r"Failed to spawn: `(?P<file>[^`]+)`"),  # uv
)
_UNREADABLE = re.compile(r"^\S*sh: (?:-c: )?(?:line )?\d+: [Ss]yntax error")
"""The shell did not understand the line of the settings itself."""


def read_end(
    event: HookEvent, hook: CommandHook, ran: Ran, place: Place, tool: str
) -> Said | Failure:
    """Say what a hook that ran, or could not, wants; a Failure where that can't be told."""
    if ran.not_started:
        return Failure("start", f"could not start: {ran.not_started}.")
    if ran.timed_out or ran.code is None:
        return Failure("timeout", "ran out of time and was ended.")
    if ran.code < 0:
        return Failure("killed", f"was killed by {_signal_name(-ran.code)}.")
    if ran.code and (why := _never_ran(hook, ran, place)):
        return Failure("start", f"could not start: {why}.")
    return _answered(event, hook, ran, tool)


def _answered(event: HookEvent, hook: CommandHook, ran: Ran, tool: str) -> Said | Failure:
    try:
        said = _said(event, hook, ran, tool)
    except BadOutputError as error:
        if ran.code == 2:
            return _refused(event, hook, SILENT, ran)
        if ran.code:
            return Failure("exit", _with_code(ran))
        return Failure("output", f"printed what can't be used: {error}.")
    if ran.code == 2:
        return _refused(event, hook, said or SILENT, ran)
    if ran.code and said is None:
        return Failure("exit", _with_code(ran))
    return said or plain_output(event, ran.stdout)


def _said(event: HookEvent, hook: CommandHook, ran: Ran, tool: str) -> Said | None:
    """Read the JSON on standard output; None where there is none.

    Raises:
        BadOutputError: it begins like JSON and is not, or is not as documented.
    """
    text = ran.stdout.lstrip("\ufeff \t\r\n")
    if not text.startswith("{"):
        return None
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadOutputError(f"it is no valid JSON ({error})") from error
    return read_output(event, data, hook.source, tool)


def _refused(event: HookEvent, hook: CommandHook, said: Said, ran: Ran) -> Said:
    """Exit code 2: it refuses; what else it said still counts, but takes nothing back."""
    outcome = said.outcome
    denied = outcome.reason if outcome.behavior == "deny" else ""
    text = (outcome.blocked or denied or ran.stderr.strip()) or f"A {event} hook refused."
    match EVENTS[event].refusal:
        case "deny":
            return replace(
                said,
                outcome=replace(outcome, behavior="deny", reason=text, source=hook.source),
            )
        case "block":
            return replace(said, outcome=replace(outcome, blocked=text, source=hook.source))
        case "notice":
            return replace(said, warning="\n".join(filter(None, (said.warning, text))))
        case "ignored":
            return Said(HookOutcome(), said.warning)


def _never_ran(hook: CommandHook, ran: Ran, place: Place) -> str:
    """Tell a hook that never ran from one that refused: some interpreters exit with 2 when the script is missing.

    Only what the interpreter itself says counts, before anything else was printed, of a file that the hook's line
    names and that is not there.
    """
    if ran.stdout.strip():
        return ""
    first = next((line.strip() for line in ran.stderr.splitlines() if line.strip()), "")
    if ran.code in (_NOT_EXECUTABLE, _NOT_FOUND):
        return first or ("not executable" if ran.code == _NOT_EXECUTABLE else "no such command")
    if hook.args is None and _UNREADABLE.search(first):
        return first
    for line in ran.stderr.splitlines()[:12]:  # node prints a few lines of its own first
        for pattern in _MISSING:
            found = pattern.search(line.strip())
            if found and _is_missing(found["file"], hook, place):
                return line.strip()
    return ""


def _is_missing(name: str, hook: CommandHook, place: Place) -> bool:
    file = Path(place.cwd, name)
    named = file.name in " ".join((hook.command, *(hook.args or ())))
    return named and not file.exists()


def _with_code(ran: Ran) -> str:
    lines = (line.strip() for line in (*ran.stderr.splitlines(), *ran.stdout.splitlines()))
    first = next((line for line in lines if line), "it said nothing")
    return f"ended with exit code {ran.code}: {first[:300]}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
