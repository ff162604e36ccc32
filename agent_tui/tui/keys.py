"""Which key does what: one table per place, and the words the help screen shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agent_tui.tui.editor import Editor

EDITING: Mapping[str, Callable[[Editor], None]] = {
    "left": Editor.left,
    "ctrl+b": Editor.left,
    "right": Editor.right,
    "ctrl+f": Editor.right,
    "ctrl+left": Editor.word_left,
    "alt+left": Editor.word_left,
    "alt+b": Editor.word_left,
    "ctrl+right": Editor.word_right,
    "alt+right": Editor.word_right,
    "alt+f": Editor.word_right,
    "home": Editor.line_start,
    "ctrl+a": Editor.line_start,
    "end": Editor.line_end,
    "ctrl+e": Editor.line_end,
    "backspace": Editor.backspace,
    "shift+backspace": Editor.backspace,
    "ctrl+h": Editor.backspace,
    "delete": Editor.delete,
    "ctrl+d": Editor.delete,
    "ctrl+k": Editor.kill_to_line_end,
    "ctrl+u": Editor.kill_to_line_start,
    "ctrl+w": Editor.kill_word_left,
    "alt+backspace": Editor.kill_word_left,
    "ctrl+backspace": Editor.kill_word_left,
    "alt+d": Editor.kill_word_right,
    "ctrl+delete": Editor.kill_word_right,
    "ctrl+y": Editor.yank,
    "alt+y": Editor.yank_older,
    "ctrl+underscore": Editor.undo,
    "ctrl+slash": Editor.undo,
    "ctrl+minus": Editor.undo,
    "alt+underscore": Editor.redo,
}
"""Keys of every text field. The first ones a terminal without its own names for them sends as another of the table."""

NEW_LINE = frozenset({"shift+enter", "alt+enter", "ctrl+j", "ctrl+enter"})

SCREEN: Mapping[str, str] = {
    "ctrl+c": "interrupt",
    "ctrl+z": "suspend",
    "ctrl+l": "redraw",
    "shift+tab": "cycle_mode",
    "alt+m": "cycle_mode",
    "ctrl+g": "external_editor",
    "ctrl+s": "stash",
    "ctrl+q": "edit_queue",
    "ctrl+o": "detail",
    "ctrl+t": "tasks",
    "pageup": "page_up",
    "pagedown": "page_down",
    "ctrl+home": "scroll_top",
    "ctrl+end": "scroll_bottom",
    "ctrl+up": "walk",
    "alt+up": "walk",
    "shift+up": "line_up",
    "shift+down": "line_down",
}
"""Keys of the main screen, by the name of what ``MainScreen`` does; they work wherever the focus is."""

HELP: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "Prompt",
        (
            ("enter", "send; while a run goes, queue"),
            ("shift+enter  alt+enter  ctrl+j  \\+enter", "new line"),
            ("@", "name a file"),
            ("/", "commands"),
            ("tab", "take the completion"),
            ("up  down", "history, at the first and last row"),
            ("ctrl+r", "search the history; again: older; ctrl+s: scope"),
            ("ctrl+s", "put the draft aside, and get it back"),
            ("ctrl+g", "write in your own editor"),
            ("esc esc", "clear"),
        ),
    ),
    (
        "Run",
        (
            ("esc", "stop"),
            ("ctrl+c", "stop; then clear; twice: leave"),
            ("shift+tab", "next permission mode"),
            ("ctrl+q", "edit the queue"),
            ("ctrl+o", "detail of everything"),
            ("ctrl+t", "tasks: what is to be done, what runs in the background"),
        ),
    ),
    (
        "Question",
        (
            ("y  a  s", "yes: once; always; for this session. A dangerous call takes enter, too"),
            (
                "left  right",
                "how long: this session, this task, some calls or minutes; digits: how many",
            ),
            ("tab", "at Yes: say something with it; else: the rule that always stores, and where"),
            ("e  h", "change it first; take single hunks out"),
            ("n  esc", "no, and say why; no, and stop"),
            ("f", "full screen"),
        ),
    ),
    (
        "Screen",
        (
            ("pageup  pagedown", "scroll; with ctrl+home, ctrl+end to either end"),
            ("ctrl+up", "walk through the conversation: up, down, enter unfolds, y copies"),
            ("shift+up  shift+down", "scroll by a row"),
            ("ctrl+l", "redraw"),
            ("ctrl+z", "suspend"),
            ("ctrl+d", "leave, when nothing is typed"),
            ("?", "this help, when nothing is typed"),
        ),
    ),
    (
        "Line editing",
        (
            ("ctrl+a  ctrl+e", "start, end of the line"),
            ("alt+b  alt+f", "word back, word on"),
            ("ctrl+k  ctrl+u", "cut to the end, to the start"),
            ("ctrl+w  alt+d", "cut the word before, behind"),
            ("ctrl+y  alt+y", "put back what was cut; what was cut before"),
            ("ctrl+_", "undo"),
        ),
    ),
)
"""Sections of the help screen: keys and what they do."""
