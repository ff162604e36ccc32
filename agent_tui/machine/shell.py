"""The real shell behind the ``Shell`` port: one bash per line, bounded in time, memory and what it leaves behind."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shlex
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Literal

import anyio
from anyio import to_thread
from anyio.abc import Process as AsyncProcess

from agent_tui.machine.capture import Capture
from agent_tui.machine.environment import child_environment
from agent_tui.machine.processes import (
    MARK,
    Process,
    end_command,
    end_processes,
    group_is_left,
    is_alive,
    of_command,
    reap,
)
from agent_tui.machine.running import BETWEEN_TELLS, CLEAN_UP, Running
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.ports import (
    Captured,
    Confined,
    LeftRunning,
    OnOutput,
    Sandbox,
    ShellCommand,
    ShellResult,
    Start,
    ToolLimits,
)
from agent_tui.settings.paths import Environment
from agent_tui.settings.private import private_opener

ATTEMPTS = 4
"""How often a sandbox is set up anew before the command is given up."""

NOT_TOLD = b"-"
"""What stands where a command tells its last folder before it has."""


@dataclass(slots=True)
class _Held:
    """What is around a command: None without a sandbox. ``lasts``: something of the command runs on."""

    confined: Confined | None
    lasts: bool = False

    async def let_go(self) -> tuple[str, ...]:
        """Look what the command made, and clean up unless something of it runs on; whatever happens."""
        found: list[str] = []
        if self.confined is not None:
            with anyio.CancelScope(shield=True):
                found += await to_thread.run_sync(self.confined.close)
                if not self.lasts:
                    await to_thread.run_sync(self.confined.release)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class _Ended:
    """How a command ended; see ``ShellResult``. ``left`` are the processes that run on."""

    exit_code: int
    output: Captured
    duration_ms: int
    stopped: Literal["", "timeout", "output"]
    left: tuple[Process, ...]


@dataclass(frozen=True, slots=True)
class _Left:
    """A finished command of which something runs on, and what is around it."""

    mark: str
    group: int
    processes: tuple[Process, ...]
    confined: Confined | None


@dataclass(frozen=True, slots=True)
class _Told:
    """Two files of a call: what bash reads before the line, and where it tells its last folder."""

    start: Path
    cwd: Path


class RealShell:
    """The ``Shell`` port on this machine.

    Args:
        env: what the commands inherit, credentials of ours left out.
        cwd: where the first command runs.
        limits: of the output kept.
        variables: further variables for the commands.
        sandbox: what the commands that it holds run in; None: there is none.
    """

    def __init__(
        self,
        env: Environment,
        cwd: Path,
        limits: ToolLimits | None = None,
        variables: dict[str, str] | None = None,
        sandbox: Sandbox | None = None,
    ) -> None:
        self._env = env
        self._cwd = str(cwd)
        self._limits = limits or ToolLimits()
        self._shell = _find_shell(env)
        self._variables = variables or {}
        self._sandbox = sandbox
        self._own_folder: Path | None = None
        self._left: list[_Left] = []
        self._sinks: list[AsyncProcess] = []
        self._reset_note = ""

    @property
    def cwd(self) -> str:
        """Where the next command will run."""
        return self._cwd

    async def run(self, command: ShellCommand, on_output: OnOutput) -> ShellResult:
        """Run a line; see the port."""
        mark = secrets.token_hex(8)
        sandbox = self._sandbox
        if sandbox is not None and not sandbox.holds(command.line, leaves=command.leaves):
            sandbox = None
        told, before = await to_thread.run_sync(self._prepare, mark, command.dirs, sandbox)
        start = self._start(command, mark, told, sandbox)
        ended, notes = await self._attempts(command, start, sandbox, on_output)
        after = ""
        if not ended.stopped and not command.output_file:
            after = await to_thread.run_sync(self._carry_cwd, told, command.dirs)
        return ShellResult(
            ended.exit_code,
            ended.output,
            ended.duration_ms,
            ended.stopped,
            tuple(note for note in (before, after, *notes) if note),
            tuple(LeftRunning(one.pid, one.command) for one in ended.left),
            command.leaves and self._sandbox is not None and sandbox is None,
        )

    async def _attempts(
        self, command: ShellCommand, start: Start, sandbox: Sandbox | None, on_output: OnOutput
    ) -> tuple[_Ended, tuple[str, ...]]:
        """Run a command, in its sandbox if it has one; give what is to be said of that.

        What was there when we looked may be gone when the sandbox is set up: then we look again.

        Raises:
            PortError: the sandbox could not be set up, so nothing was run.
        """
        why = ""
        for _ in range(ATTEMPTS):
            confined = None if sandbox is None else await to_thread.run_sync(sandbox.confine, start)
            held = _Held(confined)
            notes: tuple[str, ...] = ()
            try:
                ended = await self._live(command, start, held, on_output)
                why = "" if confined is None else _failure(confined, ended)
                if confined is not None and not why:
                    text = ended.output.head + ended.output.tail
                    notes = confined.notes(command.line, ended.exit_code, text)
                    own = confined.inner()
                    left = tuple(one for one in ended.left if one.pid != own)
                    ended = replace(ended, left=left)
            finally:
                found = await held.let_go()
            if not why:
                return ended, (*notes, *found)
        raise PortError(why)

    async def _live(
        self, command: ShellCommand, start: Start, held: _Held, on_output: OnOutput
    ) -> _Ended:
        """Start a command and see it to its end."""
        background = bool(command.output_file)
        file = Path(command.output_file) if background else spill_path(command)
        capture = Capture(file, self._limits.shell_output_chars, keep_file=background)
        if background:
            await to_thread.run_sync(capture.begin)
        running = await _begin(start, held.confined, capture)
        begun = time.monotonic()
        try:
            beside = None if held.confined is None else held.confined.serve
            stopped = await running.follow(command.timeout_ms / 1000, on_output, beside)
            if background:
                await running.end_left()
            left = () if background else await self._look_after(running, stopped, held)
        except BaseException:
            with anyio.move_on_after(CLEAN_UP, shield=True):
                await running.end()
            with anyio.move_on_after(BETWEEN_TELLS, shield=True):
                await on_output(replace(capture.finish(), exit_code=running.exit_code))
            raise
        finally:
            running.close()
        output = await to_thread.run_sync(capture.finish)
        output = replace(output, exit_code=running.exit_code)
        await on_output(output)
        took = round((time.monotonic() - begun) * 1000)
        return _Ended(running.exit_code, output, took, stopped, left)

    async def aclose(self) -> None:
        """End what finished commands left running, and remove the shell's own folder."""
        left, self._left = self._left, []
        async with anyio.create_task_group() as tasks:
            for call in left:
                tasks.start_soon(_end_left, call)
        sinks, self._sinks = self._sinks, []
        for sink in sinks:
            with contextlib.suppress(ProcessLookupError):
                sink.kill()
            await sink.wait()
        if self._own_folder is not None:
            await to_thread.run_sync(shutil.rmtree, self._own_folder, True)
            self._own_folder = None

    def _start(
        self, command: ShellCommand, mark: str, told: _Told, sandbox: Sandbox | None
    ) -> Start:
        variables = {**self._variables, MARK: mark, "BASH_ENV": str(told.start)}
        return Start(
            (self._shell, "-c", command.line),
            child_environment(self._env, variables),
            command.cwd or self._cwd,
            command.dirs,
            str(told.start.parent),
            (str(told.start),),
            (str(told.cwd),) if sandbox is not None else (),
            (command.spill,),
            command.spill,
            lasting=bool(command.output_file),
        )

    async def _look_after(self, running: Running, stopped: str, held: _Held) -> tuple[Process, ...]:
        """Note what a finished command left in the background, and keep its pipe from filling up."""
        if stopped:
            return ()
        reap(process for call in self._left for process in call.processes)
        left = await running.left()
        if left or group_is_left(running.process.pid):
            held.lasts = held.confined is not None
            self._left.append(_Left(running.mark, running.process.pid, left, held.confined))
        if not running.at_end:
            # Someone still holds the pipe. Closed, it would kill a server at its next line of log.
            with contextlib.suppress(OSError):
                self._sinks.append(await running.drain_elsewhere())
        return left

    def _prepare(
        self, mark: str, dirs: tuple[str, ...], sandbox: Sandbox | None
    ) -> tuple[_Told, str]:
        """See to a folder to run in and write the start file. Gives a note if the folder had to be another."""
        if self._own_folder is None or not self._own_folder.is_dir():
            parent = self._env.get("TMPDIR") or None
            self._own_folder = Path(tempfile.mkdtemp(prefix="agent-tui-shell-", dir=parent))
        told = _Told(self._own_folder / f"{mark}.start", self._own_folder / f"{mark}.cwd")
        tells = str(told.cwd)
        if sandbox is not None:
            tells = sandbox.inside(tells)
            with open(told.cwd, "wb", opener=private_opener) as file:
                file.write(NOT_TOLD)  # inside it can be written, not made
        with open(told.start, "wb", opener=private_opener) as file:
            file.write(os.fsencode(_start_text(tells, self._env)))
        return told, self._settle(dirs)

    def _settle(self, dirs: tuple[str, ...]) -> str:
        """Make sure the next command has a folder to run in; say so if it had to be another."""
        note, self._reset_note = self._reset_note, ""
        if Path(self._cwd).is_dir():
            return note
        return self._reset(dirs, f"{_shown(self._cwd)} is gone")

    def _carry_cwd(self, told: _Told, dirs: tuple[str, ...]) -> str:
        """Go where the command went, if that is inside; say so if not."""
        told.start.unlink(missing_ok=True)
        try:
            went = os.fsdecode(told.cwd.read_bytes().removesuffix(b"\n"))
            told.cwd.unlink()
        except OSError:
            went = os.fsdecode(NOT_TOLD)
        if went == os.fsdecode(NOT_TOLD):
            # It ended without telling (`exec`, a signal): nothing is known, nothing changes.
            return ""
        if not went or not Path(went).is_dir():
            # Told with this result and with the next, whose command runs somewhere unexpected.
            self._reset_note = self._reset(dirs, "the folder it was in is gone")
            return self._reset_note
        if self._env.get("CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR") in ("1", "true"):
            return ""
        if went == os.path.realpath(self._cwd):
            return ""
        if not any(_is_inside(went, folder) for folder in dirs):
            return self._reset(dirs, f"{_shown(went)} is outside the working folders")
        self._cwd = went
        return ""

    def _reset(self, dirs: tuple[str, ...], why: str) -> str:
        for folder in (*dirs, str(self._env.home)):
            if Path(folder).is_dir():
                self._cwd = folder
                break
        else:
            self._cwd = "/"
        return f"Shell cwd was reset to {_shown(self._cwd)}: {why}."


async def _begin(start: Start, confined: Confined | None, capture: Capture) -> Running:
    mark = start.env[MARK]
    if confined is not None:
        start = confined.start
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    try:
        process = await anyio.open_process(
            start.argv,
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=subprocess.STDOUT,
            cwd=start.cwd,
            env=start.env,
            start_new_session=True,
            pass_fds=start.fds,
        )
    except (OSError, ValueError) as error:
        os.close(reader)
        raise PortError(_why_not_started(error)) from error
    finally:
        os.close(writer)
    if confined is not None:
        confined.begun()
    return Running(process, reader, mark, capture)


def _failure(confined: Confined, ended: _Ended) -> str:
    """Say why the sandbox could not be set up, empty when the command began."""
    text = ended.output.head + ended.output.tail
    return "" if ended.stopped else confined.failure(ended.exit_code, text)


async def _end_left(call: _Left) -> None:
    if not call.processes or any(is_alive(process) for process in call.processes):
        await end_command(call.mark, call.group)
    else:  # the group's number may be another's by now: go by the mark alone
        await end_processes(await to_thread.run_sync(of_command, call.mark, -1))
    reap(call.processes)
    if call.confined is not None:
        await to_thread.run_sync(call.confined.release)


def spill_path(command: ShellCommand) -> Path:
    """Name the file for a command's whole output; the call's id is the model's and not to be trusted as a name."""
    name = command.call_id
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,100}", name):
        name = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return Path(command.spill) / f"{name}.txt"


def _find_shell(env: Environment) -> str:
    wanted = env.get("CLAUDE_CODE_SHELL")
    if wanted and os.access(wanted, os.X_OK):
        return wanted
    return shutil.which("bash", path=env.get("PATH") or None) or "/bin/sh"


def _start_text(told: str, env: Environment) -> str:
    """Say what bash does before a line it runs, so that the line itself goes to it unchanged.

    At its end the shell tells where it is; a trace (`set -x`) is switched off for that, and no failure counts.
    """
    lines = ["unset BASH_ENV"]
    if given := env.get("BASH_ENV"):
        lines.append(f"export BASH_ENV={shlex.quote(given)}")
    lines += [
        f"[ -r {shlex.quote(file)} ] && . {shlex.quote(file)}"
        for file in (given, env.get("CLAUDE_ENV_FILE"))
        if file
    ]
    tell = f"{{ set +x; builtin pwd -P >| {shlex.quote(told)} || :; }} 2>/dev/null"
    lines.append(f"trap {shlex.quote(tell)} EXIT")
    return "\n".join(lines) + "\n"


def _is_inside(path: str, folder: str) -> bool:
    return Path(path).is_relative_to(os.path.realpath(folder))


def _shown(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _why_not_started(error: OSError | ValueError) -> str:
    if isinstance(error, ValueError):
        return "The command can't be run: it holds a NUL character."
    if error.errno == errno.E2BIG:
        return "The command is too long for one line: write it to a script file and run that."
    return f"The shell could not be started: {error.strerror or error}."
