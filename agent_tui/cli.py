"""The command line: one front end is chosen and run, its end becomes an exit code.

May import: ``protocol``, ``settings`` (whose ``flags`` reads the arguments), and a front end through a door. Must not:
import anything heavy before a door is opened. Owns standard error and the exit code: 0 success, 1 the run failed, 2 bad
usage, 128+n ended by signal n.
"""

from __future__ import annotations

import argparse
import os
import select
import stat
import sys

from agent_tui import __version__
from agent_tui.protocol.errors import AgentTuiError, UsageError
from agent_tui.settings.flags.checks import check, streams
from agent_tui.settings.flags.making import make_options
from agent_tui.settings.flags.parser import build_parser
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment

PERMISSIONS_USAGE = {
    "check": "It takes one call, in quotes: agent-tui permissions check 'git push -f'",
    "list": "It takes nothing but options: agent-tui permissions list",
}
MAX_STDIN = 10 * 1024 * 1024
"""Bytes of piped input that may become part of a prompt (reference/cli.md section 1)."""


def main(argv: list[str], env: Environment) -> int:
    """Run with these arguments; give the exit code."""
    try:
        if argv[:1] == ["permissions"] and argv[1:2] in (["check"], ["list"]):
            return _permissions(argv[1], argv[2:], env)
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
    args.print_ = args.print_ or streams(args)
    check(args)
    if args.print_:
        options = make_options(args, env, interactive=False)
        if streams(args):
            return _stream(options, env, replay=args.replay_user_messages)
        prompt = _prompt_with_input(args.prompt)
        return _headless(options, env, prompt, args)
    if not sys.stdout.isatty():
        raise UsageError(
            "there is no terminal to draw on; use 'agent-tui -p \"your prompt\"' to print an answer"
        )
    options = make_options(args, env, interactive=True)
    if args.watch is not None:
        return _watch(options, env, args.watch)
    if args.line or env.get("TERM") in ("", "dumb"):  # a cursor can't be placed there
        return _line(options, env, args.prompt)
    return _screen(options, env, args.prompt)


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
    """Door to the screen; its imports (textual) cost a third of a second, in which the terminal answers a question."""
    from agent_tui.tui.paper import asking  # door: cli -> tui

    with asking(env) as paper:
        from agent_tui.tui.main import main as screen  # door: cli -> tui

        if not sys.stdin.isatty():
            piped = _piped_text(wait_for_all=True)
            if piped.strip():
                prompt = f"{prompt}\n\n{piped}" if prompt else piped
            _take_terminal()
        return screen(options, env, prompt, paper=paper)


def _watch(options: Options, env: Environment, wanted: str) -> int:
    """Door to the screen, for another window's session."""
    from agent_tui.tui.paper import asking  # door: cli -> tui

    with asking(env) as paper:
        from agent_tui.tui.main import watch  # door: cli -> tui

        if not sys.stdin.isatty():
            _take_terminal()
        return watch(options, env, wanted, paper=paper)


def _line(options: Options, env: Environment, prompt: str | None) -> int:
    """Door to the session as plain lines."""
    from agent_tui.line.main import main as line  # door: cli -> line

    return line(options, env, prompt)


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


def _stream(options: Options, env: Environment, *, replay: bool) -> int:
    """Door to prompts as lines of JSON; loads the engine into this process."""
    from agent_tui.headless.stream import main as stream  # door: cli -> headless

    return stream(options, env, replay=replay)


def _permissions(verb: str, argv: list[str], env: Environment) -> int:
    """Door to what would be decided, without a session. Other words after ``permissions`` are a prompt's."""
    from agent_tui.headless.permissions import HELP  # door: cli -> headless
    from agent_tui.headless.permissions import main as permissions

    words = argv[: argv.index("--")] if "--" in argv else argv
    if "--help" in words or "-h" in words:
        sys.stdout.write(HELP)
        return 0
    as_json = "--json" in words
    if as_json:
        argv.remove("--json")
    args = build_parser().parse_args(argv)
    if (args.prompt is None) == (verb == "check"):
        raise UsageError(f"what to {verb}? " + PERMISSIONS_USAGE[verb])
    options = make_options(args, env, interactive=False)
    return permissions(verb, args.prompt, options, env, as_json=as_json)


def _print_version() -> int:
    sys.stdout.write(f"{__version__} (agent-tui)\n")
    return 0


def _complain(error: AgentTuiError, code: int) -> int:
    text = "".join(c if c.isprintable() or c == "\n" else "?" for c in str(error))
    sys.stderr.write(f"agent-tui: {text}\n")
    return code
