"""Decides when the permission panel opens and when its keys count, so that typing is never disturbed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import events
from textual.timer import Timer

from agent_tui.link.base import Link
from agent_tui.protocol.queries import Data, WouldAllow
from agent_tui.protocol.requests import PermissionRequest
from agent_tui.tui.panels.pace import Pace
from agent_tui.tui.panels.panel import Panel
from agent_tui.tui.panels.panels import Panels
from agent_tui.tui.panes.field import typed_text
from agent_tui.tui.panes.prompt import Prompt

_ALWAYS = frozenset({"ctrl+c", "ctrl+z", "ctrl+l", "pageup", "pagedown"})
_EDITS = frozenset({"backspace", "delete", "left", "right", "home", "end", "ctrl+j", "shift+enter", "alt+enter"})  # fmt: skip


async def judge_rules(link: Link, typed: Panel.RulesTyped) -> None:
    """Ask the engine what rules that are typed would do, and tell the panel."""
    reply = await link.ask(WouldAllow(typed.request_id, typed.rules))
    if isinstance(reply, Data):
        why = str(reply.data.get("why") or "")
        typed.panel.rules_judged(typed, reply.data.get("allows") is True, why)


class Asking:
    """Between the open requests, the panels and the prompt. ``check`` may be called at any time.

    ``later`` runs a function after some seconds; ``moved`` is told when the keyboard changes hands; ``active`` tells
    whether the screen is the one that is seen.
    """

    def __init__(
        self,
        panels: Panels,
        prompt: Prompt,
        now: Callable[[], float],
        later: Callable[[float, Callable[[], None]], Timer],
        moved: Callable[[], None],
        active: Callable[[], bool],
    ) -> None:
        self.pace = Pace()
        self._panels = panels
        self._prompt = prompt
        self._now = now
        self._later = later
        self._moved = moved
        self._active = active
        self._requests: tuple[PermissionRequest, ...] = ()
        self._timer: Timer | None = None
        self._held = False
        for panel in panels:
            panel.pressed = self._pressed

    @property
    def _panel(self) -> Panel:
        return self._panels.current

    @property
    def waiting(self) -> bool:
        """Whether a question is open that is not shown yet."""
        return bool(self._requests) and self._panel.request is None

    @property
    def has_keyboard(self) -> bool:
        """Whether keys go to the panel."""
        return self._panel.request is not None and self._panel.armed and not self._held

    def update(self, requests: Sequence[PermissionRequest]) -> None:
        """Take the open requests, oldest first."""
        self._requests = tuple(requests)
        shown = self._panel.request
        if shown is not None and shown.id not in [r.id for r in requests]:
            if self._requests:
                self._show(self._requests[0])
            else:
                self._close()
        self.check()

    def check(self) -> None:
        """Open the panel, or let its keys count, when the time has come; else look again when it will have."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if not self._requests or self._held or not self._active():
            return
        now = self._now()
        if self._panel.request is None:
            wait = self.pace.until_open(now)
            if wait > 0:
                self._timer = self._later(wait, self.check)
                return
            self._show(self._requests[0])
        self._place()
        if not self._panel.armed:
            wait = self.pace.until_armed(now)
            if wait > 0:
                self._timer = self._later(wait, self.check)
                return
            self._panel.arm()
            self._prompt.quiet = True
            self._prompt.refresh()
            self._moved()

    def typed(self) -> None:
        """The draft has changed, by a paste too: a question that has the keyboard gives it back until there is a pause."""
        self.pace.key(self._now())
        if self._panel.request is not None and self._panel.armed:
            self._panel.armed = False
            self._panel.redraw()
            self._prompt.quiet = False
            self._prompt.focus(scroll_visible=False)
            self._moved()
        self.check()

    def _pressed(self) -> None:
        self.pace.pressed(self._now())
        self.check()

    def hold(self) -> None:
        """The person clicked into the editor: it keeps the keyboard until ``release``."""
        if self._panel.request is not None:
            self._held = True
            self._panel.armed = False
            self._panel.redraw()
            self._prompt.quiet = False
            self._moved()

    def release(self) -> None:
        """Give the keyboard back to the panel, after the usual grace."""
        self._held = False
        if self._panel.request is not None:
            self._panel.armed = False
            self._panel.redraw()
            self.pace.open(self._now())
        self.check()

    def prompt_key(self, event: events.Key) -> bool:
        """Note a key for the prompt; tell whether it must be dropped.

        Dropped are keys that are no typing while a question is visible and does not take keys yet, and Enter while one
        waits for a pause: it may have been meant for either, and the draft must stay.
        """
        self.pace.key(self._now())
        if event.key in _ALWAYS:
            return False
        if self._panel.request is None:
            return self.waiting and event.key == "enter"
        if self._held:
            if event.key in ("tab", "escape"):
                self.release()
                return True
            return False
        self.check()
        return not (typed_text(event) or event.key in _EDITS)

    def _show(self, request: PermissionRequest) -> None:
        self._panels.show(request)
        self.pace.open(self._now())
        self._place()
        self._moved()

    def _close(self) -> None:
        self._panel.close()
        self.pace.close()
        self._held = False
        self._prompt.quiet = False
        self._prompt.focus(scroll_visible=False)
        self._moved()

    def _place(self) -> None:
        ids = [request.id for request in self._requests]
        shown = self._panel.request
        if shown is not None and shown.id in ids:
            self._panel.place(ids.index(shown.id) + 1, len(ids))
