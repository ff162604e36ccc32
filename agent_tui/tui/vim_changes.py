"""What Vim's keys change in a text: operators, and the commands that are none."""

from __future__ import annotations

from collections.abc import Callable

from agent_tui.tui.editor import Editor
from agent_tui.tui.typed_rows import clusters
from agent_tui.tui.vim_keys import Command
from agent_tui.tui.vim_motions import Reach, first_word, line_end, line_start

INDENT = "  "


class Changes:
    """Changes an editor's text, and keeps what was cut or copied last.

    ``simple`` are the commands without an operator; each tells whether insert mode follows.
    """

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self._register: tuple[str, bool] = ("", False)
        self._cut = ""
        self.simple: dict[str, Callable[[Command], bool]] = {
            **dict.fromkeys("iaIAoO", self._open),
            **dict.fromkeys("pP", self._put),
            "J": self.join,
            "~": self._swap_case,
            "r": self._replace_chars,
        }

    def sideways(self, by: int) -> int:
        """Give the place so many characters away, in the line."""
        editor = self.editor
        at = editor.cursor
        start, end = line_start(editor.text, at), line_end(editor.text, at)
        for _ in range(abs(by)):
            if at == (start if by < 0 else end):
                break
            at = editor.before(at) if by < 0 else editor.after(at)
        return at

    def operate(self, operator: str, reach: Reach) -> bool:
        """Delete, change, copy or shift; tell whether insert mode follows, in a group that is open then."""
        editor = self.editor
        text = editor.text
        if operator in "<>":
            self._indent(reach, 1 if operator == ">" else -1)
            return False
        self._keep(text[reach.start : reach.end], lines=reach.lines)
        if operator == "y":
            if not reach.lines or reach.start < line_start(text, editor.cursor):
                editor.move_to(reach.start)
            return False
        editor.begin_group()
        if operator == "c":
            start = first_word(text, reach.start) if reach.lines else reach.start
            editor.replace_range(min(start, reach.end), reach.end, "")
            return True
        start, end = reach.start, reach.end
        if reach.lines and end < len(text):
            end += 1
        elif reach.lines and start:
            start -= 1
        editor.replace_range(start, end, "")
        if reach.lines:
            editor.move_to(first_word(editor.text, editor.cursor))
            if start < reach.start:
                editor.move_to(first_word(editor.text, len(editor.text)))
        editor.end_group()
        return False

    def _keep(self, text: str, *, lines: bool) -> None:
        """Keep what was cut or copied, here and in the ring that the other keys use."""
        self._register = (text, lines)
        self._cut = self.editor.plain(text)
        self.editor.kills.push(self._cut, None)

    def _indent(self, reach: Reach, way: int) -> None:
        editor = self.editor
        start, end = line_start(editor.text, reach.start), line_end(editor.text, reach.end)
        lines = editor.text[start:end].split("\n")
        if way > 0:
            lines = [INDENT + line if line else line for line in lines]
        else:
            lines = [line[min(len(line) - len(line.lstrip()), len(INDENT)) :] for line in lines]
        editor.replace_range(start, end, "\n".join(lines))
        editor.move_to(first_word(editor.text, start))

    def _put(self, command: Command) -> bool:
        """``p`` and ``P``: what was cut last, by these keys or by others."""
        editor = self.editor
        newest = editor.kills.current()
        text, lines = self._register if newest == self._cut else (newest, False)
        behind = command.name == "p"
        if not text:
            return False
        text = "\n".join([text] * (command.count or 1)) if lines else text * (command.count or 1)
        at = editor.cursor
        if lines:
            at = line_end(editor.text, at) if behind else line_start(editor.text, at)
            editor.replace_range(at, at, f"\n{text}" if behind else f"{text}\n")
            editor.move_to(first_word(editor.text, at + behind))
            return False
        if behind and at < line_end(editor.text, at):
            at = editor.after(at)
        editor.replace_range(at, at, text)
        editor.move_to(at if "\n" in text else editor.before(editor.cursor))
        return False

    def put_over(self, reach: Reach) -> None:
        """Put what was cut last in the place of what is selected, which is kept in its stead."""
        editor = self.editor
        newest = editor.kills.current()
        text, lines = self._register if newest == self._cut else (newest, False)
        self._keep(editor.text[reach.start : reach.end], lines=reach.lines)
        if lines and not reach.lines:
            text = f"\n{text}\n"
        editor.replace_range(reach.start, reach.end, text)
        editor.move_to(max(editor.cursor - 1, reach.start) if text and not lines else reach.start)

    def join(self, command: Command) -> bool:
        """``J``: put the next lines behind this one."""
        editor = self.editor
        for _ in range(max((command.count or 2) - 1, 1)):
            end = line_end(editor.text, editor.cursor)
            if end == len(editor.text):
                break
            rest = first_word(editor.text, end + 1)
            glue = "" if editor.text[rest : rest + 1] in (")", "") or editor.text[end - 1 : end].isspace() else " "  # fmt: skip
            editor.replace_range(end, rest, glue)
            editor.move_to(end)
        return False

    def _swap_case(self, command: Command) -> bool:
        editor = self.editor
        at = editor.cursor
        end = self.sideways(command.count or 1)
        editor.replace_range(at, end, editor.text[at:end].swapcase())
        return False

    def _replace_chars(self, command: Command) -> bool:
        editor = self.editor
        at, count = editor.cursor, command.count or 1
        end = self.sideways(count)
        if len(clusters(editor.text[at:end])) == count:
            editor.replace_range(at, end, command.char * count)
            editor.move_to(editor.before(editor.cursor))
        return False

    def _open(self, command: Command) -> bool:
        """The commands that begin to insert; gives whether to stay in insert mode."""
        editor = self.editor
        text, at = editor.text, editor.cursor
        match command.name:
            case "a":
                editor.move_to(editor.after(at) if at < line_end(text, at) else at)
            case "I":
                editor.move_to(first_word(text, at))
            case "A":
                editor.move_to(line_end(text, at))
            case "o":
                editor.replace_range(line_end(text, at), line_end(text, at), "\n")
            case "O":
                start = line_start(text, at)
                editor.replace_range(start, start, "\n")
                editor.move_to(start)
            case _:
                pass
        return True
