"""The sandbox of a session: what the settings want, what this machine has, what the rules add."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from agent_tui.machine.sandbox.bounds import Bounds, Network
from agent_tui.machine.sandbox.choose import Chosen, choose
from agent_tui.machine.sandbox.sandbox import Choice, CommandSandbox
from agent_tui.permissions.match import Anchors, PathRule, literal_path
from agent_tui.permissions.places import PROTECTED_FILES, PROTECTED_FOLDERS
from agent_tui.permissions.resolver import RealResolver
from agent_tui.permissions.rule import Rule
from agent_tui.permissions.rules import RuleBook
from agent_tui.permissions.sandboxed import runs_outside
from agent_tui.permissions.secrets import SECRET_FILES, credential_places
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.ports import MayRead
from agent_tui.settings.paths import Environment, claude_root, root
from agent_tui.settings.sandbox import SandboxSettings, SourcedSandbox, join
from agent_tui.tools.base import ToolSet
from agent_tui.tools.builtin.bash import Bash

MORE_SECRETS: Final = (
    ".cargo/credentials.toml",
    ".gradle/gradle.properties",
    ".terraformrc",
    ".huggingface",
    ".cache/huggingface/token",
    ".config/git/credentials",
    ".config/anthropic",
    ".databrickscfg",
    ".yarnrc.yml",
)
"""Credentials below the home folder that the tables of secret names don't hold."""

REFUSED: Final = "the sandbox can't be used: {why}. sandbox.failIfUnavailable is set, so nothing is started without it"
WITHOUT: Final = "Commands run WITHOUT a sandbox, though the settings want one: {why}. So every command is asked as usual."
BROKEN: Final = (
    "The sandbox doesn't work here: {why}. Commands are not run without it: each of them fails until that is mended, "
    "or asks to run outside."
)
ON: Final = (
    "- Commands run in a sandbox: they can write to the working folders and to a /tmp of the sandbox's own (other tools don't "
    "see it), not to protected places such as .git/hooks or .vscode; credentials can't be read; {network}. Each "
    "command has processes and a loopback network of its own."
)
NO_PROXY: Final = (
    "Hosts can't be let through the sandbox on this system: commands in it have no network at all."
)
CLOSED: Final = "there is no network"
HOSTS: Final = "the network is HTTP(S) to some hosts, through a proxy"
LEAVE: Final = (
    "- Only when a command failed because of the sandbox and has to get through, call again with "
    "`dangerouslyDisableSandbox: true`: the person is asked."
)
STAY: Final = (
    "- Nothing runs outside of the sandbox here; `dangerouslyDisableSandbox` has no effect."
)


class LiveRules:
    """The rules that bound commands: those of the start, later the session's as they are now."""

    def __init__(self, rules: RuleBook) -> None:
        self._now: Callable[[], RuleBook] = lambda: rules
        self.scripts: tuple[str, ...] = ()

    def follow(self, now: Callable[[], RuleBook], scripts: tuple[str, ...] = ()) -> None:
        """Take the rules from here from now on; ``scripts`` of the project are run by others, outside: see ``Bounds``."""
        self._now, self.scripts = now, scripts

    def book(self) -> RuleBook:
        """Give the rules in force."""
        return self._now()


@dataclass(frozen=True, slots=True)
class Sandboxing:
    """What a session has of a sandbox.

    Attributes:
        sandbox: None where commands run without one.
        rules: what it takes the rules from.
        told: what the model is told of it, empty for nothing.
        notices: what the person is to know.
    """

    sandbox: CommandSandbox | None
    rules: LiveRules
    told: str = ""
    notices: tuple[str, ...] = ()


def set_up(
    entries: Iterable[SourcedSandbox],
    env: Environment,
    project: Path,
    rules: RuleBook,
    chosen: Callable[[str, Path], Chosen] = choose,
) -> Sandboxing:
    """Find out what commands run in. Blocks on files, and tries the sandbox once where it is wanted.

    Raises:
        SettingsError: the settings of the sandbox can't be read.
        UsageError: there is none, and the settings want nothing to run without.
    """
    joined = join(entries, project, env.home)
    settings, live = joined.settings, LiveRules(rules)
    if not settings.enabled:
        return Sandboxing(None, live, notices=joined.notices)
    found = chosen(env.get("PATH", "/usr/bin:/bin"), project)
    why = found.lacking or found.broken
    if why and settings.required:
        raise UsageError(REFUSED.format(why=why))
    if found.fence is None:
        notices = (*joined.notices, WITHOUT.format(why=why))
        return Sandboxing(None, live, notices=notices)
    bounds = partial(bounds_of, settings, env, project, live)
    choice = Choice(
        settings.unasked,
        settings.may_leave,
        lambda line: runs_outside(line, settings.excluded),
        settings.ignored,
    )
    sandbox = CommandSandbox(found.fence, bounds, choice)
    network = bounds().network
    reaches = sandbox.lets_through(network)
    notices = (
        *joined.notices,
        *([BROKEN.format(why=why)] if why else []),
        *([NO_PROXY] if network.open and not reaches else []),
    )
    return Sandboxing(sandbox, live, told_of(settings, reaches=reaches), notices)


def with_sandbox(tools: ToolSet, told: str) -> ToolSet:
    """Have the shell tool, if it is among these, tell of the sandbox."""
    if not told:
        return tools
    changed = (Bash(told) if isinstance(tool, Bash) else tool for tool in tools.tools)
    return ToolSet.of(tuple(changed), tools.absent)


def told_of(settings: SandboxSettings, *, reaches: bool) -> str:
    """Say what the model has to know; ``reaches``: some hosts can be reached."""
    on = ON.format(network=HOSTS if reaches else CLOSED)
    return f"{on}\n{LEAVE if settings.may_leave else STAY}"


def bounds_of(
    settings: SandboxSettings, env: Environment, project: Path, live: LiveRules
) -> Bounds:
    """Say what commands may reach by now."""
    rules = live.book()
    home = str(env.home)
    anchors = Anchors(str(project), str(project), home)
    resolver = RealResolver(home)
    places = partial(_places, anchors=anchors, resolver=resolver)
    return Bounds(
        home,
        settings.bounds_files,
        (*settings.allow_write, *places(rules.allow, "Edit")),
        (*settings.deny_write, *places(rules.deny, "Edit"), *live.scripts),
        (*settings.deny_read, *places(rules.deny, "Read")),
        settings.allow_read,
        secrets_of(env),
        PROTECTED_FOLDERS,
        PROTECTED_FILES,
        _may_read(rules, project, resolver),
        _network(settings, rules, env),
        settings.variables,
        settings.weaker,
    )


def secrets_of(env: Environment) -> tuple[str, ...]:
    """Give every place of credentials: those below the home folder, and our own."""
    home = env.home
    named = (f"{home}/{name}" for name in (*sorted(SECRET_FILES), *MORE_SECRETS))
    claude = claude_root(env)
    own = (root(env), claude / ".credentials.json", claude / ".claude.json")
    return (*credential_places(str(home)), *named, *map(str, own))


def _places(
    rules: Iterable[Rule], tool: str, *, anchors: Anchors, resolver: RealResolver
) -> Iterator[str]:
    """Give the paths that rules name without a wildcard, or as all that is in a folder."""
    for rule in rules:
        if rule.tool != tool or rule.content is None:
            continue
        for pattern in PathRule.of(rule, anchors, resolver).patterns:
            whole = (
                pattern
                if not pattern.below
                else type(pattern)(pattern.anchor, pattern.segments[:-1])
            )
            path = literal_path(whole)
            if path is not None:
                yield path


def _may_read(rules: RuleBook, project: Path, resolver: RealResolver) -> MayRead | None:
    denies = tuple(r for r in rules.deny if r.tool == "Read" and r.content is not None)
    if not denies:
        return None
    book = RuleBook(deny=denies)
    return lambda path: book.may_read(path, (project,), resolver, secrets=True)


def _network(settings: SandboxSettings, rules: RuleBook, env: Environment) -> Network:
    by_rules = () if settings.managed_domains_only else _domains(rules.allow)
    return Network(
        (*settings.allowed_domains, *by_rules),
        (*settings.denied_domains, *_domains(rules.deny), *_domains(rules.ask)),
        _upstream(settings, env),
        settings.sockets,
        settings.all_sockets,
        settings.local_binding,
        settings.mach_names,
    )


def _domains(rules: Iterable[Rule]) -> tuple[str, ...]:
    """Give the hosts that rules for fetching name; one for the whole tool is about every host."""
    return tuple(
        "*" if rule.content is None else rule.content.partition(":")[2]
        for rule in rules
        if rule.tool == "WebFetch"
        if rule.content is None or rule.content.startswith("domain:")
    )


def _upstream(settings: SandboxSettings, env: Environment) -> tuple[str, int] | None:
    """Give the proxy that leads out: the one in the settings, else the environment's."""
    if settings.proxy_port is not None:
        return "127.0.0.1", settings.proxy_port
    url = env.get("HTTPS_PROXY") or env.get("https_proxy")
    try:
        parts = urlsplit(url)
        return (parts.hostname, parts.port or 80) if parts.hostname else None
    except ValueError:
        return None
