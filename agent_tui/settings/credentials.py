"""The key and the server: from options, the environment, the person's own files; never from a project's.

A server of one's own may want no key: one that is named is asked with ``UNNEEDED``; the official one never is.

The stored key is in ``~/.agent-tui/credentials.json``, owner-only; a file others could have read is not used.
"""

from __future__ import annotations

import json
import stat
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlsplit

from agent_tui.protocol.errors import SettingsError
from agent_tui.protocol.masking import SHORTEST, Masker
from agent_tui.settings.paths import Environment, credentials
from agent_tui.settings.private import write_private

NO_KEY = (
    "there is no API key; set ANTHROPIC_API_KEY, start agent-tui once to store one, "
    "or try the demo with 'agent-tui --demo'"
)

OFFICIAL_HOST = "anthropic.com"
"""This host and those below it want a real key."""

UNNEEDED = "none"
"""The key sent to a server that was named without one, and the source that is told of it."""


VARIABLES = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_CUSTOM_HEADERS",
    "ANTHROPIC_FOUNDRY_API_KEY",
    "AWS_BEARER_TOKEN_BEDROCK",
    "CLAUDE_CODE_OAUTH_REFRESH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
)
"""Variables with credentials that this program, or one of its kind, uses itself."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """Where to ask and with what. ``source`` says where the key is from, empty when there is none.

    ``model`` is the one that was chosen for a stored server, empty where none was.
    """

    api_key: str = field(default="", repr=False)
    base_url: str = ""
    source: str = ""
    is_token: bool = False
    model: str = ""

    @property
    def lacking(self) -> bool:
        """Whether nothing can be asked: there is no key, and the server is one that wants it."""
        return not self.api_key


def find_credentials(
    env: Environment, *, base_url: str | None = None, settings_base_url: str | None = None
) -> Credentials:
    """Find them. The base URL: option, environment, stored beside the key, user settings; empty: the official one.

    ``settings_base_url`` is for the person's own settings, never a project's.

    Raises:
        SettingsError: the stored key can't be used.
    """
    stored = _stored(env)
    url = base_url or env.get("ANTHROPIC_BASE_URL")
    url = url or stored.get("base_url") or settings_base_url or ""
    model = stored.get("model", "") if url == stored.get("base_url") else ""
    if key := env.get("ANTHROPIC_API_KEY"):
        return Credentials(key, url, "ANTHROPIC_API_KEY", model=model)
    if token := env.get("ANTHROPIC_AUTH_TOKEN"):
        return Credentials(token, url, "ANTHROPIC_AUTH_TOKEN", is_token=True, model=model)
    if key := stored.get("api_key"):
        return Credentials(key, url, "credentials.json", model=model)
    if url and not _is_official(url):
        return Credentials(UNNEEDED, url, UNNEEDED, model=model)
    return Credentials("", url, "")


def known_secrets(env: Environment) -> tuple[str, ...]:
    """Give the values of our own that nobody else needs: of the variables, the headers in them, the stored key."""
    values = [env.get(name) for name in VARIABLES]
    values += [line.partition(":")[2] for line in env.get("ANTHROPIC_CUSTOM_HEADERS").splitlines()]
    with suppress(SettingsError):  # a file that isn't used needs no keeping
        values.append(_stored(env).get("api_key", ""))
    return tuple(value.strip() for value in values if len(value.strip()) >= SHORTEST)


def masker_of(env: Environment) -> Masker:
    """Make what hides secrets where we are: those of ours too."""
    return Masker.knowing(known_secrets(env))


def save_key(env: Environment, api_key: str, base_url: str = "", model: str = "") -> None:
    """Store a key; for another than the official server also its address and the model chosen there.

    Raises:
        SettingsError: it can't be written.
    """
    server = {"base_url": base_url, **({"model": model} if model else {})} if base_url else {}
    data = {"api_key": api_key, **server}
    try:
        write_private(credentials(env), json.dumps(data, indent=2) + "\n")
    except OSError as error:
        raise SettingsError(f"the key can't be stored in {credentials(env)}: {error}") from error


def _is_official(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        host = ""
    return host == OFFICIAL_HOST or host.endswith(f".{OFFICIAL_HOST}")


def _stored(env: Environment) -> dict[str, str]:
    path = credentials(env)
    try:
        mode = path.stat().st_mode
        if stat.S_IMODE(mode) & 0o077:
            raise SettingsError(
                f"{path} could be read by others, so the key in it is not used; "
                f"run 'chmod 600 {path}' if it is still yours alone"
            )
        data: Any = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"{path} can't be read ({error}); remove it to enter the key anew"
        ) from error
    entries = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    return {key: value for key, value in entries.items() if isinstance(value, str)}
