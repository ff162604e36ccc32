"""A shell line in the background: what Bash does with ``run_in_background``."""

from __future__ import annotations

from pathlib import Path

from agent_tui.protocol.background import BackgroundTask, Ended
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import CommandDisplay
from agent_tui.protocol.ports import Captured, PortError, ShellCommand, ShellResult
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.definition import failed
from agent_tui.tools.excerpts import excerpt
from agent_tui.tools.exit_codes import describe, interpretation
from agent_tui.tools.paths import shown
from agent_tui.tools.quoted import quoted

REPORT_CHARS = 2_000
"""So much of the output is told with the end of the command; the file has all of it."""

WORDS_CHARS = 80
NO_BACKGROUND = "Nothing can run in the background here: run the command without run_in_background."


async def begin(
    line: str, description: str, timeout_ms: int | None, call: ToolCall, *, leaves: bool = False
) -> ToolOutput:
    """Start a line and give what names it. It runs on until its end, its limit, a stop, or the session's end."""
    background, shell, limits = call.ports.background, call.ports.shell, call.ports.limits
    timeout = min(timeout_ms or limits.background_timeout_ms, limits.background_max_timeout_ms)
    display = CommandDisplay(line, description, shown(shell.cwd), timeout)
    if background is None:
        return failed(NO_BACKGROUND, display)
    task_id = background.new_id("local_bash")
    file = str(Path(call.spill) / f"{task_id}.txt")
    command = ShellCommand(
        line,
        timeout,
        task_id,
        str(call.spill),
        tuple(str(folder) for folder in call.working_dirs or (call.cwd,)),
        output_file=file,
        cwd=shell.cwd,
        leaves=leaves,
    )
    words = description or _words(line)

    async def work() -> Ended:
        result = await shell.run(command, _quiet)
        return _ended(words, line, timeout, result)

    task = BackgroundTask(task_id, "local_bash", words, call.id, file, command=line)
    try:
        await background.start(task, work)
    except PortError as error:
        return failed(str(error), display)
    text = (
        f"The command runs in the background as {task_id}. Its output goes to {shown(file)}. "
        "You are told when it has ended."
    )
    return ToolOutput(text, display, _data(task_id, file), is_error=False)


def _ended(words: str, line: str, timeout_ms: int, result: ShellResult) -> Ended:
    code, output = result.exit_code, result.output
    fine = code == 0 or interpretation(line, code, output.head) is not None
    match result.stopped:
        case "timeout":
            how = f"ended at its time limit of {timeout_ms / 1000:g} s"
        case "output":
            how = "ended because of its endless output"
        case _:
            how = f"{'completed' if fine else 'failed'} ({describe(code)})"
    return Ended(
        "completed" if fine and not result.stopped else "failed",
        f"Command {words!r} {how}",
        _report(result),
        code,
    )


def _report(result: ShellResult) -> str:
    notes = (f"[{note}]" for note in result.notes)
    return "\n".join((quoted(excerpt(result.output, REPORT_CHARS)).strip(), *notes)).strip()


def _words(line: str) -> str:
    first = " ".join(line.split())
    return first if len(first) <= WORDS_CHARS else f"{first[: WORDS_CHARS - 1]}…"


def _data(task_id: str, file: str) -> JsonObject:
    return {
        "stdout": "",
        "stderr": "",
        "interrupted": False,
        "isImage": False,
        "noOutputExpected": False,
        "backgroundTaskId": task_id,
        "rawOutputPath": shown(file),
    }


async def _quiet(output: Captured) -> None:
    """Nobody watches it: the file has everything."""
