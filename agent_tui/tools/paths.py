r"""Paths between the model and the system.

A name whose bytes are not UTF-8 holds lone surrogates in Python and can't be sent; it is shown with ``\xHH`` for each
such byte, and what is shown can be given back. The translation is pure, so that the path permissions judge is the
path that is opened.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from agent_tui.tools.base import InvalidInputError

_BYTE = re.compile(r"\\x([89a-fA-F][0-9a-fA-F])")


def absolute(path: str, cwd: Path) -> str:
    r"""Turn a path as the model gave it into an absolute one, not resolved. ``\xff`` stands for that byte.

    Only bytes above 127 can be written so: no ASCII name can be spelled in a way that a rule would not see.
    """
    raw = _BYTE.sub(lambda match: chr(0xDC00 + int(match[1], 16)), path)
    # Bytes that do make up a character are that character, so that a path has one spelling only.
    return os.path.join(cwd, os.fsdecode(os.fsencode(raw)))  # noqa: PTH118 - Path would drop a trailing slash


def shown(path: str) -> str:
    """Give a path as text that can be sent anywhere."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def relative(path: str, cwd: Path) -> str:
    """Give a path for people: relative where it is below ``cwd``."""
    below = Path(path)
    return shown(str(below.relative_to(cwd)) if below.is_relative_to(cwd) else path)


def checked(path: str, field: str) -> str:
    """Refuse a path that can't be meant.

    Raises:
        InvalidInputError: it is empty, holds NUL, or begins with an unexpanded ``~``.
    """
    if not path.strip():
        raise InvalidInputError(f"`{field}` is empty: give a path.")
    if "\0" in path:
        raise InvalidInputError(f"`{field}` holds a NUL character, which no path can.")
    if path == "~" or path.startswith("~/"):
        raise InvalidInputError(f"`{field}`: `~` is not expanded here, give the absolute path.")
    return path
