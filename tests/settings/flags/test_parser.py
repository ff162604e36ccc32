"""The description of the command line."""

from __future__ import annotations

import pytest

from agent_tui.protocol.errors import UsageError
from agent_tui.settings.flags.parser import build_parser

PEER = (
    "--output-format stream-json --verbose --system-prompt  --tools Read,Bash --allowedTools Read,Edit "
    "--max-turns 3 --max-budget-usd 1.5 --disallowedTools Write --task-budget 9000 --model opus "
    "--fallback-model sonnet --betas a,b --permission-prompt-tool stdio --permission-mode plan --continue "
    "--resume=x --session-id=y --settings {} --add-dir /a --add-dir /b --mcp-config {} "
    "--include-partial-messages --include-hook-events --strict-mcp-config --fork-session "
    "--resume-session-at=u --resume-drops-turn=v --setting-sources= --replay-user-messages "
    "--max-thinking-tokens 100 --thinking-display omitted --effort high --json-schema {} "
    "--input-format stream-json"
)
"""What the Python package ``claude-agent-sdk`` passes to the program it drives, all at once."""


def test_the_flags_of_the_agent_sdk_are_known() -> None:
    args = build_parser().parse_args(PEER.split(" "))
    assert (args.system_prompt, args.tools, args.setting_sources) == ("", "Read,Bash", "")
    assert (args.input_format, args.permission_prompt_tool) == ("stream-json", "stdio")
    assert (args.resume, args.session_id, args.add_dir) == ("x", "y", ["/a", "/b"])
    assert args.prompt is None and not args.print_


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        (["--nonsense"], "--nonsense"),
        (["-p", "hi", "--output-format", "xml"], "xml"),
        (["--max-turns", "many"], "many"),
        (["--verb"], "--verb"),
        (["--permission-mode", "yolo"], "plan"),
    ],
)
def test_what_is_not_known_is_bad_usage(argv: list[str], word: str) -> None:
    with pytest.raises(UsageError, match=word) as caught:
        build_parser().parse_args(argv)
    assert "--help" in str(caught.value)
