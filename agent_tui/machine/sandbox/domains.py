"""Which hosts a command may reach: names and patterns as in ``WebFetch(domain:...)``."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from agent_tui.machine.sandbox.bounds import Network

LOCAL_NAMES: Final = frozenset({"localhost", "ip6-localhost"})


def allows(network: Network, host: str) -> bool:
    """Tell whether a host may be reached: a pattern allows it and none denies it."""
    return _covers(network.allowed, host) and not _covers(network.denied, host)


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
    return any(_pattern(_plain(one)).fullmatch(name) for one in patterns)


def _plain(host: str) -> str:
    return host.strip().strip("[]").removesuffix(".").casefold()


@lru_cache(maxsize=1024)
def _pattern(text: str) -> re.Pattern[str]:
    """Read a pattern: ``*`` is any host, ``*.x`` any name below ``x``, elsewhere ``*`` stays within one label."""
    if text == "*":
        return re.compile(r".+", re.DOTALL)
    deep = text.startswith("*.")
    rest = ".".join(
        "[^.]*".join(re.escape(piece) for piece in label.split("*"))
        for label in text.removeprefix("*.").split(".")
    )
    return re.compile(rf".+\.{rest}" if deep else rest, re.DOTALL)
