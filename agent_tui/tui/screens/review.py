"""The review screen: what was changed, file by file; comments on lines; changes taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.strip import Strip

from agent_tui.link.base import Link
from agent_tui.protocol.display import DiffDisplay
from agent_tui.protocol.queries import ChangeOf, Changes, Failed, TakeBack
from agent_tui.protocol.reviews import ChangedFile, ChangeList, FileChange, TakenBack
from agent_tui.tui.changerows import ChangeRows, Marked
from agent_tui.tui.editor import KillRing
from agent_tui.tui.lines import Line, Page, blank_line, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.panes.changed_files import ChangedFiles
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.reviewbars import (
    IN_LIST,
    NARROW,
    WIDE,
    WRITING,
    CommentField,
    Reviewed,
    ReviewFoot,
    ReviewHead,
)
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.overlay import Overlay
from agent_tui.tui.theme import TextRole
from agent_tui.view.clean import clean
from agent_tui.view.remarks import Spot

TWO_PANES = 100
SIDE_BY_SIDE = 140
"""A pane of so many columns shows old and new lines beside each other."""
CONTEXTS = (3, 12, 50, 100_000)
"""So many lines may be shown around a change."""
NOTHING = FileChange(ChangedFile("", ""), DiffDisplay(""))
UNCHANGED = "No file is another than it was."
NOT_KEPT = "What files were is not kept in this session."


class _Part(Sheet):
    """Some rows that are drawn by somebody else."""

    def __init__(self, look: Look, build: Callable[[Page], Sequence[Line]], id: str) -> None:
        super().__init__(look, id=id)
        self.fills = True
        self._build = build

    def draw(self, page: Page) -> Sequence[Line]:
        """Make them."""
        return self._build(page)


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
        self._change: FileChange | None = None
        self._note = "looking at the files"
        self._around = 0
        self._columns: bool | None = None
        self._wrap = False
        self._at = -1
        self._anchor: int | None = None
        self._writing: Spot | None = None
        self._sure = ""
        self._files = ChangedFiles(look, reviewed.remarks)
        self._laid_out: tuple[object, ChangeRows] | None = None
        self._head = ReviewHead(look, reviewed)
        self._upper = _Part(look, self._draw_upper, "review-upper")
        self._lower = _Part(look, self._draw_lower, "review-lower")
        self._field = CommentField(look, kills)
        self._foot = ReviewFoot(look, reviewed)
        self._upper.can_focus = True

    def compose(self) -> ComposeResult:
        """Head, tree and changes, foot."""
        yield self._head
        with Horizontal(id="review-panes"):
            yield self._files
            yield _Divider(self._look, id="review-divider")
            with Vertical(id="review-changes"):
                yield self._upper
                yield self._field
                yield self._lower
        yield self._foot

    def on_mount(self) -> None:
        """Ask what there is."""
        self._upper.focus()
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
        match reply:
            case ChangeList():
                self._changes = reply
                none = UNCHANGED if reply.kept else NOT_KEPT
                self._note = "" if reply.files else none
            case Failed(error):
                self._changes, self._note = ChangeList(), clean(error)
            case _:
                return
        self._files.show(self._changes.files, self._note)
        self._mark_seen()
        await self._ask_change()

    def _load_change(self) -> None:
        self.run_worker(self._ask_change, group="change", exclusive=True)

    async def _ask_change(self) -> None:
        file = self._files.current
        if file is None:
            self._change = None
        else:
            context = CONTEXTS[self._around]
            reply = await self._link.ask(ChangeOf(file.path, self._kept.scope, context))
            if not self.is_attached or self._files.current != file:
                return
            self._change = reply if isinstance(reply, FileChange) else None
            self._note = clean(reply.error) if isinstance(reply, Failed) else ""
        rows = self._rows()
        if rows.places and not 0 <= self._at < len(rows.places):
            self._at = rows.first_change(0 if self._at < 0 else len(rows.heads) - 1)
        self._at = max(0, min(self._at, len(rows.places) - 1))
        self._show()
        self._follow()

    async def _take_back(self, hunk: int | None) -> None:
        file = self._change.file if self._change is not None else None
        if file is None:
            return
        context = CONTEXTS[self._around]
        reply = await self._link.ask(
            TakeBack(file.path, file.seen, self._kept.scope, hunk, context)
        )
        if not self.is_attached:
            return
        problem = reply.problem if isinstance(reply, TakenBack) else ""
        problem = reply.error if isinstance(reply, Failed) else problem
        done = (
            "this hunk is taken back; /rewind can undo that"
            if hunk is not None
            else "the file is as it was"
        )
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

    @property
    def _pane_width(self) -> int:
        return self._upper.size.width or self.size.width

    @property
    def _two_columns(self) -> bool:
        return self._pane_width >= SIDE_BY_SIDE if self._columns is None else self._columns

    def _rows(self, page: Page | None = None) -> ChangeRows:
        """Give the rows of the change, laid out anew only when something of it is another."""
        page = page or self._look.page(max(self._pane_width, 20))
        remarks = tuple(self._kept.remarks)
        key = (page, self._change, remarks, self._two_columns, self._wrap, self._writing)
        if self._laid_out is None or self._laid_out[0] != key:
            rows = ChangeRows(
                page,
                self._change or NOTHING,
                self._kept.remarks,
                two_columns=self._two_columns,
                wrap=self._wrap,
                writing=self._writing,
            )
            self._laid_out = (key, rows)
        rows = self._laid_out[1]
        rows.mark(Marked() if self._writing is not None else self._marked)
        return rows

    @property
    def _marked(self) -> Marked:
        other = self._at if self._anchor is None else self._anchor
        return Marked(min(other, self._at), max(other, self._at))

    def _show(self) -> None:
        self._head.files = self._changes.files
        self._head.key = "tab" if self._is_wide else "t"
        self._foot.writing = self._writing is not None
        if self._writing is not None:
            self._foot.hints = WRITING
        elif self._is_wide:
            self._foot.hints = WIDE
        else:
            self._foot.hints = IN_LIST if self._in_list else NARROW
        for part in (self._head, self._upper, self._lower, self._files, self._foot):
            part.redraw()

    def _say(self, word: str, role: TextRole = "muted") -> None:
        self._foot.word = (word, role)
        self._foot.redraw()

    def _draw_upper(self, page: Page) -> Sequence[Line]:
        if self._change is None:
            note = (self._note or "choose a file", page.theme.style("muted"))
            return [blank_line(page), make_line(page, [note], column=1)]
        rows = self._rows(page)
        at = rows.writing_row
        return rows if at is None else rows.part(0, at + 1)

    def _draw_lower(self, page: Page) -> Sequence[Line]:
        at = self._rows(page).writing_row if self._change is not None else None
        return () if at is None else self._rows(page).part(at + 1)

    # -- keys ------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Move, comment, take back, send, leave."""
        if self._writing is not None:
            if event.key in ("escape", "ctrl+c"):
                event.stop()
                self._leave_comment()
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
        if self._anchor is not None:
            self._anchor = None
            self._upper.redraw()
        else:
            self.answer(None)

    def _motion(self, key: str, char: str) -> bool:
        steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
        if key in steps:
            self._move(steps[key])
        elif key in ("shift+up", "shift+down"):
            self._anchor = self._at if self._anchor is None else self._anchor
            self._move(-1 if key == "shift+up" else 1, keep=True)
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
                self._columns = not self._two_columns
                self._at = 0
                self._show()
            case "w":
                self._wrap = not self._wrap
                self._show()
            case "+" | "-":
                more = self._around + (1 if char == "+" else -1)
                self._around = max(0, min(more, len(CONTEXTS) - 1))
                self._load_change()
            case "R":
                self._send()
            case _:
                return False
        return True

    def _move(self, by: int, *, keep: bool = False) -> None:
        if self._in_list:
            self._choose(max(0, min(self._files.at + by, len(self._files.files) - 1)))
            return
        self._anchor = self._anchor if keep else None
        places = self._rows().places
        self._at = max(0, min(self._at + by, len(places) - 1))
        self._upper.redraw()
        self._follow()

    def _hunk(self, by: int) -> None:
        """Go to the first changed line of another hunk; at the end to another file."""
        self._anchor = None
        rows = self._rows()
        if not rows.places:
            self._choose(self._files.at + by)
            return
        wanted = rows.places[self._at].hunk + by
        if 0 <= wanted < len(rows.heads):
            self._at = rows.first_change(wanted)
            self._upper.redraw()
            self._follow()
        else:
            self._choose(self._files.at + by, last=by < 0)

    def _choose(self, at: int, *, last: bool = False) -> None:
        if self._files.choose(at):
            self._at, self._anchor, self._upper.top = 1 << 30 if last else -1, None, 0
            self._load_change()

    def _other_scope(self) -> None:
        self._kept.scope = "prompt" if self._kept.scope == "session" else "session"
        self._at, self._anchor, self._upper.top = -1, None, 0
        self._load()

    def _other_pane(self) -> None:
        self.toggle_class("-changes")
        self._show()
        self.call_after_refresh(self._follow)

    def _follow(self) -> None:
        """Keep the line one stands on in sight, with its hunk's head where that fits."""
        rows = self._rows()
        if not rows.places:
            return
        place = rows.places[self._at]
        height = max(self._upper.size.height - 2, 1)
        row, head = place.row, rows.heads[place.hunk]
        top = self._upper.top
        if row < top + 1 or row >= top + height:
            top = head - 1 if row - head < height - 2 and row < top + 1 else row - height // 2
        if self._at == 0:
            top = 0
        self._upper.top = max(0, min(top, len(rows) - self._upper.size.height))
        self._upper.refresh()

    # -- deeds -----------------------------------------------------------------------------------

    def _comment(self) -> None:
        if self._in_list:
            return
        rows = self._rows()
        spot = rows.spot(self._marked.first, self._marked.last)
        if spot is None:
            self._say("there is no line to comment on")
            return
        known = self._kept.remarks.at(spot.path, spot.side, spot.last)
        self._writing = known.spot if known is not None and self._anchor is None else spot
        self._field.editor.replace(known.text if known is not None else "")
        self._open_field()

    def _open_field(self) -> None:
        """Part the rows under the line, with the field between."""
        rows = self._rows()
        at, height = rows.writing_row, self._upper.size.height
        if at is None:
            self._writing = None
            return
        shown = at + 1
        top = self._upper.top
        if shown - top > height - 4:
            top = max(0, shown - (height - 4))
        self.add_class("-writing")
        self._upper.styles.height = max(shown - top, 1)
        self._upper.top = top
        self._field.max_rows = max(2, height // 3)
        self._field.focus()
        self._show()
        self.call_after_refresh(self._set_top, top)

    def _set_top(self, top: int) -> None:
        self._upper.top = top
        self._upper.refresh()

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Keep the comment; an empty one is taken back."""
        event.stop()
        if self._writing is not None:
            self._kept.remarks.put(self._writing, event.text)
            self._close_field()

    def _leave_comment(self) -> None:
        """Leave what was written; it can be yanked back."""
        kills = self._field.editor.kills
        if self._field.value.strip():
            kills.push(self._field.value, None)
            self._say("ctrl+y brings the words back")
        self._close_field()

    def _close_field(self) -> None:
        top = self._upper.top
        self._writing, self._anchor = None, None
        self.remove_class("-writing")
        self._upper.styles.height = "1fr"
        self._field.editor.replace("")
        self._upper.focus()
        self._show()
        self.call_after_refresh(self._set_top, top)

    def _undo_hunk(self) -> None:
        rows = self._rows()
        if self._in_list or not rows.places:
            self._say("this file has no hunks; X takes back all of it")
            return
        hunk = rows.places[self._at].hunk
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
        """Choose the file or the line clicked."""
        if self._writing is not None:
            return
        if event.widget is self._files:
            at = self._files.file_at(event.y)
            if at is not None:
                self._choose(at)
        elif event.widget is self._upper:
            row = event.y + self._upper.top
            places = self._rows().places
            under = [at for at, place in enumerate(places) if place.row <= row]
            if under:
                self._at, self._anchor = under[-1], None
                self._upper.redraw()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll."""
        (self._files if event.widget is self._files else self._upper).scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll."""
        (self._files if event.widget is self._files else self._upper).scroll(-3)
