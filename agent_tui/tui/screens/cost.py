"""The cost screen: what each model used and cost, what each prompt cost, and what a cold cache would cost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from agent_tui.protocol.looking import ModelSpent, PromptSpent, Spent
from agent_tui.tui.blocks.prompt import local_time
from agent_tui.tui.facts import counted
from agent_tui.tui.lines import (
    FACT_GAP,
    Line,
    Page,
    Span,
    blank_line,
    cut,
    make_line,
    spans_width,
    width_of,
)
from agent_tui.tui.look import Look
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.charts import thin_bar
from agent_tui.tui.screens.scrolled import Scrolled
from agent_tui.view import figures
from agent_tui.view.clean import clean

WIDE, MIDDLE = 100, 70
"""From these widths on there is room for all columns and bars; for the cache's columns."""
MOST_TEXT, LEAST_TEXT = 45, 12
BAR = 38


class CostBody(Sheet):
    """Sums, models, prompts."""

    def __init__(self, look: Look, budget_usd: float | None) -> None:
        super().__init__(look)
        self.spent: Spent | None = None
        self.trouble = ""
        self._budget = budget_usd

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the rows."""
        spent = self.spent
        if spent is None:
            words = self.trouble or "adding up"
            return [make_line(page, [(clean(words), page.theme.style("muted"))])]
        rows = [*self._sums(page, spent), blank_line(page)]
        if not spent.models:
            rows.append(make_line(page, [("Nothing was asked of a model yet.", page.theme.style("muted"))]))  # fmt: skip
            return rows
        rows += _models(page, spent.models)
        if spent.prompts:
            rows += [blank_line(page), *_prompts(page, spent.prompts)]
        return rows

    def _sums(self, page: Page, spent: Spent) -> list[Line]:
        theme = page.theme
        text, muted = theme.style("text"), theme.style("muted")
        total = figures.money(spent.total_usd)
        if self._budget:
            total += f" of {figures.limit(self._budget)}"
        left: list[Span] = [(total, theme.style("strong", bold=True))]
        if self._budget and spent.total_usd is not None:
            left.append((f"  {spent.total_usd / self._budget:.0%}", muted))
        facts: list[Span] = []
        if spent.cache_share is not None:
            facts += [("cache ", muted), (f"{spent.cache_share:.0%}", text), (" of input", muted)]
        if spent.warm_for is not None:
            warm = f", warm for {figures.clock(spent.warm_for)}" if spent.warm_for else ", cold now"
            facts.append((warm, muted))
        if spent.cold_usd is not None and spent.window_tokens:
            facts += [(FACT_GAP if facts else "", muted), ("cold resend ", muted)]
            facts.append((figures.money(spent.cold_usd, digits=2), text))
        if spans_width([*left, *facts]) + 3 <= page.text_width:
            return [make_line(page, left, facts=facts)]
        return [make_line(page, left), make_line(page, facts)]


def _models(page: Page, models: Sequence[ModelSpent]) -> list[Line]:
    """Draw the table: numbers right, the head muted over a rule."""
    theme = page.theme
    heads = ["Model", "Input", "Cache read", "Cache write", "Output", "Cost"]
    cells = [
        [
            clean(model.model),
            figures.tokens(model.input),
            figures.tokens(model.cache_read),
            figures.tokens(model.cache_write),
            figures.tokens(model.output),
            figures.money(model.cost_usd),
        ]
        for model in models
    ]
    if page.width < MIDDLE:
        heads[2:4], cells = ["Cached"], [[*row[:2], row[2], *row[4:]] for row in cells]
    gap = 3 if page.width >= WIDE else 2
    widths = [max(width_of(row[at]) for row in [heads, *cells]) for at in range(len(heads))]
    room = page.text_width - sum(widths[1:]) - gap * (len(widths) - 1)
    widths[0] = min(widths[0], max(room, LEAST_TEXT // 2))
    if page.width >= WIDE:
        widths[0] = max(widths[0], 18)

    def line(row: Sequence[str], *, head: bool) -> Line:
        spans: list[Span] = []
        for at, (cell, width) in enumerate(zip(row, widths, strict=True)):
            shown = cut(cell, width, page.glyphs.cut)
            pad = " " * (width - width_of(shown))
            style = theme.style("muted" if head else "strong" if at == len(row) - 1 else "text")
            spans.append(((shown + pad if at == 0 else " " * gap + pad + shown), style))
        return make_line(page, spans)

    rule = page.glyphs.rule * min(page.text_width, sum(widths) + gap * (len(widths) - 1))
    return [
        line(heads, head=True),
        make_line(page, [(rule, theme.style("line"))]),
        *(line(row, head=False) for row in cells),
    ]


def _prompts(page: Page, prompts: Sequence[PromptSpent]) -> list[Line]:
    """Draw a row for each prompt; the dearest one stands out."""
    largest = max((prompt.cost_usd or 0 for prompt in prompts), default=0)
    return [_prompt(page, prompt, largest) for prompt in prompts]


def _prompt(page: Page, prompt: PromptSpent, largest: float) -> Line:
    theme = page.theme
    cost = figures.money(prompt.cost_usd)
    turns = counted(prompt.turns, "turn") if page.width >= MIDDLE else ""
    time = local_time(prompt.time)
    fixed = width_of(time) + 2 + (11 if turns else 0) + 10
    bars = page.width >= WIDE
    room = min(MOST_TEXT, page.text_width - fixed - (BAR + 3 if bars else 0))
    said = cut(clean(" ".join(prompt.text.split())), max(room, LEAST_TEXT), page.glyphs.cut)
    fill = " " * max(0, max(room, LEAST_TEXT) - width_of(said))
    spans: list[Span] = [(f"{time}  ", theme.style("muted")), (said + fill, theme.style("text"))]
    if turns:
        spans.append((f"{turns:>11}", theme.style("muted")))
    spans.append((f"{cost:>10}", theme.style("strong")))
    if bars:
        dearest = bool(largest) and prompt.cost_usd == largest
        bar = thin_bar(page, prompt.cost_usd or 0, largest, BAR, "accent" if dearest else "muted")
        spans += [("   ", theme.style("text")), bar]
    return make_line(page, spans)


class CostScreen(Scrolled, inherit_bindings=False):
    """Shows what ``read`` gives: what was spent, or why that can't be told."""

    def __init__(
        self,
        look: Look,
        read: Callable[[], Awaitable[Spent | str]],
        budget_usd: float | None,
        context: Callable[[], None],
    ) -> None:
        self._read = read
        self._to_context = context
        self._rows = CostBody(look, budget_usd)
        super().__init__(look, "Cost", self._rows, (("tab", "context"),))

    def on_mount(self) -> None:
        """Ask for it."""
        self.run_worker(self._fetch, group="cost")

    async def _fetch(self) -> None:
        found = await self._read()
        if isinstance(found, str):
            self._rows.trouble = found
        else:
            self._rows.spent = found
        self._rows.redraw()

    def take_key(self, key: str) -> bool:
        """Go on to what fills the window."""
        if key != "tab":
            return False
        self.answer()
        self._to_context()
        return True
