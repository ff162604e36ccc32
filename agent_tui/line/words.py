"""Blocks of the transcript as plain lines: words instead of places, signs and colours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from agent_tui.protocol.display import (
    AgentDisplay,
    CommandDisplay,
    DiffDisplay,
    FileDisplay,
    PlanDisplay,
    QuestionDisplay,
    SearchDisplay,
    TaskListDisplay,
    TextDisplay,
)
from agent_tui.view import figures
from agent_tui.view.blocks import (
    Block,
    CompactBlock,
    ErrorBlock,
    NoticeBlock,
    PromptBlock,
    ResultBlock,
    ThoughtBlock,
    ToolBlock,
)
from agent_tui.view.clean import clean, exact

OUTPUT_LINES = 12
"""Lines of a command's output that are read out; the rest is counted."""
DIFF_LINES = 200
ARGUMENT = 200
"""Characters of a call's argument."""

_LEVELS = {"warning": "Warning: ", "error": "Error: ", "suggestion": "Suggestion: "}
_MARKS = {"completed": "done", "in_progress": "in progress", "pending": "to do"}
_STRETCHES = {"+": "Added:", "-": "Removed:"}
_ARGUMENTS = ("command", "file_path", "path", "pattern", "url", "query", "description", "skill")


def finished(block: Block, *, asked: bool = False) -> list[str]:
    """Say a block that will not change any more; an answer is said elsewhere, while it comes.

    ``asked``: the person was asked about the call, and has heard the change in it.
    """
    match block:
        case PromptBlock(text=text):
            return [f"You: {line}" if at == 0 else line for at, line in enumerate(_lines(text))]
        case ThoughtBlock(seconds=seconds):
            return [f"(Thought for {figures.clock(seconds)})"] if seconds else []
        case ToolBlock():
            return call(block, asked=asked)
        case NoticeBlock(level=level, text=text):
            first, *rest = _lines(text) or [""]
            return [f"{_LEVELS.get(level, '')}{first}", *rest]
        case ResultBlock():
            return [result(block)]
        case CompactBlock(before_tokens=before, after_tokens=after):
            return [_compacted(before, after)]
        case ErrorBlock(text=text):
            return [f"Error: {clean(text)}"]
        case _:
            return []


def result(block: ResultBlock) -> str:
    """Say how a run ended, in a line."""
    turns = "1 turn" if block.turns == 1 else f"{block.turns} turns"
    facts = f"{turns}, {figures.tokens(block.tokens)} tokens, {figures.money(block.cost_usd)}"
    took = figures.clock(block.duration_ms / 1000)
    if block.subtype == "success":
        return f"(Done: {facts}, {took})"
    stopped = block.subtype == "error_during_execution" and not block.why
    why = "" if stopped else f": {clean(block.why or block.subtype)}"
    return f"(Stopped{why}; {facts}, {took})"


def begun(block: ToolBlock) -> str:
    """Say that a call runs."""
    return f"{called(block)} ..."


def called(block: ToolBlock) -> str:
    """Say which call it is: tool and what it is about."""
    about = _about(block)
    return f"{_name(block.name)}: {about}" if about else _name(block.name)


def call(block: ToolBlock, *, asked: bool = False) -> list[str]:
    """Say a call that has ended, and of what came back what matters now."""
    state = {"failed": "failed", "stopped": "not run" if not block.elapsed_ms else "stopped"}
    how = state.get(block.state, "")
    ran = how != "not run"
    facts = ", ".join(filter(None, (how, *(_facts(block) if ran else ()))))
    head = f"{called(block)} ({facts})" if facts else called(block)
    heard = asked and block.state == "done" and isinstance(block.display, DiffDisplay)
    return [head] if heard else [head, *(f"  {line}" for line in _body(block))]


def _about(block: ToolBlock) -> str:
    match block.display:
        case CommandDisplay(command=text):
            pass
        case DiffDisplay(path=text) | FileDisplay(path=text):
            pass
        case SearchDisplay(pattern=pattern, path=path):
            text = f"{pattern} in {path}" if path else pattern
        case AgentDisplay(description=text):
            pass
        case QuestionDisplay() | PlanDisplay() | TaskListDisplay():
            text = ""
        case _:
            given = (block.input.get(key) for key in _ARGUMENTS)
            text = next((value for value in given if isinstance(value, str)), "")
    line = " ".join(exact(text).split())
    return line if len(line) <= ARGUMENT else f"{line[:ARGUMENT]}..."


def _facts(block: ToolBlock) -> list[str]:
    out: list[str] = []
    match block.display:
        case CommandDisplay(exit_code=code, timed_out=late):
            if late:
                out.append("ran out of time")
            elif code:
                out.append(f"exit code {code}")
        case DiffDisplay(added=added, removed=removed):
            out.append(f"{added} added, {removed} removed")
        case FileDisplay(total_lines=int(total)):
            out.append("1 line" if total == 1 else f"{total} lines")
        case SearchDisplay(matches=int(count)):
            out.append("1 match" if count == 1 else f"{count} matches")
        case _:
            pass
    if block.elapsed_ms and block.elapsed_ms >= 1000:
        out.append(figures.clock(block.elapsed_ms / 1000))
    return out


def _body(block: ToolBlock) -> list[str]:
    match block.display:
        case CommandDisplay():
            return output(block.display)
        case DiffDisplay():
            return diff(block.display) if block.state == "done" else _why(block)
        case TaskListDisplay(tasks=tasks):
            return [f"{clean(task.subject)}: {_MARKS[task.status]}" for task in tasks]
        case QuestionDisplay(questions=questions):
            return [f"{clean(q.question)} {clean(q.answer)}" for q in questions if q.answer]
        case PlanDisplay(outcome=outcome) if outcome:
            return _lines(outcome)
        case AgentDisplay(report=report):
            return _lines(report)[:OUTPUT_LINES]
        case TextDisplay(text=text) if text and not block.looked:
            return _few(_lines(text), 0)
        case _:
            return _why(block)


def _why(block: ToolBlock) -> list[str]:
    if block.state not in ("failed", "stopped"):
        return []
    return [] if block.why == "refused" else _few(_lines(block.why or block.result), 0)


def output(shown: CommandDisplay) -> list[str]:
    """Give what a command printed: its end, and how much came before."""
    lines = [clean(line) for line in (*shown.head, *shown.tail)]
    return _few(lines, shown.hidden_lines)


def _few(lines: Sequence[str], hidden: int) -> list[str]:
    """Keep the end of many lines, and count the others."""
    left = max(0, len(lines) - OUTPUT_LINES) + hidden
    kept = list(lines[-OUTPUT_LINES:])
    if not left:
        return kept
    return [f"({'1 line' if left == 1 else f'{left} lines'} before this)", *kept]


def diff(shown: DiffDisplay) -> list[str]:
    """Give a change stretch by stretch: what is removed, added or stays is said once, before its lines."""
    out: list[str] = []
    for hunk in shown.hunks:
        where = f" in {exact(hunk.heading)}" if hunk.heading else ""
        out.append(f"At line {hunk.new_start}{where}:")
        for sign, lines in groupby(hunk.lines, key=lambda line: line[:1]):
            out.append(_STRETCHES.get(sign, "Unchanged:"))
            out += [f"  {exact(line[1:])}" for line in lines]
    if len(out) > DIFF_LINES:
        out = [*out[:DIFF_LINES], f"({len(out) - DIFF_LINES} more lines)"]
    if shown.truncated:
        out.append(f"({shown.truncated} lines are not shown)")
    return out


def _compacted(before: int | None, after: int | None) -> str:
    if before is None or after is None:
        return "(The conversation was summarised)"
    return (
        f"(The conversation was summarised: {figures.tokens(before)} tokens before, "
        f"{figures.tokens(after)} after)"
    )


def _name(name: str) -> str:
    prefix, _, rest = clean(name).partition("__")
    server, _, tool = rest.partition("__")
    return f"{tool} of {server}" if prefix == "mcp" and tool else clean(name)


def _lines(text: str) -> list[str]:
    return clean(text).rstrip("\n").split("\n") if text.strip() else []
