"""Whether tools are deferred: known to the model by name only until it asks for them with ToolSearch.

The API calls that ``defer_loading``. Other servers seldom know it, so behind a foreign address it is off unless the
person says that it works there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent_tui.settings.paths import Environment

VARIABLE = "ENABLE_TOOL_SEARCH"
AUTO_PERCENT = 10
"""With ``auto``, tools are deferred once their definitions take this share of the window."""

_WITHOUT = re.compile(r"claude-(haiku-4|3)-")
"""Models that can't load deferred tools."""


@dataclass(frozen=True, slots=True)
class Deferral:
    """What the person and the server say of it.

    Attributes:
        enabled: whether tools may be deferred at all.
        asserted: the person said so: also models we don't know are taken to be able to.
        percent: deferred only if the definitions take this share of the model's window.
    """

    enabled: bool = False
    asserted: bool = False
    percent: int = 0

    @classmethod
    def of(cls, env: Environment, *, own_server: bool) -> Deferral:
        """Read ``ENABLE_TOOL_SEARCH``: ``true``, ``false``, ``auto`` or ``auto:N``; unset is ``true`` on the API's own server."""
        word = env.get(VARIABLE).strip().lower()
        if found := re.fullmatch(r"auto(?::(\d{1,3})%?)?", word):
            return cls(own_server, False, min(int(found[1] or AUTO_PERCENT), 100))
        if word in ("1", "true", "yes", "on"):
            return cls(True, True)
        return cls(own_server and word not in ("0", "false", "no", "off"))

    def works_with(self, known_model: str | None) -> bool:
        """Whether a model (its id without a date, None if we don't know it) can be told names only."""
        if known_model is None:
            return self.asserted
        return self.enabled and not _WITHOUT.match(known_model)

    def worth(self, tokens: int, window: int) -> bool:
        """Whether definitions of so many tokens are too many for a window of so many."""
        return tokens * 100 >= window * self.percent
