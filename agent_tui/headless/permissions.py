"""``agent-tui permissions check CALL`` and ``agent-tui permissions list``: the rules of a folder, without a session.

Settings are read as a session would read them, and as far as the folder is trusted; no key is needed, nothing is run and
nothing is written. The answer is the exit code as well: see ``CODES``.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agent_tui.engine.folder import Folder, look
from agent_tui.engine.place import project_root
from agent_tui.engine.ruling import (
    added_folders,
    files_run,
    flag_anchor,
    real_resolver,
    rules_in_force,
)
from agent_tui.loop.explaining import (
    Around,
    Fence,
    explain_text,
    in_force,
    own_files,
    sandbox_words,
)
from agent_tui.loop.policy import Policy, Surroundings
from agent_tui.mcp.config import gather
from agent_tui.protocol.access import RunCommand
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.explanations import Outcome
from agent_tui.settings.layers import FlagSettings, Layers, load
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment
from agent_tui.settings.sandbox import join
from agent_tui.view.clean import clean
from agent_tui.view.explanations import explanation_text, in_force_text

CODES: dict[Outcome, int] = {"allow": 0, "ask": 3, "deny": 4}
"""Exit codes by outcome; of a path, which means reading and writing it, the stricter one counts.

Settings that can't be read are 1 and bad usage is 2, as everywhere.
"""

HELP = """\
usage: agent-tui permissions check CALL [options]
       agent-tui permissions list [options]

check says what would be decided over CALL, and why: a shell line ('git push -f'), a path (src/a.py: reading it and
writing it), or a call as a rule names it ('Bash(git push -f)', 'Read .env', 'WebFetch https://example.com',
mcp__server__tool). CALL is one argument: put it in quotes. Nothing is run and nobody is asked.
list says which rules hold here and where they stand.

Exit codes of check: 0 it would run, 3 it would be asked, 4 it would be denied; 1 the settings can't be read, 2 bad usage.

options: --json, and those of a session: --permission-mode, --add-dir, --settings, --setting-sources, --allowedTools,
--disallowedTools, --trust, --sandbox
"""


def main(verb: str, call: str | None, options: Options, env: Environment, *, as_json: bool) -> int:
    """Do what ``verb`` (``check`` or ``list``) says, print it, give the exit code. Blocks on files.

    Raises:
        UsageError: there is no call to check.
        SettingsError: the settings can't be read.
    """
    here = _Here.of(options, env)
    if verb == "list":
        state = in_force(here.policy, here.around)
        _print(dataclasses.asdict(state), in_force_text(state, str(env.home)), as_json=as_json)
        return 0
    try:
        found = explain_text(here.policy, call or "", here.fence)
    except ValueError as error:
        raise UsageError(str(error)) from error
    strictest = max(found, key=lambda one: CODES[one.outcome])
    outcome = strictest.outcome
    explained = [dataclasses.asdict(one) for one in found]
    data: dict[str, Any] = {"outcome": outcome, "explanations": explained}
    _print(data, explanation_text(found, str(env.home)), as_json=as_json)
    return CODES[outcome]


def _print(data: dict[str, Any], text: str, *, as_json: bool) -> None:
    said = json.dumps(data, ensure_ascii=False) if as_json else clean(text)
    sys.stdout.write(f"{said}\n")


@dataclasses.dataclass(frozen=True, slots=True)
class _Here:
    """What calls are judged by in a folder."""

    policy: Policy
    around: Around
    fence: Fence | None

    @classmethod
    def of(cls, options: Options, env: Environment) -> _Here:
        cwd = Path(options.cwd)
        project = project_root(cwd, env)
        folder = look(options, env)
        trusted = _trusted(folder, options)
        flag = FlagSettings(options.settings, options.settings_path, flag_anchor(options))
        layers = load(env, project, options.setting_sources, flag=flag, trusted=trusted)
        added = added_folders(options, env, layers.additional_dirs)
        rules = rules_in_force(options, env, layers.rules, added)
        mode = options.permissions.mode or layers.settings.default_mode or "default"
        servers = gather(options, (), env, project, trusted=trusted).servers
        steering = files_run(layers, servers, project)
        resolver = dataclasses.replace(real_resolver(env), steering=steering)
        surroundings = Surroundings(cwd, added, lambda: str(cwd), project)
        policy = Policy(mode, rules, surroundings, resolver)
        fence, words, notices = _sandbox(layers, env, project, policy)
        around = Around(
            (*layers.notices, *rules.problems, *notices),
            trusted if folder.marks else None,
            words,
            own_files(env, project),
        )
        return cls(policy, around, fence)


def _trusted(folder: Folder, options: Options) -> bool:
    """Tell whether what the folder brings counts, as a session would; nothing is remembered."""
    if options.trust.answer:
        return options.trust.answer != "no"
    return bool(folder.marks) and folder.known


def _sandbox(
    layers: Layers, env: Environment, project: Path, policy: Policy
) -> tuple[Fence | None, str, Sequence[str]]:
    """Find out what commands would run in, where the settings want a sandbox."""
    if not join(layers.sandbox, project, env.home).settings.enabled:
        return None, sandbox_words(on=False, unasked=False), ()
    from agent_tui.engine.sandboxing import set_up  # door: the sandbox
    from agent_tui.loop.workplace import in_sandbox

    found = set_up(layers.sandbox, env, project, policy.rules)
    sandbox = found.sandbox

    def fence(access: RunCommand) -> RunCommand:
        return in_sandbox(access, sandbox)

    unasked = sandbox is not None and sandbox.unasked
    return fence, sandbox_words(on=sandbox is not None, unasked=unasked), found.notices
