"""The session picker: search, list, preview; renaming, copying, putting away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.strip import Strip

from agent_tui.link.base import Link
from agent_tui.protocol.masking import Masker
from agent_tui.protocol.picking import Removed, RemoveSession, Renamed, RenameSession
from agent_tui.protocol.queries import Failed, MessagePage, Page, SessionList, SessionRow, Sessions
from agent_tui.settings.options import Options, SessionOptions
from agent_tui.tui.facts import counted, short_path
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
from agent_tui.tui.theme import Background, TextRole
from agent_tui.view import figures
from agent_tui.view.blocks import Change, Cleared
from agent_tui.view.clean import clean
from agent_tui.view.transcript import Transcript

TWO_PANES = 100
SEARCH_PAUSE, PREVIEW_PAUSE = 0.12, 0.08
PREVIEW = 60
AGE, BRANCH, COST, PLACES = 6, 12, 8, 12
"""Cells of the columns."""
MOST_PLACES = 99
"""So many places are counted in one session, no more."""
MORE_PAGES, PAGE = 4, 200
"""So many pages of so many messages are read to find the place that was found."""
HINTS = (("enter", "resume"), ("up down", "choose"), ("esc", "back"))
LETTERS = (("f", "fork"), ("r", "rename"), ("d", "delete"), ("p", "all projects"))


@dataclass(frozen=True, slots=True)
class Picked:
    """What was chosen: a session, to go on with it or (``fork``) with a copy of it."""

    row: SessionRow
    fork: bool = False


def resuming(
    options: Options, session_id: str, cwd: str = "", *, fork: bool = False, title: str = ""
) -> Options:
    """Give the options to go on with a session, or a copy of it, in its own folder where that is known."""
    session = SessionOptions(resume=session_id, fork=fork, title=title or None)
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
        self.every_project = False

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
        place = "Project" if self.every_project else "Branch"
        rows = [
            make_line(page, [("Title", muted)], facts=self._columns("Age", place, "Cost", "bg")),
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
        where = PurePath(session.cwd).name if self.every_project else session.branch
        facts = self._columns(age, clean(where), cost, on)
        style = theme.style("strong", on, bold=chosen or None)
        rows = [chosen_line(page, [(title, style)], chosen=chosen, facts=facts)]
        if self.searched:
            place = clean(session.excerpt or session.first_prompt)
            spans = marked(page, " ".join(place.split()), self.searched, on)
            lead = [(" ", theme.style("text")), ("  ", theme.style("text", on))]
            places = f"{session.places}+" if session.places >= MOST_PLACES else str(session.places)
            said = f"{places} place{'s' if session.places != 1 else ''}" if session.places else ""
            count = [(said, theme.style("muted", on))] if said else []
            rows += [make_line(page, spans, on=on, lead=lead, facts=count), blank_line(page)]
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
    room = page.text_width - PLACES
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


class _Search(SearchField):
    """The field, with what was found at its right."""

    found = ""

    def facts(self) -> Sequence[Span]:
        """How much was found."""
        return ((self.found, self.look.theme.style("muted", "surface")),) if self.found else ()


class _Foot(Sheet):
    """One row under the preview or under the hints: words, and keys with what they do."""

    def __init__(self, look: Look, *, id: str, column: int = 1) -> None:
        super().__init__(look, id=id)
        self._column = column
        self._spans: tuple[tuple[str, TextRole], ...] = ()

    def say(self, *spans: tuple[str, TextRole]) -> None:
        """Show these words; none: the row is gone."""
        if spans != self._spans:
            self._spans = spans
            self.redraw()

    def draw(self, page: Paper) -> Sequence[Line]:
        """Make the row."""
        if not self._spans:
            return ()
        spans: list[Span] = []
        for words, role in self._spans:
            words = words.replace("{down}", page.glyphs.down)
            spans.append((words, page.theme.style(role, bold=role == "accent" or None)))
        return [make_line(page, spans, column=self._column)]


class _NewTitle(Field):
    """Where a new title is typed."""

    def lead(self, row: int) -> Sequence[Span]:
        """What is asked for."""
        return ((" New title ".ljust(self.column), self.look.theme.style("accent", "surface")),)


class SessionsScreen(Overlay[Picked | None], inherit_bindings=False):
    """Choose a session of this project, or of all; gives what was chosen, None when nothing was.

    ``masker`` hides secrets in the preview; what the rows say comes without.
    """

    AUTO_FOCUS = ""

    def __init__(self, look: Look, link: Link, cwd: str, masker: Masker | None = None) -> None:
        super().__init__()
        self._masker = masker or Masker()
        self._look = look
        self._link = link
        self._cwd = cwd
        self._title = Title(look, "Resume a session")
        self._search = _Search(look, single_line=True, placeholder="title, or what was said")
        self._list = SessionsList(look)
        self._head = Title(look, "", id="preview-head")
        self._preview = Conversation(look)
        self._places = _Foot(look, id="preview-places")
        self._new_title = _NewTitle(look, single_line=True, column=12, id="sessions-rename")
        self._word = _Foot(look, id="sessions-word")
        self._hints = Hints(look, HINTS)
        self._previewed = ("", "")
        self._removing: SessionRow | None = None

    def compose(self) -> ComposeResult:
        """Title, search, list and preview, hints, a word."""
        yield self._title
        yield self._search
        with Horizontal(id="sessions-panes"):
            yield self._list
            yield _Divider(self._look, id="sessions-divider")
            with Vertical(id="sessions-preview"):
                yield self._head
                yield self._preview
                yield self._places
        yield self._new_title
        yield self._hints
        yield self._word

    def on_mount(self) -> None:
        """Letters belong to the search."""
        self._search.focus()
        self._say_scope()
        self._look_for()

    def on_resize(self, event: events.Resize) -> None:
        """One pane below a width."""
        self.set_class(event.size.width < TWO_PANES, "-one-pane")

    def on_descendant_focus(self) -> None:
        """The hints are those of what has the keyboard."""
        self._hints.left = HINTS
        if self._new_title.has_focus:
            self._hints.left, self._hints.right = (("enter", "rename"), ("esc", "leave it")), ()
        elif self._list.has_focus:
            self._hints.right = LETTERS
        else:
            self._hints.right = (("tab", "to the list, then"), *LETTERS)
        self._hints.resting = not self._list.has_focus
        self._hints.redraw()

    def on_field_changed(self, event: Field.Changed) -> None:
        """Search, in a moment."""
        if event.field is self._search:
            self._look_for(SEARCH_PAUSE)

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Enter resumes the chosen one, or renames it."""
        if event.field is self._new_title:
            self._rename(event.text)
        else:
            self._choose()

    # -- keys ----------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Move, choose, leave."""
        if self._removing is not None:
            self._answer_removing(event.key)
        elif self.has_class("-renaming"):
            if event.key not in ("escape", "ctrl+c"):
                return
            self._stop_renaming()
        elif not (self._list.has_focus and self._letter(event.key)) and not self._key(event.key):
            return
        event.stop()

    def _key(self, key: str) -> bool:
        whole = self.has_class("-whole") or self.has_class("-preview")
        if key in ("up", "ctrl+p", "down", "ctrl+n"):
            self._move(-1 if key in ("up", "ctrl+p") else 1)
        elif key in ("pageup", "pagedown"):
            by = -1 if key == "pageup" else 1
            if whole:
                self._preview.page(by)
            else:
                self._move(10 * by)
        elif key in ("shift+down", "shift+up"):
            self._preview.find_next(1 if key == "shift+down" else -1)
        elif key == "ctrl+o":
            self.toggle_class("-whole")
        elif key in ("tab", "shift+tab"):
            self._next_pane()
        elif key == "enter":
            self._choose()
        elif key in ("escape", "ctrl+c", "ctrl+d"):
            self.answer(None)
        else:
            return False
        return True

    def _letter(self, key: str) -> bool:
        """Do what a single letter means while the list has the keyboard."""
        match key:
            case "j" | "k":
                self._move(1 if key == "j" else -1)
            case "p":
                self._list.every_project = not self._list.every_project
                self._say_scope()
                self._look_for()
            case "f":
                self._choose(fork=True)
            case "r":
                self._begin_renaming()
            case "d" | "delete":
                self._begin_removing()
            case _:
                return False
        return True

    def on_click(self, event: events.Click) -> None:
        """Choose the row clicked; a second click resumes."""
        if event.widget is self._list:
            at = (event.y + self._list.top - 2) // self._list.row_height
            if 0 <= at < len(self._list.found):
                self._move(at - self._list.at)
                if event.chain > 1:
                    self._choose()

    def _choose(self, *, fork: bool = False) -> None:
        if self._list.current is not None:
            self.answer(Picked(self._list.current, fork))

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

    # -- renaming and putting away -------------------------------------------------------------

    def _begin_renaming(self) -> None:
        if self._list.current is not None:
            self._new_title.set_value(clean(" ".join(self._list.current.title.split())))
            self.add_class("-renaming")
            self._new_title.focus()

    def _stop_renaming(self) -> None:
        self.remove_class("-renaming")
        self._list.focus()

    def _rename(self, title: str) -> None:
        row = self._list.current
        if row is not None:
            self._change(RenameSession(row.session_id, title, row.cwd))
        self._stop_renaming()

    def _begin_removing(self) -> None:
        self._removing = self._list.current
        if self._removing is not None:
            title = clean(" ".join((self._removing.title or self._removing.session_id).split()))
            self._word.say(
                ("! ", "warning"),
                (f"Delete {cut(title, 40)}", "text"),
                ("?  ", "text"),
                ("y", "accent"),
                (" into the trash   any other key keeps it", "muted"),
            )

    def _answer_removing(self, key: str) -> None:
        row, self._removing = self._removing, None
        self._say_price()
        if row is not None and key == "y":
            self._change(RemoveSession(row.session_id, row.cwd))

    def _change(self, query: RenameSession | RemoveSession) -> None:
        self.run_worker(partial(self._changed, query), group="change")

    async def _changed(self, query: RenameSession | RemoveSession) -> None:
        reply = await self._link.ask(query)
        if not self.is_attached:
            return
        match reply:
            case Removed(folder):
                await self._find(self._search.value.strip(), 0)
                self._word.say(
                    (f"It is in {clean(short_path(self._look.page(1), folder))}", "muted")
                )
            case Renamed():
                self._previewed = ("", "")
                await self._find(self._search.value.strip(), 0)
            case Failed(error):
                self._word.say((clean(error), "error"))
            case _:
                pass

    # -- what there is -------------------------------------------------------------------------

    def _look_for(self, pause: float = 0) -> None:
        find = partial(self._find, self._search.value.strip(), pause)
        self.run_worker(find, group="find", exclusive=True)

    async def _find(self, text: str, pause: float) -> None:
        await asyncio.sleep(pause)
        reply = await self._link.ask(Sessions(self._cwd, self._list.every_project, text))
        match reply:
            case _ if not self.is_attached:
                pass  # a session was chosen meanwhile
            case SessionList(rows, more):
                none = "nothing found" if text else "there is no session here yet"
                self._list.show(rows, text, "" if rows else none)
                found = f"{len(rows)} of {len(rows) + more}" if more else str(len(rows))
                self._say_found(f"{found} session{'s' if len(rows) != 1 else ''}", rows)
                self._show_preview()
            case Failed(error):
                self._list.show((), text, clean(error))
            case _:
                pass

    def _say_found(self, sessions: str, rows: Sequence[SessionRow]) -> None:
        places = sum(row.places for row in rows)
        self._search.found = f"{sessions}, {counted(places, 'place')}" if places else sessions
        self._search.redraw()

    def _say_scope(self) -> None:
        theme = self._look.theme
        here, other = theme.style("text", underline=True), theme.style("muted")
        every = self._list.every_project
        self._title.facts = (
            ("this project", other if every else here),
            ("   ", other),
            ("all projects", here if every else other),
        )
        self._title.redraw()

    # -- the preview ---------------------------------------------------------------------------

    def _show_preview(self) -> None:
        session = self._list.current
        self._say_price()
        if session is None:
            self._preview.apply((Cleared(),))
            self._head.title = self._head.below = ""
            self._head.redraw()
            self._previewed = ("", "")
            return
        wanted = (session.session_id, self._list.searched)
        if wanted != self._previewed:
            self._previewed = wanted
            self.run_worker(partial(self._load_preview, session), group="preview", exclusive=True)

    def _say_price(self) -> None:
        """Tell what the first prompt costs where nothing of the session is cached any more."""
        session = self._list.current
        if session is None or session.resend_usd is None or self._removing is not None:
            self._word.say()
            return
        narrow = self.has_class("-one-pane")
        tokens = f"{figures.tokens(session.context_tokens)} tokens, about "
        self._word.say(
            ("! ", "warning"),
            ("Cache is cold: " + ("" if narrow else "the first prompt resends "), "muted"),
            (tokens, "muted"),
            (figures.money(session.resend_usd, digits=2), "strong"),
        )

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
        self._preview.stop_finding(back=False)
        self._preview.apply(tuple(changes))
        self._say_head(session)
        if isinstance(reply, MessagePage):
            await self._find_in_preview(session, transcript, reply)

    async def _find_in_preview(
        self, session: SessionRow, transcript: Transcript, page: MessagePage
    ) -> None:
        """Show the first place of what is searched; older pages are read as far as it takes, not further than some."""
        self._say_places()
        text = self._list.searched
        if not text:
            return
        self._preview.find(text)
        for _ in range(MORE_PAGES):
            finding = self._preview.finding
            enough = finding is not None and finding.here >= session.places
            if enough or not page.more or not page.records:
                break
            first = next((uuid for record in page.records if (uuid := record.get("uuid"))), None)
            before = str(first) if first else None
            query = Page(before, PAGE, session.session_id, session.cwd)
            reply = await self._link.ask(query)
            if not self.is_attached or not isinstance(reply, MessagePage):
                return
            page = reply
            self._preview.apply(transcript.prepend(messages_of(page)))
        self._preview.find_end(last=False)

    def on_conversation_counted(self) -> None:
        """The preview shows another place."""
        self._say_places()

    def _say_places(self) -> None:
        finding = self._preview.finding
        if finding is None or not finding.here:
            self._places.say()
            return
        more: tuple[tuple[str, TextRole], ...] = ()
        if finding.here > 1:
            more = (("   ", "muted"), ("shift+{down}", "accent"), (" next", "muted"))
        self._places.say(
            (f"place {finding.number} of {finding.here}", "muted"),
            *more,
            ("   ", "muted"),
            ("ctrl+o", "accent"),
            (" whole", "muted"),
        )

    def _say_head(self, session: SessionRow) -> None:
        self._head.title = clean(" ".join((session.title or session.first_prompt).split()))
        facts = [_when(session.modified)]
        if session.prompts is not None:
            facts.append(counted(session.prompts, "prompt"))
        if session.context_tokens:
            facts.append(f"{figures.tokens(session.context_tokens)} tokens")
        self._head.below = "   ".join([*facts, figures.size(session.size)])
        self._head.redraw()


def _when(seconds: float) -> str:
    """Write a time of today or yesterday by its clock, an older one by its day too."""
    then, now = time.localtime(seconds), time.localtime()
    clock = time.strftime("%H:%M", then)
    days = (then.tm_year, then.tm_yday)
    if days == (now.tm_year, now.tm_yday):
        return f"today {clock}"
    before = time.localtime(time.time() - 86_400)
    if days == (before.tm_year, before.tm_yday):
        return f"yesterday {clock}"
    return time.strftime("%d %b %Y %H:%M", then)
