"""The command line: arguments to ``Options``, one front end, exit codes.

May import: ``protocol``, ``settings``, and a front end through a door. Must not: import anything heavy before a door
is opened. Owns standard error and the exit code: 0 success, 1 the run failed, 2 bad usage, 128+n ended by signal n.
"""

from __future__ import annotations

import argparse
import os
import select
import stat
import sys
import uuid
from pathlib import Path
from typing import NoReturn

from agent_tui import __version__
from agent_tui.protocol.errors import AgentTuiError, UsageError
from agent_tui.protocol.messages import PERMISSION_MODES
from agent_tui.settings.options import (
    LimitOptions,
    ModelOptions,
    Options,
    PermissionOptions,
    PromptOptions,
    SessionOptions,
)
from agent_tui.settings.paths import Environment

MAX_STDIN = 10 * 1024 * 1024
"""Bytes of piped input that may become part of a prompt (reference/cli.md section 1)."""

OUTPUT_FORMATS = ("text", "json", "stream-json")


class _Parser(argparse.ArgumentParser):
    """Turns bad usage into our own exception, so that one place owns the exit code."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}. Try 'agent-tui --help'.")


def build_parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = _Parser(
        prog="agent-tui",
        description="An interactive coding agent for the terminal.",
        epilog="Without -p the screen opens. Piped input becomes part of the prompt.",
    )
    add = parser.add_argument
    add("prompt", nargs="?", help="what you want done")
    add("-p", "--print", dest="print_", action="store_true", help="answer, print and leave")
    add("--output-format", choices=OUTPUT_FORMATS, default=None, help="with -p: how to print")
    add("--verbose", action="store_true", help="with -p: say what happens, turn by turn")
    add("--include-partial-messages", action="store_true", help="with stream-json: raw events too")
    add("--demo", action="store_true", help="a scripted demo model; needs no key and no network")
    add(
        "-c",
        "--continue",
        dest="continue_",
        action="store_true",
        help="go on with the newest session here",
    )
    add(
        "-r",
        "--resume",
        nargs="?",
        const="",
        metavar="ID",
        help="resume a session; without ID a picker",
    )
    add("--session-id", metavar="UUID", help="the id a new session shall have")
    add("--model", help="model id or alias")
    add(
        "--effort",
        choices=("low", "medium", "high", "xhigh", "max"),
        help="how hard the model thinks",
    )
    add("--base-url", metavar="URL", help="a server that speaks the Messages API")
    add("--permission-mode", choices=(*PERMISSION_MODES, "manual"), help="mode to start in")
    add("--allowedTools", "--allowed-tools", nargs="+", action="extend", default=[], metavar="RULE",
        help="what runs without being asked, e.g. 'Bash(git log *)'")  # fmt: skip
    add("--disallowedTools", "--disallowed-tools", nargs="+", action="extend", default=[], metavar="RULE",
        help="what never runs")  # fmt: skip
    add(
        "--add-dir",
        nargs="+",
        action="extend",
        default=[],
        metavar="DIR",
        help="further working folders",
    )
    add("--max-turns", type=int, metavar="N", help="with -p: at most N tool turns")
    add("--max-budget-usd", type=float, metavar="USD", help="stop when this much is spent")
    add("--append-system-prompt", metavar="TEXT", help="add to the system prompt")
    add("--dangerously-skip-permissions", action="store_true", help="start in bypassPermissions")
    add("--allow-dangerously-skip-permissions", action="store_true", help="offer bypassPermissions")
    add("-v", "--version", action="store_true", help="print the version")
    return parser


def main(argv: list[str], env: Environment) -> int:
    """Run with these arguments; give the exit code."""
    try:
        return _run(build_parser().parse_args(argv), env)
    except UsageError as error:
        return _complain(error, 2)
    except AgentTuiError as error:
        return _complain(error, 1)
    except KeyboardInterrupt:
        return 130


def _run(args: argparse.Namespace, env: Environment) -> int:
    if args.version:
        return _print_version()
    _check(args)
    if args.print_:
        options = make_options(args, env, interactive=False)
        prompt = _prompt_with_input(args.prompt)
        return _headless(options, env, prompt, args)
    if not sys.stdout.isatty():
        raise UsageError(
            "there is no terminal to draw on; use 'agent-tui -p \"your prompt\"' to print an answer"
        )
    options = make_options(args, env, interactive=True)
    return _screen(options, env, args.prompt)


def make_options(args: argparse.Namespace, env: Environment, *, interactive: bool) -> Options:
    """Turn parsed arguments into options.

    Raises:
        UsageError: a value can't be used.
    """
    mode = "default" if args.permission_mode == "manual" else args.permission_mode
    if args.dangerously_skip_permissions:
        mode = "bypassPermissions"
    if mode == "bypassPermissions" and os.geteuid() == 0 and env.get("IS_SANDBOX") != "1":
        raise UsageError(
            "bypassPermissions as root is refused; use another user, "
            "or set IS_SANDBOX=1 if this machine is a sandbox"
        )
    try:
        cwd = Path.cwd()
    except FileNotFoundError:
        raise UsageError(
            "the current folder does not exist any more; change to one that does"
        ) from None
    return Options(
        cwd=str(cwd),
        model=ModelOptions(args.model, args.effort, args.base_url),
        limits=LimitOptions(args.max_turns, args.max_budget_usd),
        permissions=PermissionOptions(
            mode=mode,
            allowed_tools=_rules(args.allowedTools),
            disallowed_tools=_rules(args.disallowedTools),
            add_dirs=tuple(_folder(cwd, name) for name in args.add_dir),
            allow_bypass=bool(
                args.dangerously_skip_permissions
                or args.allow_dangerously_skip_permissions
                or mode == "bypassPermissions"
            ),
        ),
        session=SessionOptions(
            continue_newest=args.continue_,
            resume=args.resume,
            session_id=args.session_id,
            from_print=args.print_,
        ),
        prompts=PromptOptions(append_system_prompt=args.append_system_prompt),
        partial_messages=interactive or args.include_partial_messages,
        interactive=interactive,
        demo=args.demo,
    )


def _check(args: argparse.Namespace) -> None:
    if args.print_ and args.output_format == "stream-json" and not args.verbose:
        raise UsageError("--output-format stream-json with -p needs --verbose")
    if not args.print_ and (args.output_format or args.max_turns is not None):
        raise UsageError("--output-format and --max-turns go with -p")
    if args.include_partial_messages and args.output_format != "stream-json":
        raise UsageError("--include-partial-messages goes with --output-format stream-json")
    if args.max_budget_usd is not None and not args.max_budget_usd > 0:
        raise UsageError("--max-budget-usd must be more than 0")
    if args.max_turns is not None and args.max_turns < 0:
        raise UsageError("--max-turns can't be negative; 0 means no limit")
    if args.continue_ and args.resume is not None:
        raise UsageError("--continue and --resume exclude each other")
    if args.print_ and args.resume == "":
        raise UsageError("--resume needs a session id with -p")
    if args.session_id is not None:
        try:
            uuid.UUID(args.session_id)
        except ValueError:
            raise UsageError(f"--session-id must be a UUID, not {args.session_id!r}") from None


def _rules(values: list[str]) -> tuple[str, ...]:
    """Split rule lists at commas and blanks outside parentheses: ``Bash(git log *),Read`` are two."""
    rules: list[str] = []
    for value in values:
        depth, start = 0, 0
        for at, char in enumerate(value + ","):
            depth += (char == "(") - (char == ")" and depth > 0)
            if depth == 0 and char in ", ":
                if value[start:at].strip():
                    rules.append(value[start:at].strip())
                start = at + 1
        if depth:
            rules.append(value[start:].strip())
    return tuple(rules)


def _folder(cwd: Path, name: str) -> str:
    folder = (cwd / Path(name).expanduser()).resolve()
    if not folder.is_dir():
        raise UsageError(f"--add-dir {name}: no such folder")
    return str(folder)


def _prompt_with_input(prompt: str | None) -> str:
    """Give the prompt, with what was piped in; a pipe that stays open and silent is not waited for."""
    piped = _piped_text(wait_for_all=prompt is None)
    if not (prompt or piped).strip():
        raise UsageError("-p needs a prompt, as an argument or on standard input")
    if not piped.strip():
        return prompt or ""
    return piped if prompt is None else f"{prompt}\n\n{piped}"


def _piped_text(*, wait_for_all: bool) -> str:
    """Read standard input when it is a pipe or a file.

    With a prompt given (``wait_for_all`` false) a pipe that shows nothing for a short moment is left alone.
    """
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return ""
    if stat.S_ISCHR(mode):
        return ""
    is_pipe = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
    data = b""
    while len(data) <= MAX_STDIN:
        if is_pipe and not wait_for_all and not _readable(0.3 if not data else 2.0):
            break
        chunk = os.read(0, 1 << 16)
        if not chunk:
            break
        data += chunk
    if len(data) > MAX_STDIN:
        raise UsageError(
            "standard input is larger than 10 MB; write it to a file and name the file"
        )
    return data.decode("utf-8", "replace")


def _readable(seconds: float) -> bool:
    return bool(select.select([0], [], [], seconds)[0])


def _screen(options: Options, env: Environment, prompt: str | None) -> int:
    """Door to the screen; its imports (textual) cost a third of a second."""
    from agent_tui.tui.main import main as screen  # door: cli -> tui

    if not sys.stdin.isatty():
        piped = _piped_text(wait_for_all=True)
        if piped.strip():
            prompt = f"{prompt}\n\n{piped}" if prompt else piped
        _take_terminal()
    return screen(options, env, prompt)


def _take_terminal() -> None:
    """Read keys from the terminal although standard input is a pipe."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        raise UsageError(
            "standard input is no terminal; use 'agent-tui -p' to give the text as a prompt"
        ) from None
    os.dup2(terminal, 0)
    os.close(terminal)


def _headless(options: Options, env: Environment, prompt: str, args: argparse.Namespace) -> int:
    """Door to ``-p``; loads the engine into this process."""
    from agent_tui.headless.main import main as headless  # door: cli -> headless

    return headless(options, env, prompt, args.output_format or "text", verbose=args.verbose)


def _print_version() -> int:
    sys.stdout.write(f"{__version__} (agent-tui)\n")
    return 0


def _complain(error: AgentTuiError, code: int) -> int:
    text = "".join(c if c.isprintable() or c == "\n" else "?" for c in str(error))
    sys.stderr.write(f"agent-tui: {text}\n")
    return code
