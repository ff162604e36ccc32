"""Which proxy leads to a server.

Told by the usual variables of the ``Environment``: ``HTTPS_PROXY``, ``HTTP_PROXY``, ``ALL_PROXY``, ``NO_PROXY``, and
their lower-case spellings, which come first.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import SplitResult, unquote, urlsplit

from agent_tui.settings.paths import Environment

PROXY_VARIABLES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY")


def split_url(url: str) -> SplitResult | None:
    """Take an address apart, ``http`` where it names no scheme; None if it is none."""
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        unreadable = not parts.hostname or parts.port == 0 or len(url.split()) != 1
    except ValueError:
        return None
    return None if unreadable else parts


def proxy_for(url: str, env: Environment) -> str | None:
    """Give the address of the proxy on the way to ``url``, with its user and password; None for the straight way.

    To this machine itself the way is always straight: a proxy elsewhere can't lead there.
    """
    target = split_url(url)
    if (
        target is None
        or _is_loopback(target.hostname or "")
        or _bypassed(target, _variable(env, "NO_PROXY"))
    ):
        return None
    name = "HTTPS_PROXY" if target.scheme == "https" else "HTTP_PROXY"
    proxy = _variable(env, name) or _variable(env, "ALL_PROXY")
    if not proxy:
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def proxy_passwords(env: Environment) -> list[str]:
    """Give every password in the proxy variables, as written and decoded."""
    return [word for name in PROXY_VARIABLES for word in passwords(_variable(env, name))]


def passwords(url: str) -> list[str]:
    """Give the password in an address, as written and decoded; empty if there is none."""
    parts = split_url(url)
    password = parts.password if parts is not None else None
    return [password, unquote(password)] if password else []


def shown(url: str) -> str:
    """Give an address without what must not be shown: user, password, query."""
    parts = split_url(url)
    if parts is None:
        return "an address that can't be read"
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}".rstrip("/")


def _variable(env: Environment, name: str) -> str:
    return (env.get(name.lower()) or env.get(name)).strip()


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _bypassed(target: SplitResult, no_proxy: str) -> bool:
    host = (target.hostname or "").rstrip(".")
    port = target.port or (443 if target.scheme == "https" else 80)
    return any(_covers(rule, host, port) for rule in no_proxy.lower().replace(" ", ",").split(","))


def _covers(rule: str, host: str, port: int) -> bool:
    """Whether one entry of ``NO_PROXY`` (a name and what is below it, an address, a network, ``*``) holds for a host."""
    if rule == "*":
        return True
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(rule.strip("[]"), strict=False)
    except ValueError:
        pass  # one of the two is a name
    name, colon, wanted = rule.rpartition(":")
    if colon and wanted.isdigit() and "]" not in wanted:
        return int(wanted) == port and _covers(name, host, port)
    bare = rule.removeprefix("*").strip(".")
    return bool(bare) and (host == bare or host.endswith(f".{bare}"))
