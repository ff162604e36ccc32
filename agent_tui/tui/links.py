"""Links that the terminal opens (OSC 8): made here only, to the web and to files only, always with their target in sight.

A link's target carries a mark that no text from outside can know; the guard behind the screen lets pass only what
carries it, and takes the mark off. So neither a model nor a file can write a link, whatever codes it holds.
"""

from __future__ import annotations

import re
import secrets
import socket
from collections.abc import Callable
from functools import cache
from typing import Literal, TypeAlias
from urllib.parse import quote

from rich.style import Style

from agent_tui.tui.surroundings import Surroundings

Wish: TypeAlias = Literal["auto", "on", "off"]
MAX_TARGET = 2_000
"""Characters of a target; terminals cut longer ones, or drop them."""

_MARK = f"{secrets.token_hex(16)}:"
_SAFE = r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]"
_TARGET = re.compile(rf"(?:https?://(?=[^/@]*[^/@])|file://){_SAFE}+")
_WRITTEN = re.compile(rf"\x1b\]8;(?:id=(?P<id>\d+);{_MARK}(?P<target>{_SAFE}+)|;)\x1b\\")
_BEGIN = "\x1b]8;"


def wanted(wish: Wish | None, around: Surroundings) -> bool:
    """Say whether links are written: as wished, else where the terminal is not known to show their codes as text."""
    if wish in ("on", "off"):
        return wish == "on"
    return (
        around.has_title and around.program not in ("apple", "linux") and around.inside != "screen"
    )


def to_web(style: Style, address: str) -> Style:
    """Make text in this style a link to an address of the web; the style as it is when that is none."""
    target = quote(address, safe="-._~:/?#[]@!$&'()*+,;=%")
    return _linked(style, target) if target.startswith(("http://", "https://")) else style


def to_file(style: Style, path: str) -> Style:
    """Make text in this style a link to a file by its absolute path; the style as it is when it isn't absolute."""
    return _linked(style, f"file://{_host()}{quote(path)}") if path.startswith("/") else style


def _linked(style: Style, target: str) -> Style:
    if len(target) > MAX_TARGET or not _TARGET.fullmatch(target):
        return style
    return style + Style(link=_MARK + target)


@cache
def _host() -> str:
    """Name this machine, so that a terminal on another one does not open its own file of that path."""
    return quote(socket.gethostname())


def pass_links(data: str, guard: Callable[[str], str]) -> str:
    """Guard a write, but let links pass that were made here."""
    if _BEGIN not in data:
        return guard(data)
    out: list[str] = []
    at = 0
    for match in _WRITTEN.finditer(data):
        out.append(guard(data[at : match.start()]))
        target = match["target"]
        out.append(f"{_BEGIN}id={match['id']};{target}\x1b\\" if target else f"{_BEGIN};\x1b\\")
        at = match.end()
    return "".join([*out, guard(data[at:])])
