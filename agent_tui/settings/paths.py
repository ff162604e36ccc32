"""Every folder and file we use, as functions of an ``Environment``; nothing is read from the process by itself."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

MAX_KEY = 200


@dataclass(frozen=True, slots=True)
class Environment:
    """The variables and the home folder a run sees."""

    variables: Mapping[str, str]
    home: Path

    @classmethod
    def of_process(cls) -> Environment:
        """Take this process's own."""
        home = os.environ.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises without a home
        return cls(dict(os.environ), Path(home))

    def get(self, name: str, default: str = "") -> str:
        """Give a variable, ``default`` when unset or empty."""
        return self.variables.get(name) or default


def root(env: Environment) -> Path:
    """Our own folder: ``~/.agent-tui``, moved by ``AGENT_TUI_HOME``."""
    return Path(env.get("AGENT_TUI_HOME", str(env.home / ".agent-tui")))


def claude_root(env: Environment) -> Path:
    """The ecosystem's configuration folder: ``~/.claude``, moved by ``CLAUDE_CONFIG_DIR``."""
    return Path(env.get("CLAUDE_CONFIG_DIR", str(env.home / ".claude")))


def projects(env: Environment) -> Path:
    """Where the journals are, a folder per project."""
    return root(env) / "projects"


def project_key(cwd: Path) -> str:
    """Name a project's folder: its real path, every character but ASCII letters and digits replaced by ``-``.

    Over 200 characters it is cut and a hash of the whole is added (reference/sessions.md section 1). Two projects
    may share a key, so sessions are told apart by the ``cwd`` in their lines.
    """
    real = unicodedata.normalize("NFC", os.path.realpath(cwd))
    key = "".join(c if c.isascii() and c.isalnum() else "-" for c in real)
    return key if len(key) <= MAX_KEY else f"{key[:MAX_KEY]}-{_hash36(real)}"


def project_folder(env: Environment, cwd: Path) -> Path:
    """The folder with the journals of the project at ``cwd``."""
    return projects(env) / project_key(cwd)


def journal(env: Environment, cwd: Path, session_id: str) -> Path:
    """The journal of a session that starts in ``cwd``."""
    return project_folder(env, cwd) / f"{session_id}.jsonl"


def credentials(env: Environment) -> Path:
    """The file with the stored key; owner-only."""
    return root(env) / "credentials.json"


def input_history(env: Environment) -> Path:
    """Every prompt typed, one JSON line each."""
    return root(env) / "history.jsonl"


def drafts(env: Environment) -> Path:
    """Where unfinished prompts are kept, a file per project."""
    return root(env) / "drafts"


def logs(env: Environment) -> Path:
    """The log folder."""
    return root(env) / "logs"


def user_settings(env: Environment) -> tuple[Path, Path]:
    """The user's settings files, lowest first: the ecosystem's, ours."""
    return claude_root(env) / "settings.json", root(env) / "settings.json"


def project_settings(cwd: Path) -> tuple[Path, Path]:
    """The project's settings files, lowest first: shared, local."""
    return cwd / ".claude" / "settings.json", cwd / ".claude" / "settings.local.json"


def managed_settings() -> Path:
    """What an administrator decreed."""
    return Path("/etc/claude-code/managed-settings.json")


def themes() -> Path:
    """The folder of theme files: in the package of a wheel, beside it in a checkout."""
    package = Path(str(resources.files("agent_tui")))
    inside = package / "themes"
    return inside if inside.is_dir() else package.parent / "themes"


def user_themes(env: Environment) -> Path:
    """The person's own theme files."""
    return root(env) / "themes"


def _hash36(text: str) -> str:
    value = 0
    for char in text.encode("utf-16-le")[::2] if text.isascii() else _utf16(text):
        value = (value * 31 + char) & 0xFFFFFFFF
    signed = value - (1 << 32) if value & 0x80000000 else value
    value = abs(signed)
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    out = ""
    while True:
        value, rest = divmod(value, 36)
        out = digits[rest] + out
        if not value:
            return out


def _utf16(text: str) -> list[int]:
    raw = text.encode("utf-16-le", "surrogatepass")
    return [int.from_bytes(raw[i : i + 2], "little") for i in range(0, len(raw), 2)]
