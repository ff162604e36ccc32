"""What the rule over the editor says of the main screen's state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_tui.protocol.messages import PermissionMode
from agent_tui.tui.panes.queue import Hints, Queue
from agent_tui.tui.theme import TextRole

if TYPE_CHECKING:
    from agent_tui.tui.screens.main import MainScreen

Words = list[tuple[str, TextRole]]
SCOPES = {"project": "this project", "session": "this session", "all": "all projects"}


def rule_words(screen: MainScreen) -> tuple[PermissionMode, Words, Words, Hints]:
    """Give the mode, the words at the left and at the right, and the keys worth naming now."""
    status = screen.pump.status
    keys = screen.backstage.look.habits.keys
    words: Words = []
    if screen.prompt.vim_mode:
        words.append((screen.prompt.vim_mode, "muted"))
    count = len(screen.queue.items)
    if count:
        early = screen.early and not status.queue
        words.append((f"{count} waiting for the engine" if early else f"{count} queued", "muted"))
    if screen.prompt.searching:
        words.append((f"history of {SCOPES[screen.prompt.searching]}", "muted"))
    if screen.prompt.is_shell_line:
        words.append(("shell line: runs at once, unasked", "accent"))
    if screen.asking.waiting:
        words.append(("a question waits until you pause", "warning"))
    if status.unsaved:
        words.append((f"not saved: {status.unsaved}", "warning"))
    if screen.aside:
        words.append((f"{len(screen.aside)} put aside, {keys.label('screen:stash')}", "muted"))
    right: Words = []
    if screen.hint:
        right.append((screen.hint, "muted"))
    elif screen.asking.has_keyboard and screen.prompt.editor.text:
        right.append(("draft kept", "muted"))
    hints: Hints = screen.searching.hints
    if hints:
        right = []
    elif screen.queue.has_focus:
        hints = Queue.HINTS
    elif screen.prompt.at_fold and screen.prompt.has_focus and not right:
        hints = ((keys.label("chip:unfold"), "show the whole paste"),)
    elif status.queue and not right:
        hints = ((keys.label("screen:editQueue"), "edit, reorder, send now"),)
    return status.session.mode if status.session else "default", words, right, hints
