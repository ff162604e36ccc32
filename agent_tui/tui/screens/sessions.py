"""The session picker: search, list, preview."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.strip import Strip

from agent_tui.link.base import Link
from agent_tui.protocol.masking import Masker
from agent_tui.protocol.queries import Failed, MessagePage, Page, SessionList, SessionRow, Sessions
from agent_tui.settings.options import Options, SessionOptions
from agent_tui.tui.facts import counted
from agent_tui.tui.lines import Line, Span, blank_line, cut, make_line, take, width_of
from agent_tui.tui.lines import Page as Paper
from agent_tui.tui.look import Look
from agent_tui.tui.panes.completion import chosen_line
from agent_tui.tui.panes.conversation import Conversation
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.pump import messages_of
from agent_tui.tui.screens.help import Hints, SearchField, Title
from agent_tui.tui.screens.overlay import Overlay
from agent_tui.tui.theme import Background
from agent_tui.view import figures
from agent_tui.view.blocks import Change, Cleared
from agent_tui.view.clean import clean
from agent_tui.view.transcript import Transcript

TWO_PANES = 100
SEARCH_PAUSE, PREVIEW_PAUSE = 0.12, 0.08
PREVIEW = 60
AGE, BRANCH, COST = 6, 12, 8


def resuming(options: Options, session_id: str, cwd: str = "") -> Options:
    """Give the options to go on with a session, in its own folder where that is known."""
    session = SessionOptions(resume=session_id)
    return replace(options, cwd=cwd or options.cwd, session=session)


class SessionsList(Sheet, can_focus=True):
    """The sessions found; with a search each has the place it was found in below it."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="sessions-list")
        self.fills = True
        self.found: tuple[SessionRow, ...] = ()
        self.searched = ""
        self.at = 0
        self.note = "looking for sessions"
        self.show_cwd = False

    @property
    def current(self) -> SessionRow | None:
        """The chosen session."""
        return self.found[self.at] if self.found else None

    def show(self, found: Sequence[SessionRow], searched: str, note: str = "") -> None:
        """Take what was found; the chosen session stays chosen if it is among it."""
        before = self.current.session_id if self.current else ""
        self.found, self.searched, self.note = tuple(found), searched, note
        ids = [row.session_id for row in self.found]
        self.at = ids.index(before) if before in ids else 0
        self.redraw()
        self._follow()

    def move(self, by: int) -> None:
        """Choose another one."""
        if self.found:
            self.at = max(0, min(self.at + by, len(self.found) - 1))
            self.redraw()
            self._follow()

    def draw(self, page: Paper) -> Sequence[Line]:
        """Make head and rows."""
        theme = page.theme
        muted = theme.style("muted")
        if not self.found:
            return [make_line(page, [(self.note, muted)])]
        rows = [
            make_line(page, [("Title", muted)], facts=self._columns("Age", "Branch", "Cost", "bg")),
            make_line(page, [(page.glyphs.rule * (page.right - 1), theme.style("line"))], column=1),
        ]
        for at, session in enumerate(self.found):
            rows += self._session(page, session, chosen=at == self.at)
        return rows

    @property
    def row_height(self) -> int:
        """Rows per session."""
        return 3 if self.searched else 1

    def _session(self, page: Paper, session: SessionRow, *, chosen: bool) -> list[Line]:
        theme = page.theme
        on: Background = "select" if chosen else "bg"
        title = clean(session.title or session.first_prompt or session.session_id)
        title = " ".join(title.split())
        age = figures.age(max(0, time.time() - session.modified))
        cost = "" if session.cost_usd is None else figures.money(session.cost_usd, digits=2)
        facts = self._columns(age, clean(session.branch), cost, on)
        style = theme.style("strong", on, bold=chosen or None)
        rows = [chosen_line(page, [(title, style)], chosen=chosen, facts=facts)]
        if self.searched:
            place = clean(session.excerpt or session.first_prompt)
            spans = marked(page, " ".join(place.split()), self.searched, on)
            lead = [(" ", theme.style("text")), ("  ", theme.style("text", on))]
            rows += [make_line(page, spans, on=on, lead=lead), blank_line(page)]
        return rows

    def _columns(self, age: str, branch: str, cost: str, on: Background) -> list[Span]:
        theme = self.look.theme
        muted, text = theme.style("muted", on), theme.style("text", on)
        head = on == "bg" and cost == "Cost"
        name = cut(branch, BRANCH)
        spans: list[Span] = [(age.rjust(AGE), muted)]
        if self.size.width >= 56:
            spans.append(("  " + name + " " * (BRANCH - width_of(name)), muted if head else text))
        spans.append((cost.rjust(COST), muted if head else text))
        return spans

    def _follow(self) -> None:
        first = 2 + self.at * self.row_height
        height = max(self.size.height, 1)
        top = max(min(self.top, first), first + self.row_height - height, 0)
        if self.at == 0:
            top = 0
        if top != self.top:
            self.top = top
            self.refresh()


def marked(page: Paper, text: str, needle: str, on: Background) -> list[Span]:
    """Write a text with each place of the needle marked; cut so that the first one is seen."""
    theme = page.theme
    plain = theme.style("muted", on)
    hit = theme.style("accent", on, bold=True, underline=True)
    low, wanted = text.casefold(), needle.casefold()
    first = low.find(wanted)
    room = page.text_width
    if first > room // 2:
        text = page.glyphs.cut + text[first - room // 3 :]
        low = text.casefold()
    out: list[Span] = []
    at = 0
    while wanted and len(low) == len(text) and (found := low.find(wanted, at)) >= 0:
        out += [(text[at:found], plain), (text[found : found + len(wanted)], hit)]
        at = found + len(wanted)
    return [span for span in [*out, (take(text[at:], room), plain)] if span[0]]


class _Divider(Sheet):
    def draw(self, page: Paper) -> Sequence[Line]:
        return ()

    def render_line(self, y: int) -> Strip:
        style = self.look.theme.style("line")
        return Strip([Segment(self.look.glyphs.divide, style)])


class SessionsScreen(Overlay[SessionRow | None], inherit_bindings=False):
    """Choose a session of this project, or of all; gives its row, None when nothing was chosen.

    ``masker`` hides secrets in the preview; what the rows say comes without.
    """

    AUTO_FOCUS = ""

    def __init__(self, look: Look, link: Link, cwd: str, masker: Masker | None = None) -> None:
        super().__init__()
        self._masker = masker or Masker()
        self._look = look
        self._link = link
        self._cwd = cwd
        self._all = False
        self._title = Title(look, "Resume a session")
        self._search = SearchField(look, single_line=True, placeholder="title, or what was said")
        self._list = SessionsList(look)
        self._head = Title(look, "", id="preview-head")
        self._preview = Conversation(look)
        self._previewed = ""

    def compose(self) -> ComposeResult:
        """Title, search, list and preview, hints."""
        yield self._title
        yield self._search
        with Horizontal(id="sessions-panes"):
            yield self._list
            yield _Divider(self._look, id="sessions-divider")
            with Vertical(id="sessions-preview"):
                yield self._head
                yield self._preview
        yield Hints(
            self._look,
            (("enter", "resume"), ("up down", "choose"), ("esc", "back")),
            (("tab", "to the list, then"), ("p", "all projects")),
        )

    def on_mount(self) -> None:
        """Letters belong to the search."""
        self._search.focus()
        self._say_scope("")
        self._look_for()

    def on_resize(self, event: events.Resize) -> None:
        """One pane below a width."""
        self.set_class(event.size.width < TWO_PANES, "-one-pane")

    def on_field_changed(self, event: Field.Changed) -> None:
        """Search, in a moment."""
        self._look_for(SEARCH_PAUSE)

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Enter resumes the chosen one."""
        self._choose()

    def on_key(self, event: events.Key) -> None:
        """Move, choose, leave."""
        in_list = self._list.has_focus
        key = event.key
        if key in ("up", "ctrl+p") or (in_list and key == "k"):
            self._move(-1)
        elif key in ("down", "ctrl+n") or (in_list and key == "j"):
            self._move(1)
        elif key in ("pageup", "pagedown"):
            self._move(-10 if key == "pageup" else 10)
        elif key in ("tab", "shift+tab"):
            self._next_pane()
        elif key == "enter":
            self._choose()
        elif in_list and key == "p":
            self._all = not self._all
            self._look_for()
        elif key in ("escape", "ctrl+c", "ctrl+d"):
            self.answer(None)
        else:
            return
        event.stop()

    def on_click(self, event: events.Click) -> None:
        """Choose the row clicked; a second click resumes."""
        if event.widget is self._list:
            at = (event.y + self._list.top - 2) // self._list.row_height
            if 0 <= at < len(self._list.found):
                self._move(at - self._list.at)
                if event.chain > 1:
                    self._choose()

    def _choose(self) -> None:
        if self._list.current is not None:
            self.answer(self._list.current)

    def _move(self, by: int) -> None:
        self._list.move(by)
        self._show_preview()

    def _next_pane(self) -> None:
        if self._search.has_focus:
            self._list.focus()
        elif (
            self._list.has_focus and self.has_class("-one-pane") and not self.has_class("-preview")
        ):
            self.add_class("-preview")
        else:
            self.remove_class("-preview")
            self._search.focus()

    def _look_for(self, pause: float = 0) -> None:
        find = partial(self._find, self._search.value.strip(), pause)
        self.run_worker(find, group="find", exclusive=True)

    async def _find(self, text: str, pause: float) -> None:
        await asyncio.sleep(pause)
        reply = await self._link.ask(Sessions(self._cwd, self._all, text))
        match reply:
            case _ if not self.is_attached:
                pass  # a session was chosen meanwhile
            case SessionList(rows, more):
                none = "nothing found" if text else "there is no session here yet"
                self._list.show(rows, text, "" if rows else none)
                found = f"{len(rows)} of {len(rows) + more}" if more else str(len(rows))
                self._say_scope(f"{found} session{'s' if len(rows) != 1 else ''}")
                self._show_preview()
            case Failed(error):
                self._list.show((), text, clean(error))
            case _:
                pass

    def _say_scope(self, count: str) -> None:
        theme = self._look.theme
        here = theme.style("text", underline=True)
        other = theme.style("muted")
        self._title.facts = (
            (f"{count}   " if count else "", other),
            ("this project", other if self._all else here),
            ("   ", other),
            ("all projects", here if self._all else other),
        )
        self._title.redraw()

    def _show_preview(self) -> None:
        session = self._list.current
        if session is None or session.session_id == self._previewed:
            return
        self._previewed = session.session_id
        self.run_worker(partial(self._load_preview, session), group="preview", exclusive=True)

    async def _load_preview(self, session: SessionRow) -> None:
        await asyncio.sleep(PREVIEW_PAUSE)
        reply = await self._link.ask(
            Page(count=PREVIEW, session_id=session.session_id, cwd=session.cwd)
        )
        if not self.is_attached:
            return  # a session was chosen meanwhile
        transcript = Transcript(self._masker)
        changes: list[Change] = [Cleared()]
        if isinstance(reply, MessagePage):
            for message in messages_of(reply):
                changes += transcript.apply(message)
        self._preview.apply(tuple(changes))
        self._head.title = clean(" ".join((session.title or session.first_prompt).split()))
        prompts = "" if session.prompts is None else f"{counted(session.prompts, 'prompt')}   "
        when = time.strftime("%d %b %Y %H:%M", time.localtime(session.modified))
        self._head.below = f"{when}   {prompts}{figures.size(session.size)}"
        self._head.redraw()
