"""First run: no key was found. Enter one, name a server, or try the demo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from agent_tui import __version__
from agent_tui.link.base import Link
from agent_tui.protocol.queries import Failed, ServerTested, TestServer
from agent_tui.settings.options import Options
from agent_tui.tui.lines import Line, Page, Span, blank_line, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.help import Hints
from agent_tui.tui.screens.overlay import Overlay
from agent_tui.tui.theme import TextRole
from agent_tui.view.clean import clean

COLUMN = 5
FIELD_COLUMN = 17
LOW = 26
"""Below so many rows a way that isn't chosen is told in one."""

WAYS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Enter an API key",
        (
            "kept in a file only you can read; ANTHROPIC_API_KEY",
            "works as well and is never written down",
        ),
    ),
    (
        "Use another server",
        (
            "a base URL: a gateway, or a model on this machine;",
            "one test call shows whether it answers",
        ),
    ),
    (
        "Try the demo",
        ("a small scripted model inside the program: no key,", "no network, no cost"),
    ),
)
INTRO = (
    "A coding agent for this terminal. No key was found, so",
    "choose how to reach a model. You can change it later",
)


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen: the options to go on with, a key and a server to be kept (both empty: nothing to keep)."""

    options: Options
    key: str = ""
    base_url: str = ""


class _Intro(Sheet):
    def draw(self, page: Page) -> Sequence[Line]:
        theme = page.theme
        text, strong = theme.style("text"), theme.style("strong", bold=True)
        rows = [
            make_line(
                page, [("agent-tui", strong), (f"  {__version__}", theme.style("muted"))], column=2
            ),
            blank_line(page),
        ]
        rows += [make_line(page, [(line, text)], column=2) for line in INTRO]
        key = theme.style("accent", bold=True)
        return [*rows, make_line(page, [("with ", text), ("/model", key), (".", text)], column=2)]


class _Way(Sheet):
    @dataclass
    class Clicked(Message):
        """This way was clicked."""

        number: int

    def __init__(self, look: Look, number: int) -> None:
        super().__init__(look)
        self.number = number
        self.chosen = False
        self.low = False

    def choose(self, chosen: bool) -> None:
        if chosen != self.chosen:
            self.chosen = chosen
            self.redraw()

    def draw(self, page: Page) -> Sequence[Line]:
        theme = page.theme
        title, about = WAYS[self.number]
        mark = page.glyphs.prompt if self.chosen else " "
        accent = theme.style("accent")
        lead: list[Span] = [
            (mark + " ", accent),
            (f"{self.number + 1}  ", theme.style("accent", bold=True)),
        ]
        muted = theme.style("muted")
        shown = about if self.chosen or not self.low else ()
        return [
            blank_line(page),
            make_line(page, [(title, theme.style("strong", bold=True))], lead=lead, column=COLUMN),
            *(make_line(page, [(line, muted)], column=COLUMN) for line in shown),
        ]

    def on_click(self) -> None:
        self.post_message(self.Clicked(self.number))


class _Entry(Field):
    """A labelled one-row field."""

    def __init__(
        self, look: Look, label: str, *, secret: bool = False, placeholder: str = ""
    ) -> None:
        super().__init__(
            look,
            single_line=True,
            secret=secret,
            placeholder=placeholder,
            column=FIELD_COLUMN,
            band=False,
        )
        self._label = label
        self.note = ""

    def lead(self, row: int) -> Sequence[Span]:
        theme = self.look.theme
        label = " " * COLUMN + self._label
        pad = label.ljust(FIELD_COLUMN - 1)
        return ((pad, theme.style("muted")), (" ", theme.style("text", "surface")))

    def facts(self) -> Sequence[Span]:
        if not self.note:
            return ()
        return ((self.note + " ", self.look.theme.style("muted", "surface")),)


class _Blank(Sheet):
    def draw(self, page: Page) -> Sequence[Line]:
        return [blank_line(page)]


class _Word(Sheet):
    """What the test call said, or what is missing."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.text = ""
        self.role: TextRole = "muted"

    def say(self, text: str, role: TextRole) -> None:
        self.text, self.role = text, role
        self.redraw()

    def draw(self, page: Page) -> Sequence[Line]:
        if not self.text:
            return ()
        theme = page.theme
        glyph = {"ok": page.glyphs.allowed, "error": page.glyphs.failed}.get(self.role, "")
        lead = [(" " * COLUMN + "Test", theme.style("muted"))]
        room = page.right - FIELD_COLUMN
        words = f"{glyph} {self.text}".strip()
        rows: list[Line] = []
        while words:
            head = words if len(words) <= room else words[: words.rfind(" ", 0, room) + 1 or room]
            spans: list[Span] = [(head, theme.style(self.role))]
            rows.append(make_line(page, spans, lead=() if rows else lead, column=FIELD_COLUMN))
            words = words[len(head) :]
        return rows


class WelcomeScreen(Overlay[Choice | None], inherit_bindings=False):
    """Gives what was chosen, None when the person leaves. Nothing is sent before a choice."""

    AUTO_FOCUS = ""

    def __init__(self, look: Look, link: Link, options: Options) -> None:
        super().__init__()
        self._look = look
        self._link = link
        self._options = options
        self._at = 0
        self._ways = tuple(_Way(look, number) for number in range(len(WAYS)))
        self._key = _Entry(look, "Key", secret=True)
        self._url = _Entry(look, "Base URL", placeholder="http://localhost:8080")
        self._url_key = _Entry(look, "Key", secret=True, placeholder="none needed")
        self._model = _Entry(look, "Model", placeholder="the server's own")
        self._word = _Word(look)
        self._tested: tuple[str, str] | None = None

    def compose(self) -> ComposeResult:
        """One column in the middle."""
        first, second, third = self._ways
        with Vertical(id="welcome"):
            yield _Intro(self._look)
            yield first
            with Vertical(id="welcome-key", classes="fields"):
                yield _Blank(self._look)
                yield self._key
            yield second
            with Vertical(id="welcome-server", classes="fields"):
                yield _Blank(self._look)
                yield self._url
                yield self._url_key
                yield self._model
                yield self._word
            yield third
        yield Hints(
            self._look,
            (("up down", "choose"), ("tab", "next field"), ("enter", "go on"), ("ctrl+c", "leave")),
            word="nothing is sent before you choose",
        )

    def on_mount(self) -> None:
        """The first way is chosen."""
        self._choose(0)

    def on_resize(self, event: events.Resize) -> None:
        """Where there are few rows only the chosen way says what it is about."""
        low = event.size.height < LOW
        for way in self._ways:
            if way.low != low:
                way.low = low
                way.redraw()

    def _fields(self) -> tuple[Field, ...]:
        return ((self._key,), (self._url, self._url_key, self._model), ())[self._at]

    def _choose(self, at: int) -> None:
        self._at = at
        for way in self._ways:
            way.choose(way.number == at)
        self.query_one("#welcome-key").set_class(at == 0, "-open")
        self.query_one("#welcome-server").set_class(at == 1, "-open")
        fields = self._fields()
        self.set_focus(fields[0] if fields else None)

    def on__way_clicked(self, event: _Way.Clicked) -> None:
        """Choose by mouse."""
        self._choose(event.number)

    def on_key(self, event: events.Key) -> None:
        """Choose, go on, leave."""
        key, fields = event.key, self._fields()
        if key in ("up", "down", "ctrl+p", "ctrl+n"):
            self._choose((self._at + (-1 if key in ("up", "ctrl+p") else 1)) % len(WAYS))
        elif key in ("tab", "shift+tab"):
            if fields:
                at = next((i for i, f in enumerate(fields) if f.has_focus), -1)
                by = 1 if key == "tab" else -1
                self.set_focus(fields[(at + by) % len(fields)])
        elif key in ("ctrl+c", "ctrl+d", "escape"):
            self.answer(None)
        elif key == "enter":
            self._go_on()
        elif event.character in ("1", "2", "3") and not fields:
            self._choose(int(event.character) - 1)
        else:
            return
        event.stop()

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Enter in a field goes on too."""
        self._go_on()

    def on_field_changed(self, event: Field.Changed) -> None:
        """Another server is another test; a digit alone in the empty key field chooses."""
        if event.field is self._key and self._key.value in ("1", "2", "3"):
            number = int(self._key.value) - 1
            self._key.editor.replace("")
            self._key.redraw()
            self._choose(number)
        elif event.field in (self._url, self._url_key):
            self._tested = None
            self._word.say("", "muted")

    def _go_on(self) -> None:
        if self._at == 0:
            key = self._key.value.strip()
            if key:
                self.answer(Choice(self._options, key))
        elif self._at == 2:
            self.answer(Choice(replace(self._options, demo=True)))
        elif self._tested == self._server:
            self._use_server()
        elif self._url.value.strip():
            self._word.say("asking", "muted")
            self.run_worker(self._test, group="test", exclusive=True)
        else:
            self._word.say("type the server's address first", "error")

    @property
    def _server(self) -> tuple[str, str]:
        return self._url.value.strip(), self._url_key.value.strip()

    def _use_server(self) -> None:
        url, key = self._server
        model = replace(
            self._options.model,
            base_url=url,
            model=self._model.value.strip() or self._options.model.model,
        )
        self.answer(Choice(replace(self._options, model=model), key, url))

    async def _test(self) -> None:
        asked = self._server
        reply = await self._link.ask(TestServer(*asked))
        if asked != self._server:
            return
        match reply:
            case ServerTested(ok, text, models):
                self._word.say(clean(text), "ok" if ok else "error")
                if ok:
                    self._tested = asked
                    self._model.note = f"{len(models)} found" if models else ""
                    if models and not self._model.value:
                        self._model.set_value(clean(models[0]))
                    self._model.redraw()
            case Failed(error):
                self._word.say(clean(error), "error")
            case _:
                pass
