"""Which options go together."""

from __future__ import annotations

import pytest

from agent_tui.protocol.errors import UsageError
from agent_tui.settings.flags.checks import check, streams
from agent_tui.settings.flags.parser import build_parser

ID = "11111111-1111-4111-8111-111111111111"
BOTH = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
OUT = ["-p", "hi", "--output-format", "stream-json", "--verbose"]


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        (["-p", "hi", "--output-format", "stream-json"], "--verbose"),
        (["-p", "hi", "--include-partial-messages"], "stream-json"),
        (["-p", "hi", "--include-hook-events"], "stream-json"),
        (["-p", "hi", "--forward-subagent-text"], "stream-json"),
        (["--output-format", "json"], "-p"),
        (["--max-turns", "3"], "-p"),
        (["--json-schema", "{}"], "-p"),
        (["--no-session-persistence", "--max-turns", "3"], "--max-turns and --no-session"),
        (["--permission-prompt-tool", "x"], "-p"),
        (["-p", "hi", "--permission-prompt-tool", "stdio"], "--input-format"),
        (["--input-format", "stream-json"], "--output-format stream-json"),
        (["-p", "--input-format", "stream-json", "--output-format", "json"], "stream-json"),
        ([*BOTH[:4]], "--verbose"),
        ([*BOTH, "a prompt"], "standard input"),
        ([*OUT, "--replay-user-messages"], "--input-format"),
        (["-p", "hi", "--max-turns", "-1"], "negative"),
        (["-p", "hi", "--max-budget-usd", "0"], "more than 0"),
        (["-p", "hi", "--max-budget-usd", "nan"], "more than 0"),
        (["-p", "hi", "--task-budget", "0"], "more than 0"),
        (["-p", "hi", "--max-thinking-tokens", "-1"], "negative"),
        (["--watch", "--continue"], "only looks"),
        (["--watch", "x", "hello"], "a prompt"),
        (["--watch", "-p", "hello"], "-p and a prompt"),
        (["--watch", "--line"], "--line"),
        (["--watch", "--demo"], "--demo"),
        (["--thinking", "disabled", "--max-thinking-tokens", "9"], "exclude"),
        (["--thinking", "disabled", "--thinking-display", "omitted"], "disabled"),
        (["--thinking", "enabled"], "--max-thinking-tokens"),
        (["-p", "hi", "-c", "--resume", "x"], "exclude"),
        (["-p", "hi", "--resume"], "session id"),
        (["-p", "hi", "--session-id", "x"], "UUID"),
        (["-p", "hi", "--session-id", ID, "-c"], "--fork-session"),
        (["-p", "hi", "--fork-session"], "--resume or --continue"),
        (["-p", "hi", "--resume-session-at", "x"], "--resume"),
        (["-p", "hi", "-r", "x", "--resume-session-at", " "], "needs the uuid"),
        (["-p", "hi", "--resume", "x", "--resume-drops-turn", ID], "--resume-session-at"),
        (["-p", "hi", "--resume", "x", "--resume-drops-turn="], "UUID"),
        (["--name", " "], "title"),
        (["--system-prompt", "", "--system-prompt-file", "x"], "exclude"),
    ],
)
def test_what_contradicts_itself_is_bad_usage(argv: list[str], word: str) -> None:
    with pytest.raises(UsageError, match=word):
        check(build_parser().parse_args(argv))


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["hi"],
        OUT,
        BOTH,
        [*BOTH, "--replay-user-messages", "--json-schema", "{}", "--max-turns", "0"],
        [*OUT, "--include-partial-messages", "--include-hook-events", "--forward-subagent-text"],
        ["-c", "--fork-session", "--session-id", ID],
        ["-p", "hi", "-r", "x", "--resume-session-at", "u", "--resume-drops-turn", ID],
        ["--resume"],
        ["--max-thinking-tokens", "0", "--name", "Mine"],
        ["--thinking", "enabled", "--max-thinking-tokens", "2048"],
    ],
)
def test_what_goes_together_is_taken(argv: list[str]) -> None:
    args = build_parser().parse_args(argv)
    check(args)
    assert streams(args) == ("--input-format" in argv)
