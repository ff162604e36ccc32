"""The settings screen: every setting with what holds, who says so and what it may be; Enter changes it in place."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from textual import events
from textual.app import ComposeResult

from agent_tui.link.base import Link
from agent_tui.protocol.preferences import PreferenceList, Preferences, SetPreference, SettingRow
from agent_tui.protocol.queries import Failed, Query
from agent_tui.settings.described import read_value
from agent_tui.tui.facts import short_path
from agent_tui.tui.lines import Line, Page, Span, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.choosing import Choice, ChoiceScreen, Pairs
from agent_tui.tui.theme import TextRole
from agent_tui.view.clean import clean

LEFT: Pairs = (("enter", "change it"), ("up down", "choose"), ("esc", "back"))
RIGHT: Pairs = (("ctrl+x", "as usual again"),)
CHOOSING: Pairs = (("up down", "another value"), ("enter", "store it"), ("esc", "leave it"))
TYPING: Pairs = (("enter", "store it"), ("esc", "leave it"))
UNSET = "not set"
SECTIONS = {
    "Screen": (
        "theme",
        "editorMode",
        "reducedMotion",
        "preferredNotifChannel",
        "notifyAfterSeconds",
        "terminalTitle",
        "mouse",
        "hyperlinks",
        "clipboard",
    ),
    "Model": (
        "model",
        "fallbackModel",
        "effortLevel",
        "autoCompactEnabled",
        "autoCompactWindow",
        "prices",
    ),
    "Server": ("baseUrl", "apiKeyHeader", "anthropicVersion"),
}
REST = "Permissions and hooks"
WHO: Mapping[str, str] = {
    "": "",
    "user": "yours",
    "project": "the project's",
    "local": "the project's, local",
    "flag": "--settings",
    "managed": "managed",
}

Changed = Callable[[str, object], None]


def shown_value(value: object) -> str:
    """Write a value as a person reads it."""
    if value is None:
        return UNSET
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def choices(rows: Sequence[SettingRow]) -> tuple[Choice, ...]:
    """Give a row for each setting, by section."""
    found = {row.key: row for row in rows}
    out: list[Choice] = []
    for section, keys in SECTIONS.items():
        out += [_choice(found.pop(key), section) for key in keys if key in found]
    return (*out, *(_choice(row, REST) for row in found.values()))


def _choice(row: SettingRow, section: str) -> Choice:
    value = shown_value(row.value)
    if len(value) > 36:
        value = f"{value[:35]}…"
    who = WHO.get(row.source, row.source)
    role: TextRole = "muted" if row.value is None else "text"
    fact = f"{value}   {who}".rstrip() if row.locked else value
    return Choice(row.key, row.key, row.about, fact, "warning" if row.locked else role, section)


class _About(Sheet):
    """Two rows about the chosen setting: what it may be, where it stands; or why a value was not taken."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="config-about")
        self.row: SettingRow | None = None
        self.file = ""
        self.error = ""

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the rows."""
        theme = page.theme
        muted, row = theme.style("muted"), self.row
        if self.error:
            first: list[Span] = [(clean(self.error), theme.style("error"))]
        elif row is None:
            first = []
        elif row.locked:
            words = f"{WHO.get(row.source, row.source)}: decided by {self._place(page, row.place)}"
            first = [(clean(words[:1].upper() + words[1:]), theme.style("warning"))]
        else:
            may = ", ".join(row.choices) or row.wanted
            first = [("may be ", muted), (clean(may), theme.style("text"))]
        second = "" if row is None else self._where(page, row)
        return [make_line(page, first), make_line(page, [(clean(second), muted)])]

    def _where(self, page: Page, row: SettingRow) -> str:
        when = "counts at once" if row.at_once else "counts from the next session on"
        if row.locked:
            return "What your own file says changes nothing here."
        place = (
            f"stands in {self._place(page, row.place)}"
            if row.place
            else f"is kept in {self._place(page, self.file)}"
        )
        return f"{place}; a change {when}"

    def _place(self, page: Page, place: str) -> str:
        path, colon, line = place.rpartition(":")
        return (
            f"{short_path(page, path)}:{line}"
            if colon and line.isdecimal()
            else short_path(page, place)
        )


class _Value(Field):
    """Where a value is typed or chosen; ``key`` stands before it."""

    key = ""

    def lead(self, row: int) -> Sequence[Span]:
        """The setting's name."""
        theme = self.look.theme
        name = f" {self.key} "
        return ((name.ljust(self.column), theme.style("accent", "surface")),)


class ConfigScreen(ChoiceScreen):
    """Shows and changes settings; ``changed`` is told of each that was stored, with the value that holds now.

    Args:
        look: how things look.
        link: tells and stores settings.
        themes: the names a theme may have.
        changed: takes the key and the value.
    """

    def __init__(self, look: Look, link: Link, themes: Sequence[str], changed: Changed) -> None:
        super().__init__(
            look, "Settings", hints=(LEFT, RIGHT), note="reading the settings",
            placeholder="name, or what it is about",
        )  # fmt: skip
        self._link = link
        self._themes = ("auto", *sorted(themes))
        self._changed = changed
        self._rows: dict[str, SettingRow] = {}
        self._about = _About(look)
        self._value = _Value(look, single_line=True, column=24, id="config-value")

    def compose(self) -> ComposeResult:
        """Title, field, list, what is said of the chosen one, the value while it is changed, hints."""
        yield self.title_row
        yield self.search
        yield self.list
        yield self._value
        yield self._about
        yield self.hints

    def on_mount(self) -> None:
        """Ask what holds."""
        super().on_mount()
        self._ask(Preferences())

    # -- what the engine says ------------------------------------------------------------------

    def _ask(self, query: Query, then: str = "") -> None:
        self.run_worker(partial(self._hear, query, then), group="settings")

    async def _hear(self, query: Query, then: str) -> None:
        reply = await self._link.ask(query)
        if not self.is_attached:
            return
        match reply:
            case PreferenceList(rows, file):
                self._take(rows, file)
                if then:
                    self._stop_changing()
                    self._changed(then, self._rows[then].value)
            case Failed(error):
                self._complain(error)
                if not self._rows:
                    self.list.show((), clean(error))
            case _:
                pass

    def _take(self, rows: Sequence[SettingRow], file: str) -> None:
        self._rows = {row.key: self._with_themes(row) for row in rows}
        self._about.file = file
        self.show(choices(tuple(self._rows.values())))
        self.moved()

    def _with_themes(self, row: SettingRow) -> SettingRow:
        if row.key != "theme":
            return row
        return replace(row, takes="choice", choices=self._themes)

    # -- moving --------------------------------------------------------------------------------

    @property
    def row(self) -> SettingRow | None:
        """The chosen setting."""
        chosen = self.list.current
        return self._rows.get(chosen.id) if chosen is not None else None

    def moved(self) -> None:
        """Tell of the chosen one."""
        self._about.row, self._about.error = self.row, ""
        self._about.redraw()

    def _complain(self, error: str) -> None:
        self._about.error = error
        self._about.redraw()

    # -- changing ------------------------------------------------------------------------------

    @property
    def _changing(self) -> bool:
        return self.has_class("-changing")

    def take(self) -> None:
        """Begin to change the chosen one."""
        row = self.row
        if row is None:
            return
        if row.locked or row.takes == "object":
            why = (
                "it is decided elsewhere"
                if row.locked
                else "it is an object: change it in the file"
            )
            self._complain(f"{row.key} can't be changed here: {why}")
            return
        self._value.key = row.key
        self._value.column = max(24, len(row.key) + 2)
        options = self._options(row)
        value = "" if row.value is None else shown_value(row.value)
        self._value.set_value(value or (options[0] if options else ""))
        self.add_class("-changing")
        self._value.focus()
        self._show_hints(CHOOSING if options else TYPING, ())

    def _options(self, row: SettingRow) -> tuple[str, ...]:
        return ("true", "false") if row.takes == "flag" else row.choices

    def _stop_changing(self) -> None:
        self.remove_class("-changing")
        self.search.focus()
        self._show_hints(LEFT, RIGHT)

    def _show_hints(self, left: Pairs, right: Pairs) -> None:
        self.hints.left, self.hints.right = left, right
        self.hints.redraw()

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Enter begins a change, or stores it."""
        row = self.row
        if event.field is not self._value:
            super().on_field_submitted(event)
        elif row is not None:
            try:
                value = read_value(row, event.text)
            except ValueError as error:
                self._complain(str(error))
            else:
                self._ask(SetPreference(row.key, value), row.key)

    def on_field_changed(self, event: Field.Changed) -> None:
        """Filter; what was wrong with a value is no longer said of another one."""
        super().on_field_changed(event)
        if event.field is self._value and self._about.error:
            self.moved()

    def key(self, event: events.Key) -> bool:
        """Choose a value; leave a change; take a setting out."""
        row = self.row
        if not self._changing:
            if (
                event.key == "ctrl+x"
                and row is not None
                and row.value is not None
                and not row.locked
            ):
                self._ask(SetPreference(row.key, None), row.key)
                return True
            return False
        if event.key in ("escape", "ctrl+c", "ctrl+d"):
            self._stop_changing()
            self.moved()
        elif event.key in ("up", "down") and row is not None:
            self._step(row, -1 if event.key == "up" else 1)
        elif event.key in ("ctrl+p", "ctrl+n", "pageup", "pagedown"):
            pass
        else:
            return False
        return True

    def _step(self, row: SettingRow, by: int) -> None:
        options = self._options(row)
        if options:
            value = self._value.value
            at = options.index(value) + by if value in options else 0
            self._value.set_value(options[at % len(options)])
