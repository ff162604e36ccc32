"""Which options go together: a table of conflicts, each with a sentence that says what to do."""

from __future__ import annotations

import argparse
import uuid

from agent_tui.protocol.errors import UsageError

NEEDS_PRINT = {
    "--output-format": "output_format",
    "--json-schema": "json_schema",
    "--max-turns": "max_turns",
    "--permission-prompt-tool": "permission_prompt_tool",
    "--no-session-persistence": "no_session_persistence",
}
NEEDS_STREAM = {
    "--include-partial-messages": "include_partial_messages",
    "--include-hook-events": "include_hook_events",
    "--forward-subagent-text": "forward_subagent_text",
    "--replay-user-messages": "replay_user_messages",
}


NOT_WATCHING = {
    "-p": "print_",
    "--line": "line",
    "--continue": "continue_",
    "--resume": "resume",
    "--fork-session": "fork_session",
    "--session-id": "session_id",
    "--name": "name",
    "--demo": "demo",
    "a prompt": "prompt",
}
"""What says something about a session of one's own."""


def streams(args: argparse.Namespace) -> bool:
    """Whether prompts come as lines of JSON on standard input; that alone makes it ``-p``."""
    return args.input_format == "stream-json"


def check(args: argparse.Namespace) -> None:
    """Refuse what contradicts itself.

    Raises:
        UsageError: two options don't go together, or a value is out of its range.
    """
    _check_formats(args)
    _check_session(args)
    _check_watching(args)
    _check_numbers(args)
    if args.system_prompt is not None and args.system_prompt_file is not None:
        raise UsageError("--system-prompt and --system-prompt-file exclude each other")


def _given(args: argparse.Namespace, options: dict[str, str]) -> list[str]:
    given = vars(args)
    return [name for name, field in options.items() if given[field] not in (None, False)]


def _check_formats(args: argparse.Namespace) -> None:
    printing = args.print_ or streams(args)
    stream_out = args.output_format == "stream-json"
    if streams(args) and not stream_out:
        raise UsageError("--input-format stream-json needs --output-format stream-json")
    if printing and stream_out and not args.verbose:
        raise UsageError("--output-format stream-json with -p needs --verbose")
    lonely = [] if printing else _given(args, NEEDS_PRINT)
    if lonely:
        verb = "goes" if len(lonely) == 1 else "go"
        raise UsageError(f"{' and '.join(lonely)} {verb} with -p")
    lonely = [] if stream_out else _given(args, NEEDS_STREAM)
    if lonely:
        raise UsageError(f"{lonely[0]} goes with --output-format stream-json")
    if args.replay_user_messages and not streams(args):
        raise UsageError("--replay-user-messages goes with --input-format stream-json")
    if args.permission_prompt_tool == "stdio" and not streams(args):
        raise UsageError("--permission-prompt-tool stdio goes with --input-format stream-json")
    if streams(args) and args.prompt is not None:
        raise UsageError(
            "with --input-format stream-json prompts come on standard input; leave out the argument"
        )


def _check_session(args: argparse.Namespace) -> None:
    resumes = args.continue_ or args.resume is not None
    if args.continue_ and args.resume is not None:
        raise UsageError("--continue and --resume exclude each other")
    if args.print_ and args.resume == "":
        raise UsageError("--resume needs a session id with -p")
    if args.fork_session and not resumes:
        raise UsageError("--fork-session goes with --resume or --continue")
    if args.session_id is not None:
        _check_id("--session-id", args.session_id)
        if resumes and not args.fork_session:
            raise UsageError("--session-id with --resume or --continue needs --fork-session")
    if args.resume_session_at is not None and not args.resume:
        raise UsageError("--resume-session-at goes with --resume and a session id")
    if args.resume_session_at is not None and not args.resume_session_at.strip():
        raise UsageError("--resume-session-at needs the uuid of a message")
    if args.resume_drops_turn is not None:
        _check_id("--resume-drops-turn", args.resume_drops_turn)
        if args.resume_session_at is None:
            raise UsageError("--resume-drops-turn goes with --resume-session-at")
    if args.name is not None and not args.name.strip():
        raise UsageError("--name needs a title")


def _check_watching(args: argparse.Namespace) -> None:
    if args.watch is None:
        return
    others = _given(args, NOT_WATCHING)
    if others:
        raise UsageError(f"--watch only looks at a session; leave out {' and '.join(others)}")


def _check_id(option: str, value: str) -> None:
    try:
        uuid.UUID(value)
    except ValueError:
        raise UsageError(f"{option} must be a UUID, not {value!r}") from None


def _check_numbers(args: argparse.Namespace) -> None:
    if args.max_budget_usd is not None and not args.max_budget_usd > 0:
        raise UsageError("--max-budget-usd must be more than 0")
    if args.max_turns is not None and args.max_turns < 0:
        raise UsageError("--max-turns can't be negative; 0 means no limit")
    if args.task_budget is not None and args.task_budget <= 0:
        raise UsageError("--task-budget must be more than 0")
    thinking = args.max_thinking_tokens
    if thinking is not None and thinking < 0:
        raise UsageError("--max-thinking-tokens can't be negative; 0 turns thinking off")
    if args.thinking == "disabled" and thinking:
        raise UsageError("--thinking disabled and --max-thinking-tokens exclude each other")
    if args.thinking == "enabled" and not thinking:
        raise UsageError("--thinking enabled needs --max-thinking-tokens")
    if args.thinking == "disabled" and args.thinking_display:
        raise UsageError("--thinking-display says nothing where thinking is disabled")
