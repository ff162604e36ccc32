"""Which hosts a command may reach: names and patterns as in ``WebFetch(domain:...)``."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from agent_tui.machine.sandbox.bounds import Network

_NAME: Final = re.compile(r"[A-Za-z0-9._:-]+|\[[0-9A-Fa-f:.]+\]")


def allows(network: Network, host: str) -> bool:
    """Tell whether a host may be reached: a pattern allows it and none denies it.

    A name in other letters than a resolver knows may turn out to be another one, so it is refused.
    """
    return (
        _NAME.fullmatch(host) is not None
        and _covers(network.allowed, host)
        and not _covers(network.denied, host)
    )


def may_be_local(network: Network, host: str) -> bool:
    """Tell whether a host was named as one of this machine: else a name that leads here is refused.

    So no name that anybody can register opens what listens on loopback, or a cloud's page of keys.
    """
    return _plain(host) in {_plain(one) for one in network.allowed}


def is_local(address: str) -> bool:
    """Tell whether an address is this machine's own or its link's."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return found.is_loopback or found.is_link_local or found.is_unspecified or found.is_multicast


def _covers(patterns: Iterable[str], host: str) -> bool:
    name = _plain(host)
    return any(_fits(_plain(one), name) for one in patterns)


def _plain(host: str) -> str:
    return host.strip().strip("[]").removesuffix(".").casefold()


def _fits(pattern: str, name: str) -> bool:
    if pattern == "*":
        return True
    if pattern.startswith("*."):
        return name.endswith(pattern[1:]) and len(name) >= len(pattern)
    return _within_labels(pattern).fullmatch(name) is not None


@lru_cache(maxsize=1024)
def _within_labels(pattern: str) -> re.Pattern[str]:
    """Read a pattern in which ``*`` stands for a stretch of one label."""
    return re.compile("[^.]*".join(re.escape(piece) for piece in pattern.split("*")))
