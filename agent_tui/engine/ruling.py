"""The rules a session begins with, of settings and of the command line: read, insisted on, held against their examples."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from agent_tui.mcp.config import ServerConfig
from agent_tui.permissions.examples import hold
from agent_tui.permissions.malformed import insist
from agent_tui.permissions.places import Ground
from agent_tui.permissions.resolver import RealResolver
from agent_tui.permissions.rules import RuleBook
from agent_tui.settings.brought import hook_scripts
from agent_tui.settings.layers import Layers
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment, root
from agent_tui.settings.rule_entries import SourcedRule
from agent_tui.settings.scripts import scripts_in


def rules_in_force(
    options: Options,
    env: Environment,
    given: Iterable[SourcedRule],
    added_dirs: Iterable[Path] = (),
) -> RuleBook:
    """Put together the rules of a session's beginning. Blocks on files.

    Args:
        options: what was asked for; its rules come after those of settings.
        env: whose home it is.
        given: the rules of the settings files.
        added_dirs: further working folders; examples are tried in all of them.

    Raises:
        SettingsError: a rule that restricts can't be used, or isn't what its examples say.
        UsageError: one of the command line can't be used.
    """
    entries = (*given, *flag_rules(options))
    insist(entries)
    folders = (options.cwd, *map(str, added_dirs))
    held = hold(entries, Ground(folders, options.cwd, real_resolver(env)))
    return RuleBook.of(held.entries, held.problems)


def real_resolver(env: Environment) -> RealResolver:
    """Give what answers about paths; it guards the program's own folder."""
    return RealResolver(str(env.home), (str(root(env)),))


def flag_rules(options: Options) -> list[SourcedRule]:
    """Give the rules of the command line, or of a program's options."""
    permissions, anchor = options.permissions, options.cwd
    return [
        *(SourcedRule("allow", text, "flag", anchor=anchor) for text in permissions.allowed_tools),
        *(
            SourcedRule("deny", text, "flag", anchor=anchor)
            for text in permissions.disallowed_tools
        ),
    ]


def flag_anchor(options: Options) -> Path:
    """Give the folder that ``/`` means in what ``--settings`` gave: that of its file."""
    return Path(options.settings_path).parent if options.settings_path else Path(options.cwd)


def added_folders(options: Options, env: Environment, named: Iterable[str]) -> tuple[Path, ...]:
    """Give the further working folders: those asked for, then those that settings name."""
    cwd = Path(options.cwd)
    every = (*options.permissions.add_dirs, *named)
    return tuple(working_folder(name, cwd, env) for name in every)


def files_run(layers: Layers, servers: Iterable[ServerConfig], project: Path) -> tuple[str, ...]:
    """Give the project's own files that hooks and servers run, absolute. Blocks on files."""
    hooks = (hook_scripts(one.data, project) for one in layers.hooks)
    started = (scripts_in((server.command, *server.args), project) for server in servers)
    return tuple(dict.fromkeys(str(path) for paths in (*hooks, *started) for path in paths))


def working_folder(name: str, cwd: Path, env: Environment) -> Path:
    """Read a further working folder of the settings: ``~/`` is the home, others count from where the session begins."""
    if name == "~" or name.startswith("~/"):
        return env.home / name[2:]
    return cwd / name
