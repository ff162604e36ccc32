"""A tool call: one head row with what and how it went, and the part of its body that matters now."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.segment import Segment
from textual.strip import Strip

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import (
    AgentDisplay,
    CommandDisplay,
    DiffDisplay,
    Display,
    PlanDisplay,
    QuestionDisplay,
    TaskListDisplay,
)
from agent_tui.tui.blocks.drawing import View, render_block
from agent_tui.tui.displays.command import own_output
from agent_tui.tui.displays.drawing import Head, Options, render_display, render_head
from agent_tui.tui.displays.task_list import changes
from agent_tui.tui.displays.text import draw_text
from agent_tui.tui.facts import counted, cut_path, duration, short_path
from agent_tui.tui.lines import (
    FACT_GAP,
    Line,
    Page,
    Span,
    join_facts,
    make_line,
    spans_width,
)
from agent_tui.tui.output import fold_row, output_rows
from agent_tui.tui.stack import Stack
from agent_tui.tui.theme import TextRole
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view import figures
from agent_tui.view.blocks import AnswerBlock, Block, ToolBlock
from agent_tui.view.clean import clean, exact
from agent_tui.view.decisions import decision_words
from agent_tui.view.outcomes import words_against
from agent_tui.view.shell_lines import NAME

_TELLING = (
    "command",
    "file_path",
    "path",
    "pattern",
    "url",
    "query",
    "description",
    "prompt",
    "skill",
)
"""Arguments that say best what a call is about, best first."""


_CALLED = {
    "AskUserQuestion": "Question",
    "ExitPlanMode": "Plan",
    "EnterPlanMode": "Plan mode",
    "TaskCreate": "Tasks",
    "TaskUpdate": "Tasks",
    "TaskList": "Tasks",
    "TaskGet": "Tasks",
}
"""What a person calls these."""


INDENT = 2
"""Columns by which the rows of a sub-agent are moved in."""
LEAST_ARGUMENT = 12
"""Cells that what a call is about has on a narrow page, if it is that long."""
SIDE_BY_SIDE = 140
"""From this width on a change of a file is shown in two columns."""
SAID_ROWS = 2
"""Rows of what was said against a call that are shown of themselves."""
_TELL_ALL = (
    CommandDisplay,
    DiffDisplay,
    QuestionDisplay,
    PlanDisplay,
    TaskListDisplay,
    AgentDisplay,
)
"""Displays that hold all that was asked for, so that the arguments need not be shown beside them."""


def draw(block: Block, page: Page, view: View) -> Sequence[Line]:
    """Draw the head, and the body that its state calls for."""
    assert isinstance(block, ToolBlock)
    if view.brief and isinstance(block.display, TaskListDisplay) and not view.expanded:
        return (fold_tasks((block,), page),)
    head = _head(block, page, view)
    body = _body(block, page, view)
    return Stack((head,), body) if body else (head,)


def _head(block: ToolBlock, page: Page, view: View) -> Line:
    head = _said(block, page)
    theme = page.theme
    glyph, role = _mark(block, page)
    spans = [*_name(block.name, page), ("  ", theme.style("text")), *head.argument]
    told = _fitting(block, _facts(block, head, page, view), spans, page)
    facts = join_facts(told, (FACT_GAP, theme.style("muted")))
    lead = [(" ", theme.style("text")), (glyph, theme.style(role))]
    line = make_line(page, spans, lead=lead, facts=facts)
    line.folds = True
    return line


def _said(block: ToolBlock, page: Page) -> Head:
    if block.display is not None:
        head = render_head(_without_output(block, block.display), page)
        if head.argument:
            return head
    argument = exact(_argument(block.input)).replace("\n", " ").replace("\t", " ")
    if argument.startswith("/"):
        argument = cut_path(short_path(page, argument), page.text_width - 34, page.glyphs.cut)
    return Head(((argument, page.theme.style("text")),) if argument else ())


def _without_output(block: ToolBlock, display: Display) -> Display:
    """Give what a head is made of: where the output stands below it, it need not be counted."""
    if block.name == NAME and isinstance(display, CommandDisplay):
        return replace(display, head=(), tail=(), hidden_lines=0)
    return display


def _name(name: str, page: Page) -> list[Span]:
    """Give a tool's name; one of an MCP server with the server's before it."""
    theme = page.theme
    strong = theme.style("strong", bold=True)
    prefix, _, rest = clean(name).partition("__")
    server, _, tool = rest.partition("__")
    if prefix == "mcp" and tool:
        return [(f"{server} ", theme.style("muted")), (tool, strong)]
    return [(_CALLED.get(name) or clean(name), strong)]


def _argument(tool_input: JsonObject) -> str:
    for key in _TELLING:
        value = tool_input.get(key)
        if isinstance(value, str) and value:
            return value
    return json.dumps(tool_input, ensure_ascii=False) if tool_input else ""


def _mark(block: ToolBlock, page: Page) -> tuple[str, TextRole]:
    glyphs = page.glyphs
    match block.behind:
        case "running":
            return glyphs.running, "accent"
        case "failed":
            return glyphs.failed, "error"
        case "stopped":
            return glyphs.stopped, "muted"
        case _:
            pass
    match block.state:
        case "queued":
            return glyphs.queued, "text"
        case "running":
            return glyphs.running, "accent"
        case "asking":
            return glyphs.asking, "warning"
        case "done":
            return glyphs.done, "muted" if block.looked else "ok"
        case "failed":
            return glyphs.failed, "error"
        case "stopped":
            return glyphs.stopped, "muted"


def _facts(block: ToolBlock, head: Head, page: Page, view: View) -> list[Sequence[Span]]:
    theme = page.theme
    muted = theme.style("muted")
    elapsed = view.elapsed_ms if view.elapsed_ms is not None else block.elapsed_ms
    facts: list[Sequence[Span]] = []
    agent = isinstance(block.display, AgentDisplay)
    match block.state:
        case "queued":
            facts.append([("queued", muted)])
        case "running":
            facts.extend(head.facts if agent else ())
            if not facts:
                facts.append([("running", theme.style("accent"))])
            facts.append(_clock(block, page, elapsed or 0))
        case "asking":
            facts.append([("waiting for you", theme.style("warning"))])
            facts.append([(figures.clock((elapsed or 0) / 1000), muted)])
        case "done" | "failed":
            facts.extend(head.facts)
            if block.state == "failed" and not isinstance(block.display, CommandDisplay):
                facts = [[("failed", theme.style("error", bold=True))]]
            if block.behind:
                facts.append([_behind(block, page)])
            elif elapsed is not None and elapsed >= 50:
                facts.append([(duration(elapsed), muted)])
        case "stopped":
            facts.extend(head.facts if agent else ())
            facts.append([(_stopped(block), theme.style("text"))])
            if elapsed is not None:
                facts.append([(figures.clock(elapsed / 1000), muted)])
    return facts


def _fitting(
    block: ToolBlock, facts: list[Sequence[Span]], spans: Sequence[Span], page: Page
) -> list[Sequence[Span]]:
    """Leave out facts until what the call is about can be read: first what the glyph says as well, last how it went."""
    least = min(spans_width(spans), spans_width(spans[:-1]) + LEAST_ARGUMENT)

    def room() -> int:
        return page.text_width - sum(spans_width(fact) + len(FACT_GAP) for fact in facts)

    while len(facts) > 1 and room() < least:
        said = ["".join(text for text, _ in fact) for fact in facts]
        spare = "exit 0" if "exit 0" in said else "running" if block.state == "running" else ""
        del facts[said.index(spare) if spare in said else -1]
    return facts


def _behind(block: ToolBlock, page: Page) -> Span:
    """Say what became of the work that a call left in the background."""
    theme = page.theme
    where = "in the background"
    match block.behind:
        case "running":
            return where, theme.style("accent")
        case "failed":
            return f"failed {where}", theme.style("error", bold=True)
        case "stopped":
            return f"stopped {where}", theme.style("text")
        case "completed":
            return f"ended {where}", theme.style("muted")
        case _:
            return where, theme.style("muted")


def _clock(block: ToolBlock, page: Page, elapsed: int) -> list[Span]:
    theme = page.theme
    spans: list[Span] = [(figures.clock(elapsed / 1000), theme.style("text"))]
    if isinstance(block.display, CommandDisplay) and block.display.timeout_ms:
        limit = figures.clock(block.display.timeout_ms / 1000)
        spans.append((f" of {limit}", theme.style("muted")))
    return spans


def _stopped(block: ToolBlock) -> str:
    if block.why == "refused":
        match block.display:
            case QuestionDisplay():
                return "not answered"
            case PlanDisplay():
                return "not approved"
            case _:
                return "refused"
    if not block.why:
        return "stopped" if block.elapsed_ms is not None or not block.result else "not run"
    return f"refused by {clean(block.why)}"


def _body(block: ToolBlock, page: Page, view: View) -> Sequence[Line]:
    options = Options(
        expanded=view.expanded,
        running=block.state == "running",
        failed=block.state == "failed",
        wrap=view.expanded,
        side_by_side=page.width >= SIDE_BY_SIDE and not view.unified and _changes(block.display),
    )
    if view.expanded:
        return _whole(block, page, options)
    if block.state == "stopped":
        return _words_against(block, page)
    if block.state in ("queued", "asking"):
        return ()
    if (
        block.name == NAME
        and block.state != "running"
        and isinstance(block.display, CommandDisplay)
    ):
        return own_output(block.display, page)
    rows: Sequence[Line] = ()
    if block.display is not None and not _needs_no_body(block):
        rows = render_display(block.display, page, options)
    said = block.result.strip()
    if block.state == "failed" and not rows and said and not _is_silent_exit(block.display):
        rows = draw_text(page, _error(block), Options(max_rows=2))
    by_model = block.decision is not None and block.decision.by == "classifier"
    return Stack(_decided(block, page), rows) if by_model else rows


def _changes(display: Display | None) -> bool:
    """Whether lines of a file became others, so that two columns say more than one."""
    return isinstance(display, DiffDisplay) and bool(display.added and display.removed)


def _words_against(block: ToolBlock, page: Page) -> list[Line]:
    """Draw the beginning of what was said against a call."""
    said = clean(words_against(block)).expandtabs(4)
    broken = wrap_prose([(said, page.theme.style("muted"))], page.prose_width) if said else []
    rows = [make_line(page, row.spans, glue=row.glue) for row in broken]
    if len(rows) > SAID_ROWS + 1:
        return [*rows[:SAID_ROWS], fold_row(page, counted(len(rows) - SAID_ROWS, "more line"))]
    return rows


def _needs_no_body(block: ToolBlock) -> bool:
    """Whether what a display shows is not what has come of the call, or no news."""
    match block.display:
        case DiffDisplay():
            return block.state == "failed"
        case TaskListDisplay():
            return block.looked
        case _:
            return False


def _is_silent_exit(display: Display | None) -> bool:
    """Whether a command failed without a word: its exit code, which the head tells, is all there is."""
    return (
        isinstance(display, CommandDisplay)
        and bool(display.exit_code)
        and not display.output_bytes
        and not (display.head or display.tail)
    )


def _whole(block: ToolBlock, page: Page, options: Options) -> Sequence[Line]:
    """Draw everything there is: the display's own body, else what was asked and what came back."""
    display, report = block.display, ""
    if isinstance(display, AgentDisplay) and block.inside:
        # what it reported comes last, and only once: its last words are among what it said
        report = "" if isinstance(block.inside[-1], AnswerBlock) else display.report
        display = replace(display, report="")
    rows = render_display(display, page, options) if display is not None else ()
    out = _decided(block, page)
    if isinstance(block.display, CommandDisplay | DiffDisplay) and block.state != "failed" and rows:
        return Stack(out, rows) if out else rows
    if not isinstance(block.display, _TELL_ALL):
        out.extend(_asked(block, page))
    out.extend(rows)
    out.extend(_inside(block, page))
    if report:
        out.extend(render_display(AgentDisplay("", report=report), page, options))
    if block.result.strip() and (not rows or words_against(block)):
        out.extend(output_rows(page, _error(block).split("\n")))
    return out


def _inside(block: ToolBlock, page: Page) -> Iterator[Line]:
    """Draw what a sub-agent did, two columns in: its calls row by row, those that only looked together."""
    inner = replace(page, width=page.width - INDENT)
    looked: list[ToolBlock] = []
    for one in (*block.inside, None):
        if isinstance(one, ToolBlock) and one.looked and one.state == "done":
            looked.append(one)
            continue
        if looked:
            rows = (
                render_block(looked[0], inner)
                if len(looked) == 1
                else (fold_looking(looked, inner),)
            )
            yield from (_indented(line, page) for line in rows)
            looked = []
        if one is not None:
            yield from (_indented(line, page) for line in render_block(one, inner))


def _indented(line: Line, page: Page) -> Line:
    """Give a row moved to the right; it belongs to the card, which alone can be folded."""
    blank = Segment(" " * INDENT, page.theme.style("text"))
    strip = Strip([blank, *line.strip], line.strip.cell_length + INDENT)
    return replace(line, strip=strip, start=line.start + INDENT, end=line.end + INDENT, folds=False)


def _decided(block: ToolBlock, page: Page) -> list[Line]:
    """Say who let the call run, or kept it from running."""
    if block.decision is None:
        return []
    facts = f"  {page.glyphs.between}  ".join(decision_words(block.decision, page.home))
    words = exact(facts).replace("\n", " ").replace("\t", " ")
    return [make_line(page, [(words, page.theme.style("muted"))])]


def _asked(block: ToolBlock, page: Page) -> list[Line]:
    muted, text = page.theme.style("muted"), page.theme.style("text")
    rows: list[Line] = []
    for key, value in block.input.items():
        said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        first, *more = clean(said).expandtabs(4).split("\n")
        tail = f" {page.glyphs.cut}" if more else ""
        rows.append(make_line(page, [(f"{clean(key)}  ", muted), (first + tail, text)]))
    return rows


def _error(block: ToolBlock) -> str:
    text = clean(block.result.strip())
    return text.removeprefix("<tool_use_error>").removesuffix("</tool_use_error>").strip()


def merge_lists(blocks: Sequence[ToolBlock]) -> ToolBlock:
    """Make of calls that changed the task list one after another one call that shows all their changes."""
    last = blocks[-1]
    assert isinstance(last.display, TaskListDisplay)
    changed = {
        task.id
        for block in blocks
        if isinstance(block.display, TaskListDisplay)
        for task in block.display.tasks
        if task.changed
    }
    tasks = tuple(replace(task, changed=task.id in changed) for task in last.display.tasks)
    return replace(last, display=replace(last.display, tasks=tasks), elapsed_ms=None)


def fold_tasks(blocks: Sequence[ToolBlock], page: Page) -> Line:
    """Draw calls that changed the task list as one row: what they changed, and how far it was then."""
    merged = merge_lists(blocks)
    assert isinstance(merged.display, TaskListDisplay)
    muted = page.theme.style("muted")
    glyph, role = _mark(merged, page)
    lead = [(" ", muted), (glyph, page.theme.style(role))]
    spans = [*_name(merged.name, page), ("  ", muted), *changes(merged.display, page)]
    line = make_line(page, spans, lead=lead)
    line.folds = True
    return line


def fold_looking(blocks: Sequence[ToolBlock], page: Page) -> Line:
    """Draw finished calls that only looked as one row: each with its argument, or counts where there is no room."""
    theme = page.theme
    muted = theme.style("muted")
    elapsed = sum(block.elapsed_ms or 0 for block in blocks)
    facts: list[Span] = [(duration(elapsed), muted)] if elapsed >= 50 else []
    lead = [(" ", muted), (page.glyphs.done, muted)]
    between = (f"  {page.glyphs.between}  ", muted)
    spans: list[Span] = []
    for block in blocks:
        if spans:
            spans.append(between)
        spans += [*_name(block.name, page), ("  ", muted), *_said(block, page).argument]
    room = page.text_width - (spans_width(facts) + len(FACT_GAP) if facts else 0)
    if page.width < 70 or spans_width(spans) > room:
        spans = _counts(blocks, page, between)
    line = make_line(page, spans, lead=lead, facts=facts)
    line.folds = True
    return line


def _counts(blocks: Sequence[ToolBlock], page: Page, between: Span) -> list[Span]:
    counts: dict[str, int] = {}
    for block in blocks:
        name = _CALLED.get(block.name, block.name)
        counts[name] = counts.get(name, 0) + 1
    spans: list[Span] = []
    for name, count in counts.items():
        if spans:
            spans.append(between)
        said = counted(count, "file") if name == "Read" else str(count)
        spans += [*_name(name, page), ("  ", between[1]), (said, page.theme.style("text"))]
    return spans
