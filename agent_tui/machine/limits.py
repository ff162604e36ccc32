"""The limits of the tools, as far as variables change them."""

from __future__ import annotations

from agent_tui.protocol.ports import ToolLimits
from agent_tui.settings.paths import Environment

MOST_OUTPUT_CHARS = 150_000


def limits_of(env: Environment) -> ToolLimits:
    """Read the documented variables; what is no whole number above 0 is passed over."""
    usual = ToolLimits()
    longest = _number(env, "BASH_MAX_TIMEOUT_MS", usual.shell_max_timeout_ms)
    usual_time = _number(env, "BASH_DEFAULT_TIMEOUT_MS", usual.shell_timeout_ms)
    chars = _number(env, "BASH_MAX_OUTPUT_LENGTH", usual.shell_output_chars)
    tokens = _number(env, "CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS", usual.read_tokens)
    seconds = _number(env, "CLAUDE_CODE_GLOB_TIMEOUT_SECONDS", usual.search_timeout_ms // 1000)
    return ToolLimits(
        shell_timeout_ms=usual_time,
        shell_max_timeout_ms=max(longest, usual_time),
        shell_output_chars=min(chars, MOST_OUTPUT_CHARS),
        task_output_chars=_number(env, "TASK_MAX_OUTPUT_LENGTH", usual.task_output_chars),
        read_tokens=tokens,
        result_tokens=_number(env, "MAX_MCP_OUTPUT_TOKENS", usual.result_tokens),
        search_timeout_ms=seconds * 1000,
        glob_hidden=_flag(env, "CLAUDE_CODE_GLOB_HIDDEN", usual.glob_hidden),
        glob_no_ignore=_flag(env, "CLAUDE_CODE_GLOB_NO_IGNORE", usual.glob_no_ignore),
    )


def _number(env: Environment, name: str, default: int) -> int:
    text = env.get(name)
    return int(text) if text.isascii() and text.isdigit() and int(text) > 0 else default


def _flag(env: Environment, name: str, default: bool) -> bool:
    text = env.get(name).lower()
    return default if not text else text not in ("0", "false", "no", "off")
