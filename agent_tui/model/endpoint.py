"""Where requests go and how they are signed: base URL, key, the headers that differ between servers.

The official host gets what the ``anthropic`` package sends. Any other server may be of another age, so the key goes
to it in both headers unless a setting says which; the version is the package's until the server refuses it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from agent_tui import __version__
from agent_tui.model.proxy import passwords, proxy_for, proxy_passwords, shown, split_url
from agent_tui.settings.paths import Environment
from agent_tui.settings.schema import KeyHeader

OFFICIAL_URL = "https://api.anthropic.com"
OFFICIAL_HOST = "api.anthropic.com"
OLD_VERSION = "2023-06-01"
"""What a server takes that refuses the package's version."""

BETA = "anthropic-beta"
MAX_APP = 128
"""Characters of a program's name that are told."""

_NO_KEY = "authentication_failed"
_LEAST_SECRET = 4
"""Shorter secrets are left alone: to take them out would tear unrelated words apart."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server, the way to it, and our standing with it.

    ``key_header`` and ``version`` are None when no setting says anything. ``proxy`` may hold a password. ``secrets``
    are texts that no message may hold.
    """

    base_url: str = field(repr=False)
    api_key: str = field(repr=False)
    key_header: KeyHeader | None = None
    version: str | None = None
    proxy: str | None = field(default=None, repr=False)
    custom_headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def of(
        cls,
        base_url: str,
        api_key: str,
        env: Environment,
        key_header: KeyHeader | None = None,
        version: str | None = None,
        *,
        betas: tuple[str, ...] = (),
        client_app: str | None = None,
    ) -> Endpoint:
        """Collect what the arguments and the environment say."""
        url = base_url.strip() or OFFICIAL_URL
        key = api_key.strip()
        return cls(
            base_url=url,
            api_key=key,
            key_header=key_header,
            version=version,
            proxy=proxy_for(url, env),
            custom_headers=(*_user_agent(client_app), *custom_headers(env, betas)),
            secrets=(key, *passwords(url), *proxy_passwords(env)),
        )

    @property
    def official(self) -> bool:
        """Whether it is the vendor's own server."""
        return is_official(self.base_url)

    @property
    def name(self) -> str:
        """The base URL as it may be shown, and the proxy if one is used."""
        way = f" (through the proxy {shown(self.proxy)})" if self.proxy else ""
        return f"{shown(self.base_url)}{way}"

    @property
    def plain_key(self) -> bool:
        """Whether the key goes out as ``x-api-key``."""
        return self.key_header in ("x-api-key", "both") or (
            self.key_header is None and not self.official
        )

    @property
    def bearer(self) -> bool:
        """Whether the key goes out as ``Authorization: Bearer``."""
        return self.key_header != "x-api-key"

    @property
    def version_open(self) -> bool:
        """Whether an older version may be tried: no setting names one, and the server isn't the vendor's."""
        return self.version is None and not self.official

    @property
    def fault(self) -> tuple[str, str] | None:
        """Say what makes it unusable: a sentence and the documented error word; None if nothing does."""
        parts = split_url(self.base_url)
        if parts is None or parts.scheme not in ("http", "https"):
            text = f"The base URL {shown(self.base_url)} is no http or https address."
            return text, "invalid_request"
        if not self.api_key:
            return "There is no API key: set ANTHROPIC_API_KEY, or store a key.", _NO_KEY
        if not (self.api_key.isascii() and self.api_key.isprintable()) or " " in self.api_key:
            return "The API key holds characters that no key has; copy it again.", _NO_KEY
        return None

    def clean(self, text: str) -> str:
        """Take every secret out of a text that came from elsewhere."""
        for secret in self.secrets:
            if len(secret) >= _LEAST_SECRET:
                text = text.replace(secret, "***")
        return text


def custom_headers(env: Environment, betas: tuple[str, ...] = ()) -> tuple[tuple[str, str], ...]:
    """Read ``ANTHROPIC_CUSTOM_HEADERS`` (``Name: value`` lines) and ``ANTHROPIC_BETAS``; all betas make one header."""
    found: list[tuple[str, str]] = []
    flags = [*betas, *env.get("ANTHROPIC_BETAS").split(",")]
    for line in env.get("ANTHROPIC_CUSTOM_HEADERS").splitlines():
        name, colon, value = line.partition(":")
        if colon and name.strip().lower() == BETA:
            flags += value.split(",")
        elif colon and name.strip():
            found.append((name.strip(), value.strip()))
    named = dict.fromkeys(flag.strip() for flag in flags if flag.strip())
    return (((BETA, ",".join(named)),) if named else ()) + tuple(found)


def _user_agent(client_app: str | None) -> tuple[tuple[str, str], ...]:
    """Name the program that uses us; what no header may hold is left out."""
    name = "".join(c for c in client_app or "" if c.isascii() and c.isprintable() and c not in "()")
    name = name.strip()[:MAX_APP]
    return (("user-agent", f"agent-tui/{__version__} (client-app/{name})"),) if name else ()


def is_official(base_url: str) -> bool:
    """Tell whether a base URL (empty: the usual one) is the vendor's own server."""
    parts = split_url(base_url.strip() or OFFICIAL_URL)
    return parts is not None and parts.hostname == OFFICIAL_HOST
