"""The prompt editor: a field with history, history search, completion and what Enter, Up and Tab mean here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message

from agent_tui.tui.chips import Saved
from agent_tui.tui.editor import KillRing
from agent_tui.tui.history import SCOPES, History
from agent_tui.tui.lines import Span
from agent_tui.tui.look import Look
from agent_tui.tui.panes.completion import Popup, Proposal, Word, word_at
from agent_tui.tui.panes.field import Field, typed_text

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
        """The words in the rule have changed: a search began or ended."""

    def __init__(
        self, look: Look, popup: Popup, history: History, kills: KillRing | None = None
    ) -> None:
        super().__init__(look, kills, id="prompt")
        self.popup = popup
        self.history = history
        self.word: Word | None = None
        self.guard: Callable[[events.Key], bool] | None = None
        self._search: _Search | None = None
        self._refused: tuple[int, str] | None = None

    # -- what the screen asks of it ------------------------------------------------------------

    @property
    def searching(self) -> str | None:
        """The scope of the history search that goes on; None without one."""
        return None if self._search is None else SCOPES[self._search.scope]

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
        text = self.editor.clear()
        self.changed()
        return text

    def give_back(self, text: str) -> None:
        """Put a text that was not sent back, before what was typed since; nobody is told of a change."""
        since = self.value
        self.editor.replace(f"{text}\n{since}" if since else text)
        self.redraw()

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
        key = event.key
        if self._search is not None:
            return self._search_key(event)
        if self.popup.is_open and self._popup_key(key):
            return True
        if key == "tab":
            self._refused = None
            self._look_for_word()
            return True
        if key == "ctrl+r":
            self._begin_search()
            return True
        if not self.editor.text and key in ("question_mark", "ctrl+d", "home", "end"):
            return False
        if key in ("up", "ctrl+p", "down", "ctrl+n"):
            return self.move_row(-1 if key in ("up", "ctrl+p") else 1) or self._walk(key)
        return super().take_key(event)

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
        if key == "tab":
            if popup.current is not None:
                self._take(popup.current)
        elif key in ("up", "ctrl+p"):
            popup.move(-1)
        elif key in ("down", "ctrl+n"):
            popup.move(1)
        elif key == "escape":
            if self.word is not None:
                self._refused = (self.word.start, self.word.what)
            self._want(None)
        else:
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
        self._want(word)

    def _want(self, word: Word | None) -> None:
        if word is None:
            self.popup.close()
        if word != self.word:
            self.word = word
            self.post_message(self.Wanted(word))

    # -- history -------------------------------------------------------------------------------

    def _walk(self, key: str) -> bool:
        if key in ("up", "ctrl+p"):
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
        key, search = event.key, self._search
        assert search is not None
        if key in ("ctrl+r", "up", "down", "ctrl+p", "ctrl+n"):
            self.popup.move(1 if key in ("ctrl+r", "up", "ctrl+p") else -1)
        elif key == "ctrl+s":
            search.scope = (search.scope + 1) % len(SCOPES)
            self._list_found()
            self.post_message(self.Moded())
        elif key in ("enter", "tab"):
            self._end_search(self.popup.current)
        elif key in ("escape", "ctrl+c", "ctrl+g"):
            self._end_search(None)
        elif typed_text(event) or key in ("backspace", "ctrl+u", "ctrl+w"):
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
