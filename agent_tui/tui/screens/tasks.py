"""The tasks screen: what the model has still to do, and what runs in the background."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import events
from textual.app import ComposeResult

from agent_tui.tui.displays.drawing import Options, render_display
from agent_tui.tui.facts import counted, duration, short_path
from agent_tui.tui.lines import Line, Page, Span, blank_line, join_facts, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.panes.completion import chosen_line
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.help import Hints, Title
from agent_tui.tui.screens.overlay import Overlay
from agent_tui.tui.screens.times import Tasks
from agent_tui.tui.theme import Background, TextRole
from agent_tui.view import figures
from agent_tui.view.clean import clean
from agent_tui.view.works import Work, Works, running

LABELLED = 80
"""From this width on a work's id and kind stand before it."""


class _Body(Sheet):
    """Both lists; one work is chosen."""

    def __init__(self, look: Look, tasks: Tasks) -> None:
        super().__init__(look, id="tasks-body")
        self.fills = True
        self.tasks = tasks
        self.at = 0
        self._chosen_row = 0

    @property
    def current(self) -> Work | None:
        """The chosen work, None when there is none."""
        works = self._works()
        return works[min(self.at, len(works) - 1)] if works else None

    def move(self, by: int) -> None:
        """Choose another one; without any, scroll."""
        works = self._works()
        if not works:
            self.scroll(by)
            return
        self.at = max(0, min(min(self.at, len(works) - 1) + by, len(works) - 1))
        self.redraw()
        last = self.top + self.size.height - 3
        self.scroll(min(0, self._chosen_row - self.top) or max(0, self._chosen_row - last))

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the rows."""
        todo = self._todo(page)
        rows = [*todo, blank_line(page)] if todo else []
        rows += self._background(page, len(rows))
        if not todo and not self.tasks.works:
            words = "Nothing to do, and nothing runs in the background."
            return [make_line(page, [(words, page.theme.style("muted"))])]
        return rows

    def _works(self) -> Works:
        """Give what runs first, then what has ended, the newest first."""
        works = self.tasks.works
        return (*(w for w in works if not w.over), *(w for w in reversed(works) if w.over))

    def _todo(self, page: Page) -> list[Line]:
        todo = self.tasks.todo
        if todo is None or not todo.tasks:
            return []
        done = sum(task.status == "completed" for task in todo.tasks)
        rows = [_section(page, "To do", f"{done} of {len(todo.tasks)} done")]
        return [*rows, *render_display(todo, page, Options(expanded=True))]

    def _background(self, page: Page, before: int) -> list[Line]:
        works = self._works()
        count = running(works)
        said = counted(count, "task") + " running" if count else "nothing running"
        rows = [_section(page, "In the background", said)]
        for work in works:
            if work is self.current:
                self._chosen_row = before + len(rows)
            rows += self._work(page, work, chosen=work is self.current)
        return rows

    def _work(self, page: Page, work: Work, *, chosen: bool) -> list[Line]:
        theme = page.theme
        on: Background = "select" if chosen else "bg"
        glyph, role = _mark(work, page)
        kind = (work.agent_type or "agent") if work.agent else "command"
        spans: list[Span] = [(f"{glyph} ", theme.style(role, on))]
        if page.width >= LABELLED:
            spans.append((f"{clean(work.id)}  {clean(kind)}  ", theme.style("muted", on)))
        about = clean(" ".join(work.description.split()))
        spans.append((about, theme.style("strong", on, bold=chosen or None)))
        facts = self._facts(page, work, on)
        rows = [chosen_line(page, spans, chosen=chosen, facts=facts)]
        if chosen:
            words: list[str] = [clean(work.summary)]
            if page.width < LABELLED:
                words.insert(0, clean(work.id))
            if work.output_file:
                words.append(clean(short_path(page, work.output_file)))
            said = "   ".join(word for word in words if word)
            if said:
                rows.append(make_line(page, [(said, theme.style("muted"))], column=5))
        return rows

    def _facts(self, page: Page, work: Work, on: Background) -> list[Span]:
        theme = page.theme
        muted = theme.style("muted", on)
        facts: list[Sequence[Span]] = []
        if work.agent and work.tool_uses and page.width >= LABELLED:
            words: list[str] = [clean(work.last)] if work.last and not work.over else []
            words.append(counted(work.tool_uses, "call"))
            if work.total_tokens:
                words.append(f"{figures.tokens(work.total_tokens)} tok")
            facts.append([("  ".join(words), muted)])
        facts.append([(work.state, theme.style(_mark(work, page)[1], on))])
        elapsed = self.tasks.elapsed_ms.get(work.id, work.duration_ms)
        if work.over and elapsed is not None:
            facts.append([(duration(work.duration_ms or elapsed), muted)])
        elif elapsed is not None:
            facts.append([(figures.clock(elapsed / 1000), theme.style("text", on))])
        return join_facts(facts, ("   ", muted))


def _section(page: Page, title: str, said: str) -> Line:
    theme = page.theme
    spans = [(title, theme.style("strong", bold=True)), (f"  {said}", theme.style("muted"))]
    return make_line(page, spans)


def _mark(work: Work, page: Page) -> tuple[str, TextRole]:
    glyphs = page.glyphs
    match work.state:
        case "running":
            return glyphs.running, "accent"
        case "completed":
            return glyphs.allowed, "ok"
        case "failed":
            return glyphs.failed, "error"
        case "stopped":
            return glyphs.stopped, "muted"


class TasksScreen(Overlay[None], inherit_bindings=False):
    """Shows both lists, up to date while it is open. ``tasks`` gives them; ``stop`` ends a work by its id."""

    AUTO_FOCUS = ""

    def __init__(self, look: Look, tasks: Callable[[], Tasks], stop: Callable[[str], None]) -> None:
        super().__init__()
        self._look = look
        self._tasks = tasks
        self._stop = stop
        self._body = _Body(look, tasks())

    def compose(self) -> ComposeResult:
        """Title, lists, hints."""
        yield Title(self._look, "Tasks", id="tasks-title")
        yield self._body
        yield Hints(self._look, (("up down", "move"), ("x", "stop it"), ("esc", "back")))

    def on_mount(self) -> None:
        """The times go on."""
        self.set_interval(1.0, self.renew)

    def renew(self) -> None:
        """Show what is true now."""
        self._body.tasks = self._tasks()
        self._body.redraw()

    def on_key(self, event: events.Key) -> None:
        """Choose, stop, or go back."""
        step = {"up": -1, "k": -1, "down": 1, "j": 1}.get(event.key)
        if step is not None:
            self._body.move(step)
        elif event.key in ("pageup", "pagedown"):
            self._body.scroll(10 if event.key == "pagedown" else -10)
        elif event.key in ("x", "delete"):
            work = self._body.current
            if work is not None and not work.over:
                self._stop(work.id)
        elif event.key in ("escape", "q", "ctrl+c", "ctrl+d") or self._opens(event.key):
            self.answer()
        else:
            return
        event.stop()

    def _opens(self, key: str) -> bool:
        """Whether a key is the one that opens this screen: it closes it, too."""
        return self._look.habits.keys.action(key, "screen") == "screen:tasks"

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll."""
        self._body.scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll."""
        self._body.scroll(-3)
