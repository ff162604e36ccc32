"""Describes the command line to ``argparse``, group by group."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NoReturn, TypeAlias

from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import PERMISSION_MODES

OUTPUT_FORMATS = ("text", "json", "stream-json")
INPUT_FORMATS = ("text", "stream-json")
EFFORTS = ("low", "medium", "high", "xhigh", "max")


Add: TypeAlias = Callable[..., object]
"""``add_argument`` of a group."""


class Parser(argparse.ArgumentParser):
    """Turns bad usage into our own exception, so that one place owns the exit code."""

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments.

        Raises:
            UsageError: always.
        """
        raise UsageError(f"{message}. Try 'agent-tui --help'.")


def build_parser() -> Parser:
    """Describe the command line."""
    parser = Parser(
        prog="agent-tui",
        description="An interactive coding agent for the terminal.",
        epilog="Without -p the screen opens. Piped input becomes part of the prompt.",
        allow_abbrev=False,
    )
    parser.add_argument("prompt", nargs="?", help="what you want done")
    parser.add_argument("-v", "--version", action="store_true", help="print the version")
    parser.add_argument(
        "--demo", action="store_true", help="a scripted demo model; needs no key and no network"
    )
    parser.add_argument(
        "--line", action="store_true", help="no screen: plain lines, as screen readers want them"
    )
    _printing(parser.add_argument_group("without a screen").add_argument)
    _session(parser.add_argument_group("session").add_argument)
    _model(parser.add_argument_group("model").add_argument)
    _permissions(parser.add_argument_group("permissions and tools").add_argument)
    _rest(parser.add_argument_group("prompts and settings").add_argument)
    return parser


def _printing(add: Add) -> None:
    add("-p", "--print", dest="print_", action="store_true", help="answer, print and leave")
    add("--output-format", choices=OUTPUT_FORMATS, help="with -p: how to print")
    add("--input-format", choices=INPUT_FORMATS, help="with -p: what standard input holds")
    add("--verbose", action="store_true", help="with -p: say what happens, turn by turn")
    add("--include-partial-messages", action="store_true", help="with stream-json: raw events too")
    add("--include-hook-events", action="store_true", help="with stream-json: what hooks did too")
    add("--forward-subagent-text", action="store_true", help="with stream-json: sub-agents' words too")  # fmt: skip
    add("--replay-user-messages", action="store_true", help="with stream-json both ways: say prompts back")  # fmt: skip
    add("--json-schema", metavar="SCHEMA", help="with -p: the answer is data of this JSON schema (text or file)")  # fmt: skip
    add("--max-turns", type=int, metavar="N", help="with -p: at most N tool turns")
    add("--permission-prompt-tool", metavar="TOOL", help="with -p: the MCP tool that is asked for approval")  # fmt: skip
    add("--no-session-persistence", action="store_true", help="with -p: write nothing to disk")


def _session(add: Add) -> None:
    add("-c", "--continue", dest="continue_", action="store_true", help="go on with the newest session here")  # fmt: skip
    add("-r", "--resume", nargs="?", const="", metavar="ID", help="resume a session; without ID a picker")  # fmt: skip
    add("--fork-session", action="store_true", help="go on in a copy; the original stays as it is")
    add("--resume-session-at", metavar="UUID", help="resume up to and including this message")
    add("--resume-drops-turn", metavar="UUID", help="refuse unless what is left out begins with this prompt")  # fmt: skip
    add("--session-id", metavar="UUID", help="the id a new session shall have")
    add("--watch", nargs="?", const="", metavar="ID", help="watch a session that another window runs; nothing can be sent")  # fmt: skip
    add("-n", "--name", metavar="TITLE", help="a title for the session")


def _model(add: Add) -> None:
    add("--model", help="model id or alias")
    add("--fallback-model", metavar="A,B", help="models to go on with when the one before is overloaded")  # fmt: skip
    add("--effort", choices=EFFORTS, help="how hard the model thinks")
    add("--thinking", choices=("adaptive", "enabled", "disabled"), help="whether the model thinks")
    add("--thinking-display", choices=("summarized", "omitted"), help="how its thinking is shown")
    add("--max-thinking-tokens", type=int, metavar="N", help="budget for thinking; 0 is off")
    add("--task-budget", type=int, metavar="N", help="tokens the model is told to get along with")
    add("--betas", action="append", default=[], metavar="A,B", help="beta flags to send")
    add("--base-url", metavar="URL", help="a server that speaks the Messages API")
    add("--max-budget-usd", type=float, metavar="USD", help="stop when this much is spent")


def _permissions(add: Add) -> None:
    add("--permission-mode", choices=(*PERMISSION_MODES, "manual"), help="mode to start in")
    add("--allowedTools", "--allowed-tools", nargs="+", action="extend", default=[], metavar="RULE",
        help="what runs without being asked, e.g. 'Bash(git log *)'")  # fmt: skip
    add("--disallowedTools", "--disallowed-tools", nargs="+", action="extend", default=[], metavar="RULE",
        help="what never runs")  # fmt: skip
    add("--dangerously-skip-permissions", action="store_true", help="start in bypassPermissions")
    add("--allow-dangerously-skip-permissions", action="store_true", help="offer bypassPermissions")
    add("--add-dir", nargs="+", action="extend", default=[], metavar="DIR", help="further working folders")  # fmt: skip
    add("--sandbox", action="store_true", help="run shell commands in a sandbox")
    add("--tools", metavar="A,B", help="the built-in tools there are; '' is none, 'default' the usual")  # fmt: skip
    add("--agents", metavar="JSON", help="sub-agents by name, as JSON or a file")
    add("--mcp-config", nargs="+", action="extend", default=[], metavar="CONFIG",
        help="MCP servers, as JSON or files")  # fmt: skip
    add("--strict-mcp-config", action="store_true", help="no MCP servers but those of --mcp-config")


def _rest(add: Add) -> None:
    add("--system-prompt", metavar="TEXT", help="instead of our own system prompt")
    add("--system-prompt-file", metavar="FILE", help="the same, from a file")
    add("--append-system-prompt", metavar="TEXT", help="add to the system prompt")
    add("--append-system-prompt-file", metavar="FILE", help="the same, from a file")
    add("--trust", action="store_true", help="for this run, let what the project's files bring take effect")  # fmt: skip
    add("--settings", metavar="SETTINGS", help="further settings, as JSON or a file")
    add("--setting-sources", metavar="A,B", help="which settings files count: user, project, local")
