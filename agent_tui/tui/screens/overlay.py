"""A screen over another one that is there for one answer."""

from __future__ import annotations

from textual.screen import Screen, ScreenResultType


class Overlay(Screen[ScreenResultType], inherit_bindings=False):
    """Goes with its first answer: keys that were pressed before it was gone give no second one."""

    _answered = False

    def answer(self, result: ScreenResultType | None = None) -> None:
        """Go, and hand ``result`` to whoever showed the screen."""
        if not self._answered:
            self._answered = True
            self.dismiss(result)
