"""Did the sandbox make a command fail? Told by what it printed, for nothing else tells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_FILES: Final = re.compile(
    r"read-only file system|permission denied|operation not permitted|\bE(?:ROFS|ACCES|PERM)\b"
    r"|device or resource busy|PermissionError|unable to open database file",
    re.IGNORECASE,
)
_NETWORK: Final = re.compile(
    r"network is unreachable|could not resolve|couldn't resolve|temporary failure in name resolution"
    r"|name or service not known|no route to host|getaddrinfo|\bENETUNREACH\b|\bEAI_AGAIN\b|\bENOTFOUND\b"
    r"|nodename nor servname|failed to lookup address|dial tcp|failed to establish a new connection"
    r"|unable to connect to|could not connect to server|cannot connect to the docker daemon"
    r"|doesn't let commands reach|tunnel connection failed|CONNECT tunnel failed|unable to access 'https?:",
    re.IGNORECASE,
)
MAX_LINES: Final = 2_000


@dataclass(frozen=True, slots=True)
class Blocked:
    """What a command may have been kept from."""

    files: bool = False
    network: bool = False

    def __bool__(self) -> bool:
        """Whether it was anything."""
        return self.files or self.network


def blocked(line: str, output: str, ignored: Mapping[str, tuple[str, ...]]) -> Blocked:
    """Look for signs in a failed command's output.

    Args:
        line: the command line.
        output: what it printed.
        ignored: part of a command line (``*`` any) to parts of the lines that are expected of it.
    """
    expected = [
        part for key, parts in ignored.items() if key == "*" or key in line for part in parts
    ]
    lines = [
        one for one in output.splitlines()[-MAX_LINES:] if not any(part in one for part in expected)
    ]
    return Blocked(
        any(_FILES.search(one) for one in lines), any(_NETWORK.search(one) for one in lines)
    )
