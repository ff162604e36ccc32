"""Which servers there are: what the program gave, what the person's own files say, what a trusted project brings.

A project's ``.mcp.json`` comes with a clone and names programs to run: none of it is taken until the folder is trusted,
and then no key of ours is put into its entries.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from agent_tui.protocol.content import JsonObject
from agent_tui.settings.credentials import VARIABLES
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment, root
from agent_tui.settings.plain import read_plain

Kind: TypeAlias = Literal["stdio", "http", "sse", "sdk"]
Scope: TypeAlias = Literal["dynamic", "local", "project", "user"]
"""Who named a server: the program (or its command line), the person for this project, the project, the person for all."""

MAX_STATE_BYTES = 64 * 1024 * 1024
"""The ecosystem's state file also holds other things, and grows."""

_NEAREST: tuple[Scope, ...] = ("local", "project", "user")
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """One server, ready to be connected.

    Attributes:
        name: as configured.
        kind: how it is reached; ``sdk`` is one in the program itself.
        scope: who named it.
        command, args, env: what is run, for ``stdio``.
        url, headers: where it is, for ``http`` and ``sse``.
        timeout_s: limit of one call in seconds, None for the usual one.
        always_load: its tools are never left for a search to find.
        given: the entry as it was written, variables not put in.
    """

    name: str
    kind: Kind
    scope: Scope = "dynamic"
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    timeout_s: float | None = None
    always_load: bool = False
    given: JsonObject = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class ServerList:
    """The servers of a session in a fixed order, and sentences about those left out and why."""

    servers: tuple[ServerConfig, ...] = ()
    notices: tuple[str, ...] = ()


class BadConfigError(ValueError):
    """An entry can't be used; the text says what is wrong with it."""


def gather(
    options: Options,
    inside: Iterable[str],
    env: Environment,
    project: Path,
    *,
    trusted: bool = False,
) -> ServerList:
    """Find the servers of a session. Blocks on files.

    Of servers with one name the program's goes before the person's for this project, that before the project's own,
    that before the person's for all projects.

    Args:
        options: the program's servers, and whether files count.
        inside: names of the servers that the program brings itself.
        env: where the person's files are; gives the variables that entries name.
        project: the project's root.
        trusted: the person trusts the project.
    """
    inside = tuple(inside)
    given = dict(options.tools.servers)
    for name in inside:
        given.setdefault(name, {"type": "sdk", "name": name})
    collected = _Collected(env, frozenset(inside))
    collected.add(given, "dynamic", "the given servers")
    if options.tools.strict_servers:
        return collected.list()
    sources = options.setting_sources
    own = [*_own_files(env, project, collected.notices)] if "user" in sources else []
    theirs = project_file(project)
    if trusted and "project" in sources:
        entries = _object(_read(theirs, collected.notices).get("mcpServers"))
        own.append((theirs, "project", entries))
    for path, scope, entries in sorted(own, key=lambda one: _NEAREST.index(one[1])):
        collected.add(entries, scope, str(path))
    return collected.list()


class _Collected:
    """What was found so far; the first of a name stays."""

    def __init__(self, env: Environment, inside: frozenset[str]) -> None:
        self._env = env
        self._inside = inside
        self._servers: dict[str, ServerConfig] = {}
        self.notices: list[str] = []

    def add(self, entries: Mapping[str, Any], scope: Scope, where: str) -> None:
        for name, entry in entries.items():
            if name in self._servers:
                continue
            try:
                config, unset = read_server(name, entry, scope, self._env)
                if config.kind == "sdk" and name not in self._inside:
                    raise BadConfigError("it is said to be in the program, which brought none")
            except BadConfigError as error:
                self.notices.append(f"MCP server {name} ({where}) is left out: {error}.")
                continue
            self._servers[name] = config
            if unset:
                names = ", ".join(unset)
                self.notices.append(f"MCP server {name} ({where}) names unset variables: {names}.")

    def list(self) -> ServerList:
        return ServerList(tuple(self._servers.values()), tuple(self.notices))


def read_server(
    name: str, entry: Any, scope: Scope, env: Environment
) -> tuple[ServerConfig, tuple[str, ...]]:
    """Read one entry, variables put in. Also gives the names of variables that have no value and no default.

    Raises:
        BadConfigError: it can't be used.
    """
    if not name.strip():
        raise BadConfigError("it has no name")
    if not isinstance(entry, dict):
        raise BadConfigError("its entry must be an object")
    given = cast("JsonObject", entry)
    kind = _kind(given)
    texts = _Texts(env, frozenset(VARIABLES) if scope == "project" else frozenset())
    config = ServerConfig(
        name=name,
        kind=kind,
        scope=scope,
        command=texts.one(given, "command") if kind == "stdio" else "",
        args=texts.many(given, "args"),
        env=texts.table(given, "env"),
        url=texts.one(given, "url") if kind in ("http", "sse") else "",
        headers=texts.table(given, "headers"),
        timeout_s=_seconds(given.get("timeout")),
        always_load=given.get("alwaysLoad") is True,
        given={key: value for key, value in given.items() if key != "instance"},
    )
    if config.url and not re.match(r"https?://[^/]", config.url):
        raise BadConfigError(f"its url {config.url!r} is no http address")
    return config, tuple(dict.fromkeys(texts.unset))


def _kind(entry: JsonObject) -> Kind:
    kind = entry.get("type")
    if kind is None:
        if "url" in entry:
            raise BadConfigError("it has a url and no type; say http or sse")
        return "stdio"
    if kind not in ("stdio", "http", "sse", "sdk"):
        raise BadConfigError(f"its type {kind!r} is unknown; there are stdio, http, sse and sdk")
    return kind


class _Texts:
    """Reads the texts of an entry and puts in variables; ``unset`` are those that have no value."""

    def __init__(self, env: Environment, withheld: frozenset[str]) -> None:
        self._env = env
        self._withheld = withheld
        self.unset: list[str] = []

    def one(self, entry: JsonObject, key: str) -> str:
        value = entry.get(key)
        if not isinstance(value, str) or not value.strip():
            raise BadConfigError(f"it needs a {key}")
        return self._put_in(value)

    def many(self, entry: JsonObject, key: str) -> tuple[str, ...]:
        value: Any = entry.get(key) or []
        if not isinstance(value, list | tuple):
            raise BadConfigError(f"its {key} must be a list of texts")
        items = tuple(cast("Iterable[Any]", value))
        if not all(isinstance(item, str) for item in items):
            raise BadConfigError(f"its {key} must be a list of texts")
        return tuple(map(self._put_in, items))

    def table(self, entry: JsonObject, key: str) -> dict[str, str]:
        value: Any = entry.get(key) or {}
        if not isinstance(value, dict):
            raise BadConfigError(f"its {key} must be an object of texts")
        items = cast("dict[str, Any]", value)
        if not all(isinstance(item, str) for item in items.values()):
            raise BadConfigError(f"its {key} must be an object of texts")
        return {name: self._put_in(item) for name, item in items.items()}

    def _put_in(self, text: str) -> str:
        def value(found: re.Match[str]) -> str:
            name, default = found.groups()
            if name in self._withheld:
                raise BadConfigError(f"it wants {name}, which no project's server is given")
            if name in self._env.variables and (self._env.variables[name] or default is None):
                return self._env.variables[name]
            if default is None:
                self.unset.append(name)
                return found[0]
            return default

        return _VARIABLE.sub(value, text)


def _seconds(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise BadConfigError("its timeout must be a number of milliseconds above 0")
    return value / 1000


# Files ----------------------------------------------------------------------------------------------------------


def own_file(env: Environment) -> Path:
    """Our own list of servers: ``~/.agent-tui/mcp.json``."""
    return root(env) / "mcp.json"


def state_file(env: Environment) -> Path:
    """The ecosystem's state file, which also lists servers: ``~/.claude.json``."""
    folder = env.get("CLAUDE_CONFIG_DIR")
    return (Path(folder) if folder else env.home) / ".claude.json"


def project_file(project: Path) -> Path:
    """A project's list of servers."""
    return project / ".mcp.json"


def project_entries(project: Path) -> JsonObject:
    """Give the entries that a project's list names, unread; none where it can't be read. Blocks on files."""
    return _object(_read(project_file(project), []).get("mcpServers"))


def _own_files(
    env: Environment, project: Path, notices: list[str]
) -> Iterable[tuple[Path, Scope, JsonObject]]:
    """Give what the person's files list."""
    ours, state = own_file(env), state_file(env)
    mine = _read(ours, notices)
    theirs = _read(state, notices)
    local = _object(_object(theirs.get("projects")).get(str(project)))
    yield state, "local", _object(local.get("mcpServers"))
    yield ours, "user", _object(mine.get("mcpServers"))
    yield state, "user", _object(theirs.get("mcpServers"))


def _read(path: Path, notices: list[str]) -> JsonObject:
    try:
        return _object(json.loads(read_plain(path, MAX_STATE_BYTES).decode("utf-8-sig")))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, RecursionError) as error:
        notices.append(f"{path} can't be read, so the MCP servers in it are left out ({error}).")
        return {}


def _object(value: Any) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}
