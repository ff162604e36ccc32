"""Vim's keys over an ``Editor``: normal, insert and visual mode. Pure: knows no widgets and draws nothing.

While it inserts, every key but Esc is the field's own business.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from agent_tui.tui.editor import Editor
from agent_tui.tui.vim_changes import Changes
from agent_tui.tui.vim_keys import OPERATORS, Command, parse
from agent_tui.tui.vim_motions import (
    COUNT_IS_PLACE,
    MOTIONS,
    Kind,
    Reach,
    find,
    line_end,
    line_start,
    lines_around,
    text_object,
)

Mode: TypeAlias = Literal["insert", "normal", "visual", "visual lines"]
Took: TypeAlias = Literal["pass", "done", "submit", "older", "newer", "search"]
"""What is left to do for the field: the key is its own; nothing; send; recall a prompt; search for one."""

KEYS = {"backspace": "h", "left": "h", "right": "l", "up": "k", "down": "j", "space": "l", "home": "0", "end": "$", "delete": "x"}  # fmt: skip
"""Keys without a character of their own that mean a command."""


@dataclass(frozen=True, slots=True)
class _Done:
    """A change that can be done again: the command, and what was typed after it."""

    command: Command
    typed: str = ""
    span: Reach | None = None


@dataclass(frozen=True, slots=True)
class _Inserting:
    """An insertion that goes on: the change it belongs to, the text when it began, and where."""

    done: _Done
    before: str
    at: int


class Vim:
    """One for an editor.

    Attributes:
        mode: which keys mean what.
        pending: what was typed of a command that isn't whole yet.
    """

    def __init__(self, editor: Editor) -> None:
        self.mode: Mode = "insert"
        self.pending = ""
        self._editor = editor
        self._anchor = 0
        self._found: tuple[str, str] | None = None
        self._column: int | None = None
        self._changes = Changes(editor)
        self._inserting: _Inserting | None = None
        self._last: _Done | None = None

    @property
    def selection(self) -> tuple[int, int] | None:
        """What is selected, from and up to; None outside of visual mode."""
        editor = self._editor
        if self.mode not in ("visual", "visual lines"):
            return None
        first, last = sorted((min(self._anchor, len(editor.text)), editor.cursor))
        if self.mode == "visual lines":
            return line_start(editor.text, first), line_end(editor.text, last)
        return first, editor.after(last) if last < len(editor.text) else last

    def insert(self) -> None:
        """Go to insert mode: a new text is to be written."""
        self._end_insert()
        self.mode, self.pending = "insert", ""

    def take(self, key: str, char: str) -> Took:
        """Take a key; ``char`` is what it types, empty for none."""
        if self.mode == "insert":
            if key != "escape":
                return "pass"
            self._to_normal()
            return "done"
        if key == "escape":
            if self.mode == "normal" and not self.pending:
                return "pass"
            self._to_normal(back=False)
            return "done"
        if self.pending[-1:] not in ("f", "F", "t", "T", "r"):
            if key == "enter":
                return "submit"
            if key == "ctrl+r":
                self._editor.redo()
                self._settle()
                return "done"
            char = KEYS.get(key, char)
        if not char:
            return "pass"
        return self._typed(char)

    def _typed(self, char: str) -> Took:
        visual = self.mode != "normal"
        command = parse(self.pending + char, visual=visual)
        if command == "more":
            self.pending += char
            return "done"
        self.pending = ""
        if command is None:
            return "done"
        took = self._visual(command) if visual else self._normal(command)
        if command.name not in ("j", "k"):
            self._column = None
        self._settle()
        return took

    def _settle(self) -> None:
        """In normal mode the cursor stands on a character, not behind the last one of a line."""
        editor = self._editor
        if self.mode == "normal":
            text, at = editor.text, min(editor.cursor, len(editor.text))
            if at == line_end(text, at) and at > line_start(text, at):
                at = editor.before(at)
            if at != editor.cursor:
                editor.cursor = at

    # -- modes ---------------------------------------------------------------------------------

    def _to_normal(self, *, back: bool = True) -> None:
        editor = self._editor
        self._end_insert()
        if (
            self.mode == "insert"
            and back
            and editor.cursor > line_start(editor.text, editor.cursor)
        ):
            editor.move_to(editor.before(editor.cursor))
        self.mode, self.pending = "normal", ""
        self._settle()

    def _begin_insert(self, done: _Done) -> None:
        editor = self._editor
        editor.begin_group()
        self.mode = "insert"
        self._inserting = _Inserting(done, editor.text, editor.cursor)

    def _end_insert(self) -> None:
        begun, self._inserting = self._inserting, None
        if begun is not None:
            typed = _inserted(begun.before, self._editor.text, begun.at)
            self._last = replace(begun.done, typed=typed)
            self._editor.end_group()

    # -- normal mode ---------------------------------------------------------------------------

    def _normal(self, command: Command) -> Took:
        name = command.name
        if name in ("j", "k") and not command.operator:
            return self._row(command)
        if name == "/":
            return "search"
        if name == "u":
            for _ in range(command.count or 1):
                self._editor.undo()
        elif name == ".":
            self._again(command.count)
        elif name in ("v", "V"):
            self.mode = "visual" if name == "v" else "visual lines"
            self._anchor = self._editor.cursor
        elif command.operator or name in self._changes.simple:
            self._change(_Done(command))
        else:
            self._move(command)
        return "done"

    def _row(self, command: Command) -> Took:
        """Go up or down by lines; beyond the first and the last one the history goes on."""
        by = -1 if command.name == "k" else 1
        target = self._lines_away(by * (command.count or 1))
        if target is None:
            return "older" if by < 0 else "newer"
        self._editor.move_to(target)
        return "done"

    def _lines_away(self, by: int) -> int | None:
        editor = self._editor
        text, at = editor.text, editor.cursor
        column = at - line_start(text, at) if self._column is None else self._column
        start = line_start(text, at)
        for _ in range(abs(by)):
            if (by < 0 and start == 0) or (by > 0 and line_end(text, start) == len(text)):
                return None
            start = line_start(text, start - 1) if by < 0 else line_end(text, start) + 1
        self._column = column
        return min(start + column, line_end(text, start))

    def _move(self, command: Command) -> None:
        target = self._target(command)
        if target is not None:
            self._editor.move_to(target[0])

    def _target(self, command: Command) -> tuple[int, Kind] | None:
        """Give where a motion leads, and its kind."""
        editor, name, count = self._editor, command.name, command.count
        text, at = editor.text, editor.cursor
        if name in MOTIONS:
            kind, go = MOTIONS[name]
            place = go(text, at, count if name in COUNT_IS_PLACE else count or 1)
            return None if place is None else (place, kind)
        match name:
            case "h" | "l":
                return self._changes.sideways(
                    -(count or 1) if name == "h" else count or 1
                ), "exclusive"
            case "j" | "k":
                place = self._lines_away(-(count or 1) if name == "k" else count or 1)
                return None if place is None else (place, "lines")
            case "f" | "F" | "t" | "T":
                self._found = (name, command.char)
                place = find(text, at, count or 1, name, command.char)
            case _:
                if self._found is None:
                    return None
                how, char = self._found
                how = how.swapcase() if name == "," else how
                name = how
                place = find(text, at, count or 1, how, char, again=True)
        if place is None:
            return None
        return place, "inclusive" if name in ("f", "t") else "exclusive"

    # -- changes -------------------------------------------------------------------------------

    def _change(self, done: _Done) -> None:
        """Do a change; one that ends in insert mode is finished by Esc."""
        command, editor = done.command, self._editor
        self._last = done if command.operator != "y" else self._last
        if command.operator:
            reach = self._reach(command)
            if reach is not None:
                self._operate(done, reach)
            return
        editor.begin_group()
        if self._changes.simple[command.name](command):
            self._begin_insert(done)
        else:
            editor.end_group()

    def _operate(self, done: _Done, reach: Reach) -> None:
        if self._changes.operate(done.command.operator, reach):
            self._begin_insert(done)

    def _again(self, count: int) -> None:
        """Do the last change again, with what was typed in it."""
        last = self._last
        if last is None:
            return
        if count:
            last = replace(last, command=replace(last.command, count=count))
        editor = self._editor
        if last.span is not None:
            self._operate(last, self._as_large(last.span))
        else:
            self._change(last)
        if self._inserting is not None:
            editor.replace_range(editor.cursor, editor.cursor, last.typed)
            self._to_normal()
        self._last = last

    def _as_large(self, span: Reach) -> Reach:
        """Give as much from the cursor on as was selected when the change was done."""
        text, at = self._editor.text, self._editor.cursor
        if span.lines:
            return lines_around(text, at, span.end)
        return Reach(at, min(at + span.end, len(text)))

    def _reach(self, command: Command) -> Reach | None:
        """Say what an operator works on."""
        editor = self._editor
        text, at = editor.text, editor.cursor
        if command.name == command.operator * 2:
            return lines_around(text, at, command.count or 1)
        if command.object:
            return text_object(text, at, command.object == "a", command.name)
        if command.operator == "c" and command.name in ("w", "W") and text[at : at + 1].strip():
            # changing to the next word stops where this one ends, also when it is one character long
            _kind, end = MOTIONS["e" if command.name == "w" else "E"]
            return Reach(at, editor.after(end(text, at - 1, command.count or 1) or at))
        target = self._target(command)
        if target is None:
            return None
        place, kind = target
        first, last = sorted((at, place))
        if kind == "lines":
            return Reach(line_start(text, first), line_end(text, last), lines=True)
        if kind == "inclusive":
            last = editor.after(last) if last < line_end(text, last) else last
        elif command.name in ("w", "W") and "\n" in text[first:last]:
            # the last word of a line ends with its line
            broken = text[first:last].rstrip()
            last = max(first + len(broken), min(line_end(text, first), last))
        return Reach(first, last)

    # -- visual mode ---------------------------------------------------------------------------

    def _visual(self, command: Command) -> Took:
        editor, name = self._editor, command.name
        if command.object:
            reach = text_object(editor.text, editor.cursor, command.object == "a", name)
            if reach is not None and reach.end > reach.start:
                self._anchor = reach.start
                editor.move_to(editor.before(reach.end))
                self.mode = "visual lines" if reach.lines else self.mode
        elif name == "o":
            self._anchor, at = editor.cursor, self._anchor
            editor.move_to(at)
        elif name in ("v", "V"):
            wanted: Mode = "visual" if name == "v" else "visual lines"
            self.mode = "normal" if self.mode == wanted else wanted
        elif name in ("j", "k"):
            target = self._lines_away((command.count or 1) * (1 if name == "j" else -1))
            if target is not None:
                editor.move_to(target)
        elif name == "r" or name in _VISUAL_CHANGES or name in OPERATORS:
            self._change_selected(command)
        else:
            self._move(command)
        return "done"

    def _change_selected(self, command: Command) -> None:
        editor, selected = self._editor, self.selection
        assert selected is not None
        name = command.name
        lines = self.mode == "visual lines" or name in "XSCDY"
        start, end = selected
        if lines:
            start, end = line_start(editor.text, start), line_end(editor.text, max(end - 1, start))
        reach = Reach(start, end, lines=lines)
        self.mode = "normal"
        editor.move_to(start)
        if name in "pP":
            self._changes.put_over(reach)
        elif name in "~uUr":
            done = {"~": str.swapcase, "u": str.lower, "U": str.upper}
            text = editor.text[start:end]
            changed = done[name](text) if name in done else _all(text, command.char)
            editor.replace_range(start, end, changed)
            editor.move_to(start)
        elif name == "J":
            self._changes.join(Command("J", count=editor.text.count("\n", start, end) + 1))
        else:
            operator = {"x": "d", "X": "d", "D": "d", "s": "c", "S": "c", "C": "c", "Y": "y"}.get(
                name, name
            )
            size = editor.text.count("\n", start, end) + 1 if lines else end - start
            done_ = _Done(Command(name, operator), span=Reach(0, size, lines=lines))
            self._operate(done_, reach)
            self._last = done_ if operator != "y" and self._inserting is None else self._last


_VISUAL_CHANGES = frozenset("dxXycsSCDY><~pPJuUr")


def _inserted(before: str, after: str, at: int) -> str:
    """Give what was typed at a place; empty when more than that has changed."""
    behind = len(before) - at
    if after[:at] == before[:at] and (not behind or after[-behind:] == before[at:]):
        return after[at : len(after) - behind]
    return ""


def _all(text: str, char: str) -> str:
    return "".join(old if old == "\n" else char for old in text)
