"""The help screen: keys and commands, searchable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from textual import events
from textual.app import ComposeResult

from agent_tui.link.base import Link
from agent_tui.protocol.queries import Complete, Completions
from agent_tui.tui.bindings import Keymap, Section
from agent_tui.tui.commands.stage import screen_commands
from agent_tui.tui.lines import Line, Page, Span, blank_line, make_line, width_of
from agent_tui.tui.look import Look
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.queue import rule_line
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.overlay import Overlay
from agent_tui.view.clean import clean

KEY_COLUMN = 32
MOST_COMMANDS = 500
Offers = Mapping[str, tuple[str, str]]
"""Commands by name: how each is written, and what it does."""


def sections(keys: Keymap, offers: Offers | None = None) -> tuple[Section, ...]:
    """Give the keys' sections, and the commands: the screen's, and those that the engine ``offers``."""
    own = {
        command.name: (
            f"/{command.name} {command.argument}".strip()
            + "".join(f"  /{alias}" for alias in command.aliases),
            command.summary,
        )
        for command in screen_commands().values()
    }
    found = {**(offers or {}), **own}
    return (*keys.help(), ("Commands", tuple(found[name] for name in sorted(found))))


async def offered(link: Link) -> Offers:
    """Ask which commands the engine has; none when it can't say."""
    reply = await link.ask(Complete("command", "", MOST_COMMANDS))
    if not isinstance(reply, Completions):
        return {}
    found: dict[str, tuple[str, str]] = {}
    for item in reply.items:
        name = item.text.removeprefix("/")
        argument, _, about = item.hint.rpartition("  ")
        found[name] = f"/{name} {argument.strip()}".strip(), about.rstrip(".")
    return found


class _Body(Sheet):
    def __init__(self, look: Look) -> None:
        super().__init__(look, id="help-body")
        self.fills = True
        self.needle = ""
        self.offers: Offers = {}

    def draw(self, page: Page) -> Sequence[Line]:
        theme = page.theme
        rows: list[Line] = []
        wanted = self.needle.casefold()
        for title, entries in sections(self.look.habits.keys, self.offers):
            found = [e for e in entries if wanted in f"{e[0]} {e[1]}".casefold()]
            if not found:
                continue
            rows += [blank_line(page)] if rows else []
            rows.append(make_line(page, [(title, theme.style("strong", bold=True))]))
            rows += [self._entry(page, key, what) for key, what in found]
        return rows or [make_line(page, [("nothing found", theme.style("muted"))])]

    def _entry(self, page: Page, key: str, what: str) -> Line:
        theme = page.theme
        column = KEY_COLUMN if page.width >= 70 else 22
        gap = " " * max(2, column - width_of(key))
        spans: list[Span] = [
            (clean(key), theme.style("accent", bold=True)),
            (gap + clean(what), theme.style("muted")),
        ]
        return make_line(page, spans)


class SearchField(Field):
    """A one-row field with a slash before it."""

    def lead(self, row: int) -> Sequence[Span]:
        """The slash."""
        theme = self.look.theme
        return ((" ", theme.style("text", "surface")), ("/", theme.style("accent", "surface")))


class Title(Sheet):
    """A title row; ``facts`` at its right, ``below`` in a second row."""

    def __init__(self, look: Look, title: str, *, id: str | None = None) -> None:
        super().__init__(look, id=id)
        self.title = title
        self.facts: tuple[Span, ...] = ()
        self.below = ""

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the row."""
        title = [(self.title, page.theme.style("strong", bold=True))]
        rows = [make_line(page, title, column=1, facts=self.facts)]
        if self.below:
            rows.append(make_line(page, [(self.below, page.theme.style("muted"))], column=1))
        return rows


class Hints(Sheet):
    """A rule, and under it keys and what they do: ``left`` ones, and ``right`` ones where there is room.

    ``resting``: single letters don't act now.
    """

    def __init__(
        self,
        look: Look,
        left: Sequence[tuple[str, str]],
        right: Sequence[tuple[str, str]] = (),
        word: str = "",
    ) -> None:
        super().__init__(look)
        self.left, self.right, self.word = left, right, word
        self.resting = False

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the two rows."""
        right = self._spans(page, self.right)
        if self.word:
            right.append((self.word, page.theme.style("muted")))
        facts = right if page.width >= 100 else []
        return [
            rule_line(page, (), ()),
            make_line(page, self._spans(page, self.left), column=1, facts=facts),
        ]

    def _spans(self, page: Page, pairs: Sequence[tuple[str, str]]) -> list[Span]:
        theme = page.theme
        out: list[Span] = []
        for key, what in pairs:
            out += [("   ", theme.style("muted"))] if out else []
            key = key.replace("up", page.glyphs.up).replace("down", page.glyphs.down)
            rests = self.resting and len(key) == 1
            style = theme.style("strong") if rests else theme.style("accent", bold=True)
            out += [(key, style), (f" {what}", theme.style("muted"))]
        return out


class HelpScreen(Overlay[None], inherit_bindings=False):
    """Keys and commands; typing filters."""

    AUTO_FOCUS = ""

    def __init__(self, look: Look, link: Link | None = None) -> None:
        super().__init__()
        self._look = look
        self._link = link
        self._search = SearchField(look, single_line=True, placeholder="search")
        self._body = _Body(look)

    def compose(self) -> ComposeResult:
        """Title, search, list, hints."""
        yield Title(self._look, "Help")
        yield self._search
        yield self._body
        yield Hints(self._look, (("up down", "scroll"), ("esc", "back")))

    def on_mount(self) -> None:
        """Typing searches; the engine's commands come as soon as it has told them."""
        self._search.focus()
        if self._link is not None:
            self.run_worker(partial(self._load, self._link), group="commands")

    async def _load(self, link: Link) -> None:
        offers = await offered(link)
        if self.is_attached:
            self._body.offers = offers
            self._body.redraw()

    def on_field_changed(self, event: Field.Changed) -> None:
        """Filter."""
        self._body.needle = self._search.value.strip()
        self._body.redraw()

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Enter goes back."""
        self.answer()

    def on_key(self, event: events.Key) -> None:
        """Scroll, or go back."""
        step = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}.get(event.key)
        if step is not None:
            event.stop()
            self._body.scroll(step)
        elif event.key in ("escape", "ctrl+c", "ctrl+d"):
            event.stop()
            self.answer()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll."""
        self._body.scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll."""
        self._body.scroll(-3)
