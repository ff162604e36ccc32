"""Scripts of ``sed`` that only print, delete and replace."""

from __future__ import annotations

import re

from agent_tui.permissions.shell.options import Sorted
from agent_tui.permissions.shell.words import Word

_SED_ADDRESS = r"(?:\d+|\$|/[^/\n]*/|\d+~\d+)?(?:,(?:\+?\d+|\$|/[^/\n]*/))?!?"
_SED_ONE = re.compile(
    rf"\s*{_SED_ADDRESS}\s*"
    r"(?:[pdqPDnNgGhHx=]\d*|s([/|#,:@!])(?:(?!\1)[^\n\\]|\\.)*\1(?:(?!\1)[^\n\\]|\\.)*\1[gpiI0-9]*)?\s*"
)
_SED_SPLIT = re.compile(r"[;\n]")


def sed_script_is_plain(script: Word | None) -> bool:
    """Tell whether a sed script only prints, deletes and replaces: no ``w``, ``e``, ``r``, files or commands."""
    text = None if script is None else script.value
    if text is None:
        return False
    if _SED_ONE.fullmatch(text):
        return True
    return all(_SED_ONE.fullmatch(piece) for piece in _SED_SPLIT.split(text))


def sed_scripts(found: Sorted) -> tuple[Word, ...]:
    """Give the scripts of a sed call."""
    given = tuple(word for name, word in found.values if name in ("e", "expression"))
    return given or found.rest[:1]
