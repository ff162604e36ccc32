"""Which tools, triggers or names a group of hooks is for (reference/hooks.md, section 2).

Nothing, ``""`` and ``*`` mean all. Only letters, digits, ``_``, ``-``, space, ``,`` and ``|``: names, compared whole.
Anything else is a regular expression, found anywhere in the name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAMES = re.compile(r"[A-Za-z0-9_\-,| ]*")


@dataclass(frozen=True, slots=True)
class Matcher:
    """A matcher, read. Without names and pattern it fits all."""

    names: frozenset[str] | None = None
    pattern: re.Pattern[str] | None = None

    def fits(self, *names: str) -> bool:
        """Tell whether it is for something that goes by these names."""
        if self.names is not None:
            return not self.names.isdisjoint(names)
        return self.pattern is None or any(self.pattern.search(name) for name in names)


ALL = Matcher()


def read_matcher(text: str | None, *, bars_only: bool = False) -> Matcher:
    """Read a matcher.

    Args:
        text: as it stands in the settings.
        bars_only: only ``|`` parts names.

    Raises:
        ValueError: it is no regular expression; the text says why.
    """
    if text is None or text.strip() in ("", "*"):
        return ALL
    if _NAMES.fullmatch(text):
        parts = re.split(r"\|" if bars_only else r"[,|]", text)
        return Matcher(names=frozenset(part.strip() for part in parts if part.strip()))
    try:
        return Matcher(pattern=re.compile(text))
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"the matcher {text!r} is no regular expression: {error}") from error
