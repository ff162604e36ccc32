"""A shell command: what it says while it runs, what matters when it failed, all of it when expanded."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent_tui.protocol.display import CommandDisplay, Display
from agent_tui.tui.coderows import code_rows
from agent_tui.tui.displays.drawing import Head, Options
from agent_tui.tui.facts import counted
from agent_tui.tui.lines import Line, Page, Span, make_line
from agent_tui.tui.output import OUTPUT_LINES, fold_row, output_rows
from agent_tui.tui.stack import Stack

MATTERING = 2
"""Lines of a failed command that are shown of themselves."""
OWN_LINES = 20
"""Lines of the output of a line that the person ran."""

_FAILURE = re.compile(
    r"\b(?:FAILED|FAIL|ERROR|Error|error|fatal|panic|Traceback|[A-Za-z.]+(?:Error|Exception)|not found|denied|cannot)\b"
)
_BAD = re.compile(r"\b(?:FAILED|FAIL|ERROR|error|fatal|panicked|[1-9]\d* (?:failed|errors?))\b")
_SUMMARY = re.compile(r"\b\d+ (?:passed|failed|skipped|errors?|warnings?|tests?)\b(?:, \d+ \w+)*")
_RULERS = re.compile(r"^[=\-_*#~ ]{2,}|[=\-_*#~ ]{2,}$")


def head(display: Display, page: Page) -> Head:
    """Say the command, and how it went."""
    assert isinstance(display, CommandDisplay)
    theme = page.theme
    first, *more = display.command.strip().split("\n")
    text = first + (f" {page.glyphs.cut}" if more else "")
    return Head(((text.expandtabs(4), theme.style("text")),), tuple(_facts(display, page)))


def body(display: Display, page: Page, options: Options) -> Sequence[Line]:
    """Give the newest lines of a running command, the last ones that matter of a failed one, else nothing."""
    assert isinstance(display, CommandDisplay)
    if options.expanded:
        return _everything(display, page)
    if options.running:
        return _live(display, page, options)
    return _what_matters(display, page, options) if options.failed else ()


def own_output(display: CommandDisplay, page: Page) -> Sequence[Line]:
    """Give the output of a line that the person ran, who wants to see it: all of a short one, of a long one the end."""
    lines = [*display.head, *display.tail]
    while lines and not lines[-1].strip():
        lines.pop()
    shown = lines[-OWN_LINES:]
    hidden = len(lines) - len(shown) + display.hidden_lines
    rows = list(output_rows(page, shown))
    return [fold_row(page, counted(hidden, "earlier line")), *rows] if hidden else rows


def _facts(display: CommandDisplay, page: Page) -> list[tuple[Span, ...]]:
    theme = page.theme
    muted = theme.style("muted")
    facts: list[tuple[Span, ...]] = []
    bad = display.exit_code not in (0, None)
    total = _total(display)
    if display.exit_code == 0 and total:
        summary = _summary(display)
        if summary:
            facts.append(((summary, theme.style("text")),))
        else:
            facts.append(((f"{page.glyphs.folded} {counted(total, 'line')}", muted),))
    if display.timed_out:
        facts.append((("timed out", theme.style("error", bold=True)),))
    elif display.exit_code is not None and not display.interrupted:
        style = theme.style("error", bold=True) if bad else muted
        facts.append(((_exit(display.exit_code), style),))
    return facts


def _exit(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit {code}"


def _total(display: CommandDisplay) -> int:
    return len(display.head) + display.hidden_lines + len(display.tail)


def _summary(display: CommandDisplay) -> str:
    """Find the line of counts that test tools end with."""
    for line in reversed([*display.head, *display.tail][-5:]):
        found = _SUMMARY.search(line)
        if found:
            return found[0]
    return ""


def _live(display: CommandDisplay, page: Page, options: Options) -> list[Line]:
    most = OUTPUT_LINES if options.max_rows is None else options.max_rows
    lines = [*display.head, *display.tail]
    while lines and not lines[-1].strip():
        lines.pop()
    shown = lines[-most:] if most else []
    rows: list[Line] = []
    for at, line in enumerate(shown):
        role = "text" if at == len(shown) - 1 else "muted"
        style = page.theme.style(role)
        rows.append(make_line(page, [(line.expandtabs(4), style)], source=line))
    earlier = len(lines) - len(shown) + display.hidden_lines
    if earlier:
        rows.append(fold_row(page, counted(earlier, "earlier line")))
    return rows


def _what_matters(display: CommandDisplay, page: Page, options: Options) -> list[Line]:
    most = MATTERING if options.max_rows is None else options.max_rows
    if page.width < 70:
        most = 1
    lines = [*display.head, *display.tail]
    telling = [line for line in lines if _FAILURE.search(line)] or [x for x in lines if x.strip()]
    last = next((line for line in reversed(lines) if line.strip()), "")
    if last and telling[-1:] != [last] and _SUMMARY.search(last):
        telling.append(last)
    shown = telling[-most:] if most else []
    hidden = _total(display) - len(shown)
    rows: list[Line] = []
    for at, line in enumerate(shown):
        facts: list[Span] = []
        if hidden > 0 and at == len(shown) - 1:
            more = counted(hidden, "more line" if page.width >= 70 else "line")
            facts = [(f"{page.glyphs.folded} {more}", page.theme.style("muted"))]
        row = make_line(page, _marked(page, line), facts=facts, source=line)
        row.folds = bool(facts)
        rows.append(row)
    return rows


def _marked(page: Page, line: str) -> list[Span]:
    """Draw what went wrong in the error colour, the rest muted; ornaments at both ends go."""
    theme = page.theme
    text = _RULERS.sub("", line.strip()).expandtabs(4)
    spans: list[Span] = []
    at = 0
    for match in _BAD.finditer(text):
        if match.start() > at:
            spans.append((text[at : match.start()], theme.style("muted")))
        spans.append((match[0], theme.style("error")))
        at = match.end()
    if at < len(text):
        spans.append((text[at:], theme.style("muted")))
    return spans


def _everything(display: CommandDisplay, page: Page) -> Sequence[Line]:
    command = display.command.strip("\n").split("\n")
    parts: list[Sequence[Line]] = []
    if len(command) > 1 or len(command[0]) > page.text_width - 30:
        parts.append(code_rows(page, command))
    parts.append(output_rows(page, display.head))
    if display.hidden_lines:
        where = f", all in {display.output_path}" if display.output_path else ""
        text = f"{counted(display.hidden_lines, 'line')} left out{where}"
        muted = page.theme.style("muted")
        parts.append((make_line(page, [(f"{page.glyphs.left_out} {text}", muted)]),))
    parts.append(output_rows(page, display.tail))
    return Stack(*parts)
