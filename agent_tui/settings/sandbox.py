"""What the settings say under ``sandbox``, joined over all files: how shell commands are fenced in.

Lists of several files add up, single values of a higher file win. A file that comes with a project may only tighten: it
can switch the sandbox on and close more, never switch it off, open anything, or spare its commands the question. A value
that can't be read stops the start: what was to be fenced in must not run free because of a slip.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, cast

from agent_tui.protocol.errors import SettingsError


@dataclass(frozen=True, slots=True)
class SourcedSandbox:
    """What a file says under ``sandbox``, unread, and where it stands; ``source`` is as in ``SourcedRule``."""

    data: Any
    source: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class SandboxSettings:
    """The sandbox as it is wanted. Paths are absolute; nothing here is looked up on the machine.

    Attributes:
        enabled: shell commands run in a sandbox.
        required: without one nothing is started.
        unasked: commands that run inside need no approval.
        excluded: commands that run outside, as in ``Bash(...)``.
        may_leave: a call may ask to run outside.
        bounds_files: False leaves the file system as it is and closes the network only.
        allow_write, deny_write, deny_read, allow_read: files and folders; the more specific wins.
        allowed_domains, denied_domains: hosts, as in ``WebFetch(domain:...)``.
        managed_domains_only: only the administrator's ``allowed_domains`` count, and no rule.
        sockets, all_sockets: unix sockets of other programs that stay in reach.
        local_binding: may listen on loopback where commands share the machine's (macOS).
        mach_names: services that may be looked up (macOS).
        proxy_port: a proxy on this machine that requests are handed on to.
        variables: names of variables that commands don't get.
        ignored: part of a command line (``*`` any) to parts of the violations that are expected of it.
        weaker: do with less where the machine gives no more (containers).
    """

    enabled: bool = False
    required: bool = False
    unasked: bool = False
    excluded: tuple[str, ...] = ()
    may_leave: bool = True
    bounds_files: bool = True
    allow_write: tuple[str, ...] = ()
    deny_write: tuple[str, ...] = ()
    deny_read: tuple[str, ...] = ()
    allow_read: tuple[str, ...] = ()
    allowed_domains: tuple[str, ...] = ()
    denied_domains: tuple[str, ...] = ()
    managed_domains_only: bool = False
    sockets: tuple[str, ...] = ()
    all_sockets: bool = False
    local_binding: bool = False
    mach_names: tuple[str, ...] = ()
    proxy_port: int | None = None
    variables: tuple[str, ...] = ()
    ignored: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    weaker: bool = False


OF_PROJECTS: Final = frozenset({"project", "local"})
"""Sources that come with the folder."""

FLAGS: Final = {
    "enabled": "enabled",
    "failIfUnavailable": "required",
    "autoAllowBashIfSandboxed": "unasked",
    "allowUnsandboxedCommands": "may_leave",
    "enableWeakerNestedSandbox": "weaker",
    "filesystem.disabled": "bounds_files",
    "network.allowManagedDomainsOnly": "managed_domains_only",
    "network.allowAllUnixSockets": "all_sockets",
    "network.allowLocalBinding": "local_binding",
    "network.strictAllowlist": "",
}
"""Keys that are true or false, and our field; empty: known, and always as if it were true."""

LISTS: Final = {
    "excludedCommands": "excluded",
    "network.allowedDomains": "allowed_domains",
    "network.deniedDomains": "denied_domains",
    "network.allowUnixSockets": "sockets",
    "network.allowMachLookup": "mach_names",
    "filesystem.allowWrite": "allow_write",
    "filesystem.denyWrite": "deny_write",
    "filesystem.allowRead": "allow_read",
    "filesystem.denyRead": "deny_read",
    "credentials.files": "deny_read",
    "credentials.envVars": "variables",
}
PORTS: Final = {"network.httpProxyPort": "proxy_port", "network.socksProxyPort": ""}
GROUPS: Final = frozenset({"filesystem", "network", "credentials"})

_PATHS: Final = frozenset({"allow_write", "deny_write", "allow_read", "deny_read", "sockets"})
_TIGHTER: Final[dict[str, bool]] = {
    "enabled": True,
    "failIfUnavailable": True,
    "autoAllowBashIfSandboxed": False,
    "allowUnsandboxedCommands": False,
    "network.allowManagedDomainsOnly": True,
}
"""What a project's file may say of single values."""

_TIGHTER_LISTS: Final = frozenset(
    {
        "network.deniedDomains",
        "filesystem.denyWrite",
        "filesystem.denyRead",
        "credentials.files",
        "credentials.envVars",
    }
)


def switched_on(settings: dict[str, Any]) -> dict[str, Any]:
    """Give a settings object in which the sandbox is on, whatever else it says of it."""
    said = settings.get("sandbox")
    inner = cast("dict[str, Any]", said) if isinstance(said, dict) else {}
    return {**settings, "sandbox": {**inner, "enabled": True}}


@dataclass(frozen=True, slots=True)
class Joined:
    """The settings of all files, and a sentence for each thing that was left out."""

    settings: SandboxSettings
    notices: tuple[str, ...] = ()


def join(entries: Iterable[SourcedSandbox], project: Path, home: Path) -> Joined:
    """Join what the files say, lowest first.

    Args:
        entries: one for each file.
        project: what ``./`` means.
        home: what ``~/`` means.

    Raises:
        SettingsError: a value is of the wrong kind; the text names file and key.
    """
    joining = _Joining(project, home)
    for entry in entries:
        joining.add(entry)
    return Joined(joining.settings, tuple(joining.notices))


class _Joining:
    """Takes in one file after another."""

    def __init__(self, project: Path, home: Path) -> None:
        self._project = project
        self._home = home
        self._unasked: bool | None = None
        self._own_enabled = False
        self._managed_domains: tuple[str, ...] = ()
        self._found = SandboxSettings()
        self.notices: list[str] = []

    @property
    def settings(self) -> SandboxSettings:
        """What holds. Nobody but the person spares commands the question, and only where files are bounded too."""
        found = self._found
        unasked = self._own_enabled if self._unasked is None else self._unasked
        domains = self._managed_domains if found.managed_domains_only else found.allowed_domains
        return replace(found, unasked=unasked and found.bounds_files, allowed_domains=domains)

    def add(self, entry: SourcedSandbox) -> None:
        """Take one file in."""
        where = f"{entry.path or '--settings'}: sandbox"
        values = _flat(entry.data, where, self.notices)
        project = entry.source in OF_PROJECTS
        for key, value in values.items():
            if project and not _tightens(key, value):
                self.notices.append(
                    f"{where}.{key} is ignored: a project's file may only tighten the sandbox."
                )
            else:
                self._take(key, value, where, entry.source)

    def _take(self, key: str, value: Any, where: str, source: str) -> None:
        if key in FLAGS:
            self._flag(key, value, f"{where}.{key}", source)
        elif key in LISTS:
            self._list(LISTS[key], _texts(value, f"{where}.{key}"), source)
        elif key in PORTS:
            self._port(PORTS[key], value, f"{where}.{key}")
        else:
            ignored = _violations(value, f"{where}.{key}")
            self._found = replace(self._found, ignored={**self._found.ignored, **ignored})

    def _flag(self, key: str, value: Any, where: str, source: str) -> None:
        if not isinstance(value, bool):
            raise SettingsError(f"{where} must be true or false; mend it.")
        name = FLAGS[key]
        own = source not in OF_PROJECTS
        if name == "unasked":
            if own or self._unasked is not False:
                self._unasked = value
            return
        if name == "enabled" and own:
            self._own_enabled = value
        if name == "bounds_files":
            value = not value
        if name:
            self._found = replace(self._found, **{name: value})

    def _list(self, name: str, texts: tuple[str, ...], source: str) -> None:
        if name in _PATHS:
            texts = tuple(self._path(text) for text in texts)
        if name == "allowed_domains" and source == "managed":
            self._managed_domains += texts
        known: tuple[str, ...] = getattr(self._found, name)
        self._found = replace(self._found, **{name: tuple(dict.fromkeys((*known, *texts)))})

    def _port(self, name: str, value: Any, where: str) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 65_536:
            raise SettingsError(f"{where} must be a port; mend it.")
        if name:
            self._found = replace(self._found, **{name: value})
        else:
            self.notices.append(f"{where} has no effect: only HTTP goes through the sandbox.")

    def _path(self, text: str) -> str:
        if text == "~" or text.startswith("~/"):
            return os.path.normpath(f"{self._home}/{text[1:]}")
        return os.path.normpath(os.path.join(self._project, text.replace("//", "/", 1)))  # noqa: PTH118 - text only


def _flat(data: Any, where: str, notices: list[str]) -> dict[str, Any]:
    """Give the known values by key, those of groups as ``group.key``."""
    if not isinstance(data, dict):
        raise SettingsError(f"{where} must be an object; mend it.")
    found: dict[str, Any] = {}
    for key, value in cast("dict[str, Any]", data).items():
        if key in GROUPS:
            if not isinstance(value, dict):
                raise SettingsError(f"{where}.{key} must be an object; mend it.")
            inner = cast("dict[str, Any]", value)
            found.update({f"{key}.{name}": one for name, one in inner.items()})
        else:
            found[key] = value
    known = {*FLAGS, *LISTS, *PORTS, "ignoreViolations"}
    notices += [f"{where}.{key} is not known; it is ignored." for key in found if key not in known]
    return {key: value for key, value in found.items() if key in known}


def _tightens(key: str, value: Any) -> bool:
    """Tell whether a project's file may say this. A value of the wrong kind is refused where it is read."""
    if key in _TIGHTER_LISTS:
        return True
    return key in _TIGHTER and (not isinstance(value, bool) or value is _TIGHTER[key])


def _texts(value: Any, where: str) -> tuple[str, ...]:
    """Read a list of texts, or of objects that say them under ``path`` or ``name`` (what is masked there is denied)."""
    if not isinstance(value, list):
        raise SettingsError(f"{where} must be a list of texts; mend it.")
    texts = [_named(one) for one in cast("list[Any]", value)]
    if not all(isinstance(text, str) and text.strip() and "\0" not in text for text in texts):
        raise SettingsError(f"{where} must be a list of texts; mend it.")
    return tuple(texts)


def _named(entry: Any) -> Any:
    if not isinstance(entry, dict):
        return entry
    fields = cast("dict[str, Any]", entry)
    return fields.get("path", fields.get("name"))


def _violations(value: Any, where: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise SettingsError(f"{where} must be an object of lists; mend it.")
    entries = cast("dict[str, Any]", value)
    return {key: _texts(one, f"{where}.{key}") for key, one in entries.items()}
