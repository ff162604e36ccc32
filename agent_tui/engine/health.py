"""What ``/doctor`` looks at: programs, folders, settings, key and server. Each check says what is wrong and what to do."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

import anyio
import anyio.to_thread

from agent_tui import __version__
from agent_tui.engine.extras import NO_EXTRAS
from agent_tui.engine.foundation import Foundation
from agent_tui.engine.hooking import configured
from agent_tui.machine.search import find_ripgrep
from agent_tui.model.anthropic_client import AnthropicClient
from agent_tui.protocol.errors import ModelError, SettingsError
from agent_tui.settings.credentials import UNNEEDED, find_credentials
from agent_tui.settings.paths import (
    Environment,
    claude_root,
    logs,
    managed_settings,
    project_settings,
    projects,
    root,
    user_settings,
)

State: TypeAlias = Literal["ok", "note", "wrong"]


@dataclass(frozen=True, slots=True)
class Check:
    """What was found out about one thing; ``note`` may be as it should be."""

    about: str
    state: State
    found: str


async def examine(base: Foundation, model: str) -> tuple[Check, ...]:
    """Make all checks; ``model`` is the one in use. One small question goes to the server, for its list of models."""
    here = await anyio.to_thread.run_sync(partial(_here, base))
    return (*here, *await _server(base, model))


def _here(base: Foundation) -> tuple[Check, ...]:
    """Check what is on this machine. Blocks on files."""
    env = base.env
    return (
        _versions(),
        *_terminal(env),
        *_programs(env),
        _sandbox(base),
        *_folders(base),
        *_settings(base),
        _key(base),
    )


def _versions() -> Check:
    python = ".".join(map(str, sys.version_info[:3]))
    said = f"agent-tui {__version__}, Python {python}, {platform.system()} {platform.release()}"
    return Check("versions", "ok", said)


def _terminal(env: Environment) -> Iterator[Check]:
    term = env.get("TERM")
    if not term:
        yield Check("terminal", "note", "TERM is not set; the screen can't know what it may send")
        return
    many = env.get("COLORTERM") in ("truecolor", "24bit") or "256color" in term
    colours = (
        "no colours (NO_COLOR is set)"
        if env.get("NO_COLOR")
        else "24-bit or 256 colours"
        if many
        else "16 colours"
    )
    around = "tmux" if env.get("TMUX") else "screen" if env.get("STY") else ""
    yield Check("terminal", "ok", f"{term}, {colours}" + (f", inside {around}" if around else ""))
    locale = env.get("LC_ALL") or env.get("LC_CTYPE") or env.get("LANG")
    if "utf-8" not in locale.lower().replace("utf8", "utf-8"):
        said = f"the locale is {locale or 'not set'}, not UTF-8; signs are drawn in ASCII"
        yield Check("locale", "note", said)


def _programs(env: Environment) -> Iterator[Check]:
    ripgrep = find_ripgrep()
    if ripgrep is None:
        yield Check("ripgrep", "note", "rg is not there; searches take our own, slower way")
    else:
        yield Check("ripgrep", "ok", str(ripgrep))
    for name, without in (
        ("git", "branches and changes of the repository can't be shown"),
        ("bash", "commands run in /bin/sh"),
    ):
        found = shutil.which(name, path=env.get("PATH") or None)
        yield (
            Check(name, "ok", found)
            if found
            else Check(name, "note", f"it is not there: {without}")
        )


def _sandbox(base: Foundation) -> Check:
    if base.sandboxing.sandbox is not None:
        return Check("sandbox", "ok", "commands run inside it")
    if sys.platform == "linux":
        found = shutil.which("bwrap", path=base.env.get("PATH") or None)
        if found is None:
            return Check("sandbox", "note", "off; it would need bubblewrap, which is not installed")
        return Check("sandbox", "ok", f"off; {found} is there for --sandbox")
    return Check("sandbox", "ok", "off")


def _folders(base: Foundation) -> Iterator[Check]:
    env = base.env
    for about, folder in (
        ("own folder", root(env)),
        ("sessions", projects(env)),
        ("logs", logs(env)),
        ("project", base.cwd),
    ):
        there = next(one for one in (folder, *folder.parents) if one.exists())
        if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
            yield Check(about, "wrong", f"{folder} can't be written")
        else:
            yield Check(about, "ok", str(folder))
    if root(env).is_dir() and root(env).stat().st_mode & 0o022:
        yield Check("own folder", "wrong", f"others may write {root(env)}; run chmod go-w on it")


def _settings(base: Foundation) -> Iterator[Check]:
    """Name the files there are, then what is wrong in them."""
    files = [*user_settings(base.env), *project_settings(base.project), managed_settings()]
    found = [str(path) for path in files if path.is_file()]
    yield Check("settings", "ok", ", ".join(found) or "no files; all is as usual")
    problems = (
        *base.layers.notices,
        *base.rules.problems,
        *base.sandboxing.notices,
        *configured(base, NO_EXTRAS).problems,
        *base.kinds.notices,
        *base.servers.notices,
    )
    for text in problems:
        yield Check("settings", "wrong", text)
    memory = base.memory()
    names = ", ".join(file.path for file in memory.files)
    yield Check("memory", "ok", names or f"no CLAUDE.md here or in {claude_root(base.env)}")
    for note in memory.notes:
        if not note.quiet:
            yield Check("memory", "note", note.text)


def _key(base: Foundation) -> Check:
    match base.key_source:
        case "":
            return Check("key", "wrong", "there is none")
        case "demo":
            return Check("key", "ok", "none is needed for the demo")
        case source if source == UNNEEDED:
            return Check("key", "ok", "none; the server was named without one")
        case "credentials.json":
            return Check("key", "ok", f"stored in {Path(root(base.env)) / 'credentials.json'}")
        case source:
            return Check("key", "ok", f"from the variable {source}")


async def _server(base: Foundation, model: str) -> tuple[Check, ...]:
    if base.demo is not None:
        return (Check("server", "ok", "the demo's own, inside this program"),)
    try:
        found = find_credentials(
            base.env,
            base_url=base.options.model.base_url,
            settings_base_url=base.layers.settings.base_url,
        )
    except SettingsError as error:
        return (Check("server", "wrong", str(error)),)
    header = "bearer" if found.is_token else base.layers.settings.api_key_header
    client = AnthropicClient(
        found.base_url,
        found.api_key,
        base.env,
        api_key_header=header,
        anthropic_version=base.layers.settings.anthropic_version,
    )
    began = anyio.current_time()
    try:
        models = await client.list_models()
    except ModelError as error:
        return (Check("server", "wrong", str(error)),)
    finally:
        await client.aclose()
    ms = round((anyio.current_time() - began) * 1000)
    where = found.base_url or "the official server"
    answered = Check("server", "ok", f"{where} answered in {ms} ms and offers {len(models)} models")
    if model in models or not models:
        return (answered,)
    return (answered, Check("model", "note", f"{model} is not among those the server lists"))
