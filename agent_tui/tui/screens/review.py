"""The review screen: what was changed, file by file; comments on lines; changes taken back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.strip import Strip

from agent_tui.link.base import Link
from agent_tui.protocol.queries import ChangeOf, Changes, Failed, TakeBack
from agent_tui.protocol.reviews import ChangeList, FileChange, TakenBack
from agent_tui.tui.editor import KillRing
from agent_tui.tui.lines import Line, Page
from agent_tui.tui.look import Look
from agent_tui.tui.panes.changed_files import ChangedFiles
from agent_tui.tui.panes.commentable import Commentable
from agent_tui.tui.panes.reviewbars import (
    IN_LIST,
    NARROW,
    WIDE,
    WRITING,
    Reviewed,
    ReviewFoot,
    ReviewHead,
)
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.overlay import Overlay
from agent_tui.tui.theme import TextRole
from agent_tui.view.clean import clean

TWO_PANES = 100
CONTEXTS = (3, 12, 50, 100_000)
"""So many lines may be shown around a change."""
UNCHANGED = "No file is another than it was."
NOT_KEPT = "What files were is not kept in this session."
HUNK_BACK = "this hunk is taken back; /rewind can undo that"
FILE_BACK = "the file is as it was; /rewind can undo that"


class _Divider(Sheet):
    def draw(self, page: Page) -> Sequence[Line]:
        """Give no rows: the line is drawn whatever the height."""
        return ()

    def render_line(self, y: int) -> Strip:
        """Draw one cell of it."""
        return Strip([Segment(self.look.glyphs.divide, self.look.theme.style("line"))])


class ReviewScreen(Overlay[str | None], inherit_bindings=False):
    """Shows changes; gives the message that the comments make when they are to be sent, else None."""

    AUTO_FOCUS = ""

    def __init__(
        self, look: Look, link: Link, reviewed: Reviewed, kills: KillRing | None = None
    ) -> None:
        super().__init__()
        self._look = look
        self._link = link
        self._kept = reviewed
        self._changes = ChangeList()
        self._around = 0
        self._sure = ""
        self._files = ChangedFiles(look, reviewed.remarks)
        self._head = ReviewHead(look, reviewed)
        self._pane = Commentable(look, reviewed.remarks, kills)
        self._pane.note = "looking at the files"
        self._foot = ReviewFoot(look, reviewed)

    def compose(self) -> ComposeResult:
        """Head, tree and changes, foot."""
        yield self._head
        with Horizontal(id="review-panes"):
            yield self._files
            yield _Divider(self._look, id="review-divider")
            yield self._pane
        yield self._foot

    def on_mount(self) -> None:
        """Ask what there is."""
        self._pane.take_keyboard()
        self._load()

    def on_resize(self, event: events.Resize) -> None:
        """One pane below a width."""
        self.set_class(event.size.width < TWO_PANES, "-one-pane")
        self._show()

    # -- what the engine says --------------------------------------------------------------------

    def _load(self) -> None:
        self.run_worker(self._ask_list, group="list", exclusive=True)

    async def _ask_list(self) -> None:
        reply = await self._link.ask(Changes(self._kept.scope))
        if not self.is_attached:
            return
        note = ""
        match reply:
            case ChangeList():
                self._changes = reply
                note = "" if reply.files else UNCHANGED if reply.kept else NOT_KEPT
            case Failed(error):
                self._changes, note = ChangeList(), clean(error)
            case _:
                return
        self._files.show(self._changes.files, note)
        self._mark_seen()
        await self._ask_change()

    def _load_change(self) -> None:
        self.run_worker(self._ask_change, group="change", exclusive=True)

    async def _ask_change(self) -> None:
        file = self._files.current
        change, note = None, self._files.note
        if file is not None:
            context = CONTEXTS[self._around]
            reply = await self._link.ask(ChangeOf(file.path, self._kept.scope, context))
            if not self.is_attached or self._files.current != file:
                return
            change = reply if isinstance(reply, FileChange) else None
            note = clean(reply.error) if isinstance(reply, Failed) else ""
        self._pane.show(change, note)
        self._show()

    async def _take_back(self, hunk: int | None) -> None:
        change = self._pane.change
        if change is None:
            return
        file = change.file
        context = CONTEXTS[self._around]
        reply = await self._link.ask(
            TakeBack(file.path, file.seen, self._kept.scope, hunk, context)
        )
        if not self.is_attached:
            return
        problem = reply.problem if isinstance(reply, TakenBack) else ""
        problem = reply.error if isinstance(reply, Failed) else problem
        done = HUNK_BACK if hunk is not None else FILE_BACK
        self._say(clean(problem) or done, "warning" if problem else "muted")
        await self._ask_list()

    # -- what is shown ---------------------------------------------------------------------------

    @property
    def _is_wide(self) -> bool:
        return not self.has_class("-one-pane")

    @property
    def _in_list(self) -> bool:
        """Whether the tree is the pane that keys move in."""
        return not self._is_wide and not self.has_class("-changes")

    def _show(self) -> None:
        self._head.files = self._changes.files
        self._head.key = "tab" if self._is_wide else "t"
        self._foot.writing = self._pane.writing
        if self._pane.writing:
            self._foot.hints = WRITING
        elif self._is_wide:
            self._foot.hints = WIDE
        else:
            self._foot.hints = IN_LIST if self._in_list else NARROW
        for part in (self._head, self._pane, self._files, self._foot):
            part.redraw()

    def _say(self, word: str, role: TextRole = "muted") -> None:
        self._foot.word = (word, role)
        self._foot.redraw()

    # -- keys ------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Move, comment, take back, send, leave."""
        if self._pane.writing:
            if event.key in ("escape", "ctrl+c"):
                event.stop()
                self._pane.leave_comment()
            return
        key, char = event.key, event.character or ""
        before, self._sure = self._sure, ""
        if self._foot.word[0]:
            self._say("")
        if key in ("escape", "ctrl+c", "ctrl+d") or char == "q":
            self._back()
        elif not (self._motion(key, char) or self._deed(key, char, before)):
            return
        event.stop()

    def _back(self) -> None:
        if not self._pane.let_go():
            self.answer(None)

    def _motion(self, key: str, char: str) -> bool:
        steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
        if key in steps:
            self._move(steps[key])
        elif key in ("shift+up", "shift+down") and not self._in_list:
            self._pane.move(-1 if key == "shift+up" else 1, keep=True)
        elif char in ("J", "K"):
            self._choose(self._files.at + (1 if char == "J" else -1))
        elif char in ("j", "k"):
            if self._in_list:
                self._move(1 if char == "j" else -1)
            else:
                self._hunk(1 if char == "j" else -1)
        elif key in ("home", "end"):
            self._move(-1 << 30 if key == "home" else 1 << 30)
        elif key in ("tab", "shift+tab"):
            if self._is_wide:
                self._other_scope()
            else:
                self._other_pane()
        elif key == "enter" and self._in_list:
            self._other_pane()
        else:
            return False
        return True

    def _deed(self, key: str, char: str, sure: str) -> bool:
        match char:
            case "t":
                self._other_scope()
            case "c":
                self._comment()
            case "x":
                self._undo_hunk()
            case "X":
                self._undo_file(sure)
            case "v":
                self._see()
            case "s":
                self._pane.columns = not self._pane.two_columns
                self._pane.forget_place()
                self._pane.show(self._pane.change)
            case "w":
                self._pane.wrap = not self._pane.wrap
                self._pane.redraw()
            case "+" | "-":
                more = self._around + (1 if char == "+" else -1)
                self._around = max(0, min(more, len(CONTEXTS) - 1))
                self._load_change()
            case "R":
                self._send()
            case _:
                return False
        return True

    def _move(self, by: int) -> None:
        if self._in_list:
            self._choose(max(0, min(self._files.at + by, len(self._files.files) - 1)))
        else:
            self._pane.move(by)

    def _hunk(self, by: int) -> None:
        """Go to another hunk; at the end to another file."""
        if not self._pane.move_hunk(by):
            self._choose(self._files.at + by, last=by < 0)

    def _choose(self, at: int, *, last: bool = False) -> None:
        if self._files.choose(at):
            self._pane.forget_place(last=last)
            self._load_change()

    def _other_scope(self) -> None:
        self._kept.scope = "prompt" if self._kept.scope == "session" else "session"
        self._pane.forget_place()
        self._load()

    def _other_pane(self) -> None:
        self.toggle_class("-changes")
        self._show()
        self.call_after_refresh(self._pane.follow)

    # -- deeds -----------------------------------------------------------------------------------

    def _comment(self) -> None:
        if not self._in_list and not self._pane.comment():
            self._say("there is no line to comment on")

    def on_commentable_wrote(self, event: Commentable.Wrote) -> None:
        """A comment is begun, kept or left."""
        self._say(event.word)
        self._show()

    def _undo_hunk(self) -> None:
        hunk = None if self._in_list else self._pane.hunk
        if hunk is None:
            self._say("there is no hunk here; X takes back all that was changed of the file")
            return
        self.run_worker(partial(self._take_back, hunk), group="deed", exclusive=True)

    def _undo_file(self, sure: str) -> None:
        file = self._files.current
        if file is None:
            return
        if sure != file.path:
            self._sure = file.path
            self._say(f"X again takes back all that was changed of {clean(file.shown)}", "warning")
            return
        self.run_worker(partial(self._take_back, None), group="deed", exclusive=True)

    def _see(self) -> None:
        """Mark the file seen, and go to the next that is not."""
        file = self._files.current
        if file is None:
            return
        if self._kept.seen.get(file.path) == file.seen:
            del self._kept.seen[file.path]
        else:
            self._kept.seen[file.path] = file.seen
        self._mark_seen()
        if file.path in self._files.seen:
            rest = [
                at for at, one in enumerate(self._files.files) if one.path not in self._files.seen
            ]
            later = [at for at in rest if at > self._files.at]
            if rest:
                self._choose((later or rest)[0])

    def _mark_seen(self) -> None:
        """Files that have changed since they were seen are not seen any more."""
        files = self._files.files
        self._files.seen = {f.path for f in files if self._kept.seen.get(f.path) == f.seen}
        self._files.redraw()

    def _send(self) -> None:
        if len(self._kept.remarks):
            text = self._kept.remarks.message()
            self._kept.remarks.clear()
            self.answer(text)
        else:
            self._say("there is no comment yet: c writes one")

    # -- mouse -----------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        """Choose the file clicked."""
        if not self._pane.writing and event.widget is self._files:
            at = self._files.file_at(event.y)
            if at is not None:
                self._choose(at)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll."""
        (self._files if event.widget is self._files else self._pane).scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll."""
        (self._files if event.widget is self._files else self._pane).scroll(-3)
