"""What keys do on the main screen, wherever the focus is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from textual import events

from agent_tui.protocol import ops

if TYPE_CHECKING:
    from agent_tui.tui.screens.main import MainScreen

LEAVE_WITHIN = 2.0
"""A second Ctrl+C within so many seconds leaves."""
CLEAR_WITHIN = 0.7
"""A second Esc within so many seconds clears the editor."""


class Pressing:
    """Gets the keys that no pane took."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._pressed: tuple[str, float] = ("", -1e9)

    def take(self, event: events.Key) -> None:
        """Do what the key means; what means nothing here is typed into the editor."""
        screen, key = self._screen, event.key
        action = screen.backstage.look.habits.keys.action(key, "screen")
        if action:
            event.stop()
            event.prevent_default()
            ACTIONS[action](self, screen)
        elif key == "escape":
            event.stop()
            if screen.focused is screen.conversation:
                screen.focus_prompt()
            else:
                self.escape()
        elif screen.focused is screen.prompt:
            self._empty_prompt_key(key)
        elif screen.asking.has_keyboard:
            event.stop()  # the focus went astray: bring it back, the key itself answers nothing
            screen.panel.take_focus()
        elif event.character or key in ("backspace", "enter"):
            event.stop()
            screen.focus_prompt()
            if not screen.asking.prompt_key(event):
                screen.prompt.take_key(event)

    def do(self, action: str) -> None:
        """Do an action that was chosen by name."""
        {**ACTIONS, **MORE}[action](self, self._screen)

    def escape(self) -> None:
        """Stop the run; with nothing running, twice clears the editor."""
        screen = self._screen
        if screen.pump.status.busy:
            screen.link.send(ops.Interrupt())
        elif screen.prompt.editor.text:
            if self._again("escape", CLEAR_WITHIN):
                screen.prompt.clear()
            else:
                screen.say_hint("esc again to clear")
        elif screen.pump.transcript.blocks and not screen.asking.has_keyboard:
            if self._again("escape", CLEAR_WITHIN):
                screen.doing.show_rewind()
            else:
                screen.say_hint("esc again to go back to an earlier prompt")

    def interrupt(self) -> None:
        """Ctrl+C: copy what is selected; else stop the run, else clear; a second time leave."""
        screen = self._screen
        selected = screen.get_selected_text()
        if selected:
            screen.doing.copy(selected)
            screen.clear_selection()
        elif self._again("ctrl+c", LEAVE_WITHIN):
            screen.doing.leave()
        elif screen.pump.status.busy:
            screen.link.send(ops.Interrupt())
            screen.say_hint("stopping; ctrl+c again to leave")
        else:
            screen.prompt.clear()
            screen.say_hint("ctrl+c again to leave")

    def cycle_mode(self) -> None:
        """Ask for the next permission mode."""
        session = self._screen.pump.status.session
        if session is not None and session.modes:
            modes = session.modes
            at = modes.index(session.mode) if session.mode in modes else -1
            self._screen.link.send(ops.SetMode(modes[(at + 1) % len(modes)]))

    def walk(self) -> None:
        """Give the keyboard to the conversation: its cursor goes from block to block."""
        screen = self._screen
        if not screen.asking.has_keyboard:
            screen.set_focus(screen.conversation, scroll_visible=False)
            screen.conversation.move_cursor(-1)
            screen.say_hint("")
            screen.update_rule()

    def _empty_prompt_key(self, key: str) -> None:
        screen = self._screen
        match screen.backstage.look.habits.keys.action(key, "empty"):
            case "empty:help":
                screen.doing.show_help()
            case "empty:leave":
                screen.doing.leave()
            case "empty:find":
                screen.searching.begin()
            case "empty:top":
                screen.conversation.scroll_to_top()
            case "empty:bottom":
                screen.conversation.follow()
            case _:
                pass

    def _again(self, key: str, within: float) -> bool:
        now = self._screen.backstage.now()
        last, self._pressed = self._pressed, (key, now)
        return last[0] == key and now - last[1] <= within


ACTIONS: Mapping[str, Callable[[Pressing, MainScreen], None]] = {
    "screen:interrupt": lambda keys, _: keys.interrupt(),
    "screen:cycleMode": lambda keys, _: keys.cycle_mode(),
    "screen:walk": lambda keys, _: keys.walk(),
    "screen:find": lambda _, screen: screen.searching.begin(),
    "screen:suspend": lambda _, screen: screen.doing.suspend(),
    "screen:redraw": lambda _, screen: screen.doing.redraw(),
    "screen:externalEditor": lambda _, screen: screen.doing.edit_outside(screen.prompt),
    "screen:stash": lambda _, screen: screen.stash(),
    "screen:editQueue": lambda _, screen: screen.edit_queue(),
    "screen:tasks": lambda _, screen: screen.doing.show_tasks(),
    "screen:palette": lambda _, screen: screen.doing.visits.palette(),
    "screen:detail": lambda _, screen: screen.conversation.toggle_detail(),
    "screen:pageUp": lambda _, screen: screen.conversation.page(-1),
    "screen:pageDown": lambda _, screen: screen.conversation.page(1),
    "screen:top": lambda _, screen: screen.conversation.scroll_to_top(),
    "screen:bottom": lambda _, screen: screen.conversation.follow(),
    "screen:rowUp": lambda _, screen: screen.conversation.scroll_rows(-1),
    "screen:rowDown": lambda _, screen: screen.conversation.scroll_rows(1),
}
"""What is done for each action of the screen."""

MORE: Mapping[str, Callable[[Pressing, MainScreen], None]] = {
    "empty:help": lambda _, screen: screen.doing.show_help(),
    "empty:leave": lambda _, screen: screen.doing.leave(),
}
"""What is done for further actions, whether or not something is typed, where they are chosen by name."""

PALETTE: tuple[str, ...] = (*(name for name in ACTIONS if name != "screen:palette"), *MORE)
"""The actions that can be chosen by name."""
