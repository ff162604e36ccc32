"""Bash: a line for the shell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pydantic import Field, field_validator

from agent_tui.protocol.access import Access, RunCommand
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import CommandDisplay, Display
from agent_tui.protocol.ports import Captured, PortError, ShellCommand, ShellResult, ToolLimits
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.background_command import begin
from agent_tui.tools.base import InvalidInputError, ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.excerpts import cut_lines, excerpt
from agent_tui.tools.exit_codes import describe, interpretation
from agent_tui.tools.paths import shown

FAILURE_CHARS = 10_000
PREVIEW_CHARS = 2_000
LIVE_LINES = 40
DISPLAY_LINES = 200


class BashArguments(Arguments):
    """Input of Bash."""

    command: str = Field(description="The line to run")
    timeout: int | None = Field(None, ge=1, description="Time limit in milliseconds")
    description: str | None = Field(None, description="What the command does")
    run_in_background: bool | None = Field(None, description="Don't wait for its end")
    dangerouslyDisableSandbox: bool | None = Field(  # noqa: N815 - the documented name
        None, description="Run outside the sandbox, if there is one; the person is asked"
    )

    @field_validator("command")
    @classmethod
    def _command(cls, value: str) -> str:
        if not value.strip():
            raise InvalidInputError("`command` is empty: give a line to run.")
        if "\0" in value:
            raise InvalidInputError("`command` holds a NUL character, which no command can.")
        return value


class Bash(BuiltinTool[BashArguments]):
    """Runs a line with bash in the session's shell folder.

    Args:
        told: what its description says of the sandbox, empty where there is none.
    """

    name = "Bash"
    arguments = BashArguments
    timeout_hint_ms: int | None = ToolLimits().shell_timeout_ms

    def __init__(self, told: str = "") -> None:
        self._sandbox = told

    def schema(self) -> JsonObject:
        """Give the definition; it tells of the sandbox, if there is one."""
        given = super().schema()
        if not self._sandbox:
            return given
        return {**given, "description": f"{given['description']}\n{self._sandbox}"}

    def access(self, args: BashArguments, cwd: Path) -> Access:
        """Runs the line."""
        return RunCommand(args.command, str(cwd), leaves=args.dangerouslyDisableSandbox or False)

    def preview(self, args: BashArguments, cwd: Path) -> Display:
        """Show the line, where it will run and its own time limit."""
        return CommandDisplay(args.command, args.description or "", shown(str(cwd)), args.timeout)

    async def run(self, args: BashArguments, call: ToolCall) -> ToolOutput:
        """Run the line. When cancelled, ``call.progress`` is told of the output until then before this ends."""
        if args.run_in_background:
            return await begin(
                args.command,
                args.description or "",
                args.timeout,
                call,
                leaves=args.dangerouslyDisableSandbox or False,
            )
        shell, limits = call.ports.shell, call.ports.limits
        timeout = min(args.timeout or limits.shell_timeout_ms, limits.shell_max_timeout_ms)
        live = CommandDisplay(args.command, args.description or "", shown(shell.cwd), timeout)

        async def tell(output: Captured) -> None:
            await call.progress(_with_output(live, output))

        command = ShellCommand(
            args.command,
            timeout,
            call.id,
            str(call.spill),
            tuple(str(folder) for folder in call.working_dirs or (call.cwd,)),
            leaves=args.dangerouslyDisableSandbox or False,
        )
        try:
            result = await shell.run(command, tell)
        except PortError as error:
            return failed(str(error), live)
        display = _finished(live, result)
        meaning = interpretation(args.command, result.exit_code, result.output.head)
        notes = _notes(result)
        if result.stopped or (result.exit_code != 0 and meaning is None):
            return failed("\n".join([_failure(result, timeout), *notes]), display)
        text = "\n".join([_success(result.output, limits, meaning), *notes])
        return ToolOutput(text, display, _structured(result, limits, meaning), is_error=False)


def _success(output: Captured, limits: ToolLimits, meaning: str | None) -> str:
    if not output.total_bytes or not (output.head + output.tail).strip():
        return f"[No output. {meaning}.]" if meaning else "[The command succeeded without output.]"
    if _fits(output, limits):
        return output.head.removesuffix("\n")
    where = (
        f"All of it is in {shown(output.path)} (look at it with Read or Grep). "
        if output.path
        else "It could not be kept in a file. "
    )
    return (
        f"[The output is too long to show: {output.total_bytes:,} bytes, {output.total_lines:,} lines. {where}"
        f"Its beginning and end:]\n{excerpt(output, PREVIEW_CHARS)}"
    )


def _failure(result: ShellResult, timeout_ms: int) -> str:
    output = result.output
    match result.stopped:
        case "timeout":
            first = (
                f"Timed out after {timeout_ms / 1000:g} s: the command and all it had started was ended. "
                f"{describe(result.exit_code)}. Output until then:"
            )
        case "output":
            first = f"Ended because of its endless output. {describe(result.exit_code)}. It began and ended:"
        case _:
            first = describe(result.exit_code)
    if not (output.head + output.tail).strip():
        return f"{first}\n[No output.]"
    lines = [first, excerpt(output, FAILURE_CHARS).removesuffix("\n")]
    if not output.complete or len(output.head) > FAILURE_CHARS:
        where = f"; all of it is in {shown(output.path)}" if output.path else ""
        lines.append(
            f"[The output was {output.total_bytes:,} bytes, {output.total_lines:,} lines{where}.]"
        )
    return "\n".join(lines)


def _notes(result: ShellResult) -> list[str]:
    notes = [f"[{note}]" for note in result.notes]
    if result.left_running:
        left = ", ".join(f"{one.pid} ({one.command[:80]})" for one in result.left_running[:5])
        notes.append(f"[Still running in the background, until the session ends: process {left}.]")
    return notes


def _structured(result: ShellResult, limits: ToolLimits, meaning: str | None) -> JsonObject:
    output = result.output
    fits = _fits(output, limits)
    data: JsonObject = {
        "stdout": output.head.removesuffix("\n") if fits else excerpt(output, PREVIEW_CHARS),
        "stderr": "",
        "interrupted": False,
        "isImage": False,
        "noOutputExpected": False,
    }
    if result.left_sandbox:
        data["dangerouslyDisableSandbox"] = True
    if meaning:
        data["returnCodeInterpretation"] = meaning
    if not fits and output.path:
        data["persistedOutputPath"] = shown(output.path)
        data["persistedOutputSize"] = output.total_bytes
    return data


def _fits(output: Captured, limits: ToolLimits) -> bool:
    return output.complete and len(output.head) <= limits.shell_output_chars


def _finished(live: CommandDisplay, result: ShellResult) -> CommandDisplay:
    return replace(
        _with_output(live, result.output),
        exit_code=result.exit_code,
        timed_out=result.stopped == "timeout",
        duration_ms=result.duration_ms,
    )


def _with_output(live: CommandDisplay, output: Captured) -> CommandDisplay:
    """Put the output's first and last lines into the display; while it runs, only the last."""
    if output.exit_code is None:
        head, tail = cut_lines(output, 0, LIVE_LINES)
    else:
        head, tail = cut_lines(output, DISPLAY_LINES, DISPLAY_LINES)
    return replace(
        live,
        exit_code=output.exit_code,
        head=head,
        tail=tail,
        hidden_lines=max(output.total_lines - len(head) - len(tail), 0),
        output_bytes=output.total_bytes,
        output_path=None if output.path is None else shown(output.path),
    )


TOOL = Bash()
