"""The prompt editor: a field with history, history search, completion and what Enter, Up and Tab mean here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message

from agent_tui.tui.chips import Picture, Saved, must_fold
from agent_tui.tui.dropped import Dropped, dropped
from agent_tui.tui.editor import KillRing
from agent_tui.tui.history import SCOPES, History
from agent_tui.tui.keys import EDITING
from agent_tui.tui.lines import Span
from agent_tui.tui.look import Look
from agent_tui.tui.panes.completion import Popup, Proposal, Word, word_at
from agent_tui.tui.panes.field import NO_PICTURES, Field, pasted_text, typed_text
from agent_tui.tui.vim import Vim
from agent_tui.view.shell_lines import shell_line

SEARCH_SHOWN = 100


@dataclass(slots=True)
class _Search:
    """A search of the history going on, and the draft it interrupted."""

    draft: Saved
    scope: int = 0


class Prompt(Field):
    """Where prompts are written. ``guard`` sees each key first and may have it dropped."""

    DEFAULT_CSS = "Prompt { height: auto; }"

    @dataclass
    class Wanted(Message):
        """Proposals for ``word`` are wanted; None: no more."""

        word: Word | None

    @dataclass
    class Kept(Message):
        """A draft left the editor without being sent: it belongs into the history."""

        text: str

    @dataclass
    class Moded(Message):
        """The words in the rule have changed: a search began or ended, Vim's mode is another."""

    @dataclass
    class Pasted(Message):
        """What was pasted at ``start`` may be the paths of dropped files."""

        start: int
        text: str
        dropped: Dropped

    @dataclass
    class ImageWanted(Message):
        """The picture of the clipboard is to be put in."""

    def __init__(
        self, look: Look, popup: Popup, history: History, kills: KillRing | None = None
    ) -> None:
        super().__init__(look, kills, id="prompt")
        self.popup = popup
        self.history = history
        self.word: Word | None = None
        self.guard: Callable[[events.Key], bool] | None = None
        self._vim = Vim(self.editor)
        self._search: _Search | None = None
        self._refused: tuple[int, str] | None = None
        self._told = (False, False)

    # -- what the screen asks of it ------------------------------------------------------------

    @property
    def searching(self) -> str | None:
        """The scope of the history search that goes on; None without one."""
        return None if self._search is None else SCOPES[self._search.scope]

    @property
    def vim_mode(self) -> str:
        """The mode in which keys are taken as in Vim, with what is typed of a command; empty when they aren't."""
        if not self.look.habits.vim or self._search is not None:
            return ""
        return f"{self._vim.mode} {self._vim.pending}".rstrip()

    @property
    def is_shell_line(self) -> bool:
        """Whether what is typed is a line for the shell."""
        return self._search is None and shell_line(self.editor.text) is not None

    @property
    def at_fold(self) -> bool:
        """Whether the cursor touches a folded paste."""
        return self.editor.folded_at_cursor() is not None

    def redraw(self) -> None:
        """Draw again; tell when the rule has something else to say of what is typed."""
        super().redraw()
        told = (self.is_shell_line, self.at_fold)
        if told != self._told:
            self._told = told
            self.post_message(self.Moded())

    def selected(self) -> tuple[int, int] | None:
        """What Vim's visual mode has selected."""
        return self._vim.selection if self.look.habits.vim else None

    def lead(self, row: int) -> Sequence[Span]:
        """The prompt's glyph; a slash while the history is searched."""
        if row:
            return ()
        theme = self.look.theme
        glyph = "/" if self._search else self.look.glyphs.prompt
        on = self.ground()
        return (
            (" ", theme.style("text", on)),
            (glyph, theme.style("accent", on)),
        )

    def hand_over(self) -> str:
        """Give what was typed and empty the editor; blanks stay."""
        if not self.value.strip():
            return ""
        self._vim.insert()
        text = self.editor.clear()
        self.changed()
        return text

    def give_back(self, text: str, pictures: Mapping[int, Picture] = NO_PICTURES) -> None:
        """Put a text that was not sent back, before what was typed since; nobody is told of a change."""
        since = self.value
        self.editor.replace(f"{text}\n{since}" if since else text)
        self.editor.put_back_pictures(pictures)
        self.redraw()

    def paste(self, text: str) -> None:
        """Put in pasted text; what may be dropped files is looked at, but in a line for the shell."""
        start, pasted = self.editor.cursor, pasted_text(text)
        super().paste(text)
        found = None if must_fold(pasted) else dropped(pasted, self.look.home)
        if found is not None and shell_line(self.editor.text) is None:
            self.post_message(self.Pasted(start, pasted, found))

    def clear(self) -> bool:
        """Empty the editor, keeping the draft in the history; tell whether there was one."""
        text = self.editor.clear()
        if text:
            self.changed()
        if text.strip():
            self.post_message(self.Kept(text))
        return bool(text)

    def show(self, word: Word, proposals: Sequence[Proposal], note: str = "") -> None:
        """Show proposals, if the word is still what is being typed."""
        if word == self.word:
            self.popup.propose(proposals, note)

    # -- keys ----------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Ask the guard first; a key it drops means nothing."""
        if self.guard is not None and self.guard(event):
            event.stop()
            event.prevent_default()
        else:
            super().on_key(event)

    def take_key(self, event: events.Key) -> bool:
        """Completion first, then history, then editing."""
        key, keys = event.key, self.look.habits.keys
        if self._search is not None:
            return self._search_key(event)
        if self.popup.is_open and self._popup_key(key):
            return True
        if not self.editor.text and keys.action(key, "empty"):
            return False
        if self.look.habits.vim and self._vim_key(event):
            return True
        if self.at_fold and keys.action(key, "chip"):
            self.editor.unfold()
            self.changed()
            return True
        match keys.action(key, "prompt", "edit"):
            case "prompt:complete":
                self._refused = None
                self._look_for_word()
            case "prompt:searchHistory":
                self._begin_search()
            case "prompt:pasteImage":
                self.post_message(self.ImageWanted())
            case "edit:up":
                return self.move_row(-1) or self._walk(-1)
            case "edit:down":
                return self.move_row(1) or self._walk(1)
            case _:
                return super().take_key(event)
        return True

    def _vim_key(self, event: events.Key) -> bool:
        """Let Vim have a key; tell whether it was its."""
        said, before = self.vim_mode, self.editor.text
        took = self._vim.take(event.key, typed_text(event))
        match took:
            case "pass":
                return False
            case "submit":
                self.submit()
            case "search":
                self._begin_search()
            case "older" | "newer":
                self._walk(-1 if took == "older" else 1)
            case "done":
                self.edited(before)
                if self._vim.mode != "insert":
                    self._want(None)
        if said != self.vim_mode:
            self.post_message(self.Moded())
        return True

    def changed(self) -> None:
        """Look for a word to complete, too."""
        if self._search is not None:
            self._list_found()
        else:
            if draft := self.history.leave():
                self.post_message(self.Kept(draft))
            self._look_for_word()
        super().changed()

    def submit(self) -> None:
        """Send, or take the proposal first."""
        current = self.popup.current
        if current is not None and self.word is not None and self._enter_takes(current):
            what = self.word.what
            self._take(current)
            if what == "file":
                return
        super().submit()

    def _enter_takes(self, proposal: Proposal) -> bool:
        word = self.word
        if word is None or proposal.text.lstrip("/@") == word.text:
            return False
        return self.popup.moved or (
            word.what == "command" and proposal.text.lstrip("/").startswith(word.text)
        )

    def _popup_key(self, key: str) -> bool:
        popup = self.popup
        match self.look.habits.keys.action(key, "list"):
            case "list:take":
                if popup.current is not None:
                    self._take(popup.current)
            case "list:up":
                popup.move(-1)
            case "list:down":
                popup.move(1)
            case "list:close":
                if self.word is not None:
                    self._refused = (self.word.start, self.word.what)
                self._want(None)
            case _:
                return False
        return True

    def _take(self, proposal: Proposal) -> None:
        word = self.word
        if word is None:
            return
        sign = "/" if word.what == "command" else "@"
        text = sign + proposal.text.removeprefix(sign)
        if not text.endswith("/"):
            text += " "
        self.editor.replace_range(word.start, word.end, text)
        self.changed()

    def _look_for_word(self) -> None:
        word = word_at(self.editor.text, self.editor.cursor)
        if word is None:
            self._refused = None
        elif self._refused == (word.start, word.what):
            word = None
        if self.look.habits.vim and self._vim.mode != "insert":
            word = None
        self._want(word)

    def _want(self, word: Word | None) -> None:
        if word is None:
            self.popup.close()
        if word != self.word:
            self.word = word
            self.post_message(self.Wanted(word))

    # -- history -------------------------------------------------------------------------------

    def _walk(self, by: int) -> bool:
        if by < 0:
            text = self.history.older(self.value)
        else:
            text = self.history.newer()
        if text is not None:
            self.editor.replace(text)
            self._goal = None
            self.redraw()
            self.post_message(self.Changed(self))
            self._want(None)
        return True

    def _begin_search(self) -> None:
        self._search = _Search(self.editor.saved())
        self._want(None)
        self.editor.replace("")
        self.changed()
        self.post_message(self.Moded())

    def _search_key(self, event: events.Key) -> bool:
        search, keys = self._search, self.look.habits.keys
        assert search is not None
        match keys.action(event.key, "search"):
            case "search:older":
                self.popup.move(1)
            case "search:newer":
                self.popup.move(-1)
            case "search:scope":
                search.scope = (search.scope + 1) % len(SCOPES)
                self._list_found()
                self.post_message(self.Moded())
            case "search:take":
                self._end_search(self.popup.current)
            case "search:cancel":
                self._end_search(None)
            case _:
                if typed_text(event) or keys.action(event.key, "edit") in EDITING:
                    return super().take_key(event)
        return True

    def _end_search(self, found: Proposal | None) -> None:
        search, self._search = self._search, None
        self.popup.close()
        assert search is not None
        if found is None:
            self.editor.restore(search.draft)
        else:
            if search.draft[0].strip():
                self.editor.restore(search.draft)
                self.post_message(self.Kept(self.value))
            self.editor.replace(found.text)
        self._goal = None
        self.redraw()
        self.post_message(self.Changed(self))
        self.post_message(self.Moded())

    def _list_found(self) -> None:
        search = self._search
        assert search is not None
        needle = self.value
        found = self.history.search(needle, SCOPES[search.scope])[:SEARCH_SHOWN]
        self.popup.moved = False
        self.popup.propose(
            [_found(text, needle) for text in found], "" if found else "nothing found"
        )


def _found(text: str, needle: str) -> Proposal:
    """Show the line of a prompt where the needle stands."""
    at = text.casefold().find(needle.casefold())
    start = text.rfind("\n", 0, max(at, 0)) + 1
    end = text.find("\n", max(at, 0))
    line = text[start : len(text) if end < 0 else end].replace("\t", " ")
    lines = text.count("\n") + 1
    first = at - start if at >= 0 else 0
    cut_off = max(0, first - 40)
    return Proposal(
        text,
        f"{lines} lines" if lines > 1 else "",
        tuple(range(first - cut_off, first - cut_off + len(needle))),
        line[cut_off : cut_off + 300] or " ",
    )
