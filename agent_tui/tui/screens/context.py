"""The context screen: what fills the window, as one bar and part by part, and when it will be summarised."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from agent_tui.protocol.content import JsonObject
from agent_tui.tui.facts import counted
from agent_tui.tui.lines import (
    TEXT_COLUMN,
    Line,
    Page,
    Span,
    blank_line,
    cut,
    cut_spans,
    make_line,
    spans_width,
    width_of,
)
from agent_tui.tui.look import Look
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.charts import Slice, filled, share, stacked, thin_bar
from agent_tui.tui.screens.scrolled import Scrolled
from agent_tui.tui.theme import TextRole
from agent_tui.view import figures
from agent_tui.view.clean import clean

HUES: Mapping[str, TextRole] = {
    "S": "special",
    "T": "accent",
    "M": "code.number",
    "F": "code.type",
    "P": "ok",
    "H": "muted",
    "A": "code.string",
    "R": "warning",
}
"""Colours of the parts; the letter says the same."""
TELLING = 200
"""Results of fewer tokens than this are not worth naming."""
BAR = 20
NOTES_FROM, BARS_FROM = 100, 60
"""From these widths on there is room for what can be done about a part, and for its thin bar."""


@dataclass(frozen=True, slots=True)
class Filling:
    """One part of the window."""

    letter: str
    name: str
    tokens: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Contents:
    """What the window holds. ``limit`` is where it is summarised by itself, 0 never; ``prompts`` how many it holds."""

    model: str
    tokens: int
    window: int
    limit: int
    parts: tuple[Filling, ...]
    prompts: int = 0

    @property
    def prompts_away(self) -> int | None:
        """How many more prompts like those so far fit before that; None when nothing tells."""
        talk = sum(part.tokens for part in self.parts if part.letter in "PHRA")
        if not self.limit or not self.prompts or not talk:
            return None
        return max(0, self.limit - self.tokens) * self.prompts // talk


def contents_of(data: JsonObject) -> Contents:
    """Read the documented report on the window."""
    sizes = {str(one.get("name")): _number(one, "tokens") for one in _list(data, "categories")}
    own, servers = len(_list(data, "systemTools")), _list(data, "mcpTools")
    names = {str(tool.get("serverName")) for tool in servers if tool.get("isLoaded")}
    files = _list(data, "memoryFiles")
    parts = [
        Filling("S", "System prompt", sizes.get("System prompt", 0), "fixed"),
        Filling("T", f"Tools, {own} built in", sizes.get("System tools", 0), "fixed"),
        Filling(
            "M",
            f"MCP, {counted(len(names), 'server')}",
            sizes.get("MCP tools", 0),
            "/mcp to switch one off",
        ),
        Filling("F", f"Memory files, {len(files)}", sizes.get("Memory files", 0), "/memory"),
        *_talk(data.get("messageBreakdown"), sizes.get("Messages", 0)),
    ]
    return Contents(
        str(data.get("model") or ""),
        _number(data, "totalTokens"),
        max(1, _number(data, "rawMaxTokens")),
        _number(data, "autoCompactThreshold") if data.get("isAutoCompactEnabled") else 0,
        tuple(part for part in parts if part.tokens),
        _number(_object(data.get("messageBreakdown")), "prompts"),
    )


def _talk(given: Any, tokens: int) -> list[Filling]:
    """Share the messages' tokens out to what they are made of, which is an estimate."""
    made = _object(given)
    rows = {
        "P": ("Prompts and answers", ("userMessageTokens", "assistantMessageTokens"), ""),
        "H": ("Thinking", ("thinkingTokens",), ""),
        "A": ("Pictures and files", ("attachmentTokens",), ""),
        "R": ("Tool calls and results", ("toolCallTokens", "toolResultTokens"), _largest(made)),
    }
    sums = {
        letter: sum(_number(made, key) for key in keys) for letter, (_, keys, _) in rows.items()
    }
    whole = sum(sums.values())
    if not whole:
        return [Filling("P", "Prompts and answers", tokens)]
    return [
        Filling(letter, name, round(tokens * sums[letter] / whole), note)
        for letter, (name, _, note) in rows.items()
    ]


def _largest(made: JsonObject) -> str:
    named = [
        f"{clean(str(one.get('name')))} {_short(clean(str(one.get('about') or '')))}".strip()
        + f" {figures.tokens(_number(one, 'tokens'))}"
        for one in _list(made, "largestResults")[:2]
        if _number(one, "tokens") >= TELLING
    ]
    return f"largest: {', '.join(named)}" if named else ""


def _short(about: str) -> str:
    return cut(about.rpartition("/")[2] if about.startswith("/") else about, 20)


class ContextBody(Sheet):
    """The picture and the list."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.contents: Contents | None = None
        self.trouble = ""

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the rows."""
        contents = self.contents
        if contents is None:
            words = self.trouble or "counting"
            return [make_line(page, [(clean(words), page.theme.style("muted"))])]
        slices = [Slice(part.letter, HUES[part.letter], part.tokens) for part in contents.parts]
        bar = stacked(page, slices, contents.window, page.text_width, contents.limit)
        rows = [*_sums(page, contents), blank_line(page), make_line(page, bar), _scale(page, contents), blank_line(page)]  # fmt: skip
        largest = max((part.tokens for part in contents.parts), default=0)
        for part in contents.parts:
            letter = filled(page, part.letter, HUES[part.letter])
            long = thin_bar(page, part.tokens, largest, BAR, HUES[part.letter])
            rows.append(_row(page, letter, part, contents.window, long))
        free = Filling(" ", "Free", max(0, contents.window - contents.tokens))
        rows.append(_row(page, (" ", page.theme.style("text", "surface")), free, contents.window))
        return rows


def _sums(page: Page, contents: Contents) -> list[Line]:
    theme = page.theme
    used, whole = figures.tokens(contents.tokens), figures.window(contents.window)
    left: list[Span] = [
        (f"{used} of {whole} tokens", theme.style("strong", bold=True)),
        (f"  {contents.tokens / contents.window:.0%}", theme.style("muted")),
    ]
    if not contents.limit:
        said = "is not summarised by itself"
    else:
        said = f"compacts at {figures.window(contents.limit)}"
        away = contents.prompts_away
        if away is not None:
            said += f", about {counted(away, 'prompt')} away"
    facts: list[Span] = [(said, theme.style("muted"))]
    if spans_width([*left, *facts]) + 3 <= page.text_width:
        return [make_line(page, left, facts=facts)]
    return [make_line(page, left), make_line(page, facts)]


def _scale(page: Page, contents: Contents) -> Line:
    """Draw what stands under the bar: its two ends, and the place where it is summarised."""
    muted = page.theme.style("muted")
    end = figures.window(contents.window)
    at = round(contents.limit * page.text_width / contents.window)
    word = "compaction"
    spans: list[Span] = [("0", muted)]
    if contents.limit and at + width_of(word) + width_of(end) + 2 <= page.text_width:
        spans.append((" " * (at - 1) + word, muted))
    elif contents.limit and at - width_of(word) > 1:
        spans.append((" " * (at - width_of(word)) + word, muted))
    return make_line(page, spans, facts=[(end, muted)] if spans_width(spans) + width_of(end) + 3 <= page.text_width else [])  # fmt: skip


def _row(page: Page, letter: Span, part: Filling, window: int, bar: Span | None = None) -> Line:
    theme = page.theme
    name = part.name.ljust(24) if page.width >= BARS_FROM else cut(part.name, 16).ljust(16)
    spans: list[Span] = [
        letter,
        (f" {name}", theme.style("text")),
        (f"{figures.tokens(part.tokens):>7}", theme.style("strong")),
        (f"{share(part.tokens, window):>8}", theme.style("muted")),
    ]
    if page.width >= BARS_FROM and bar is not None:
        room = page.text_width - spans_width(spans) - 3
        spans += [("   ", theme.style("text")), *cut_spans([bar], min(room, BAR), "")]
        if page.width >= NOTES_FROM and part.note:
            fill = BAR - width_of(bar[0]) + 3
            spans += [(" " * fill + part.note, theme.style("muted"))]
    elif page.width >= NOTES_FROM and part.note:
        spans += [(f"   {part.note}", theme.style("muted"))]
    return make_line(page, spans, column=TEXT_COLUMN)


class ContextScreen(Scrolled, inherit_bindings=False):
    """Shows what ``read`` gives: the report, or why there is none. ``compact`` has the window summarised now."""

    def __init__(
        self,
        look: Look,
        read: Callable[[], Awaitable[JsonObject | str]],
        compact: Callable[[], None],
        cost: Callable[[], None],
    ) -> None:
        self._read = read
        self._compact = compact
        self._cost = cost
        self._rows = ContextBody(look)
        hints = (("c", "compact now"), ("tab", "cost"))
        super().__init__(look, "Context", self._rows, hints)

    def on_mount(self) -> None:
        """Ask for the report."""
        self.run_worker(self._fetch, group="context")

    async def _fetch(self) -> None:
        found = await self._read()
        if isinstance(found, str):
            self._rows.trouble = found
        else:
            self._rows.contents = contents_of(found)
            model = clean(self._rows.contents.model)
            self.title_row.facts = ((model, self.look.theme.style("muted")),)
            self.title_row.redraw()
        self._rows.redraw()

    def take_key(self, key: str) -> bool:
        """Compact, or go on to what it cost."""
        if key not in ("c", "tab"):
            return False
        self.answer()
        (self._compact if key == "c" else self._cost)()
        return True


def _number(data: JsonObject, key: str) -> int:
    value = data.get(key)
    return value if isinstance(value, int) else 0


def _object(value: Any) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def _list(data: JsonObject, key: str) -> list[JsonObject]:
    value = data.get(key)
    return [_object(one) for one in cast("list[Any]", value)] if isinstance(value, list) else []
