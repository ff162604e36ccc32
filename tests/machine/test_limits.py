"""Limits by variables."""

from __future__ import annotations

from pathlib import Path

from agent_tui.machine.limits import limits_of
from agent_tui.protocol.ports import ToolLimits
from agent_tui.settings.paths import Environment


def limits(**variables: str) -> ToolLimits:
    return limits_of(Environment(variables, Path("/")))


def test_without_variables_the_usual_ones_hold() -> None:
    assert limits() == ToolLimits()
    assert limits(BASH_DEFAULT_TIMEOUT_MS="soon", BASH_MAX_OUTPUT_LENGTH="0") == ToolLimits()


def test_variables_change_them_within_reason() -> None:
    found = limits(
        BASH_DEFAULT_TIMEOUT_MS="700000",
        BASH_MAX_OUTPUT_LENGTH="1000000",
        CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS="100",
        MAX_MCP_OUTPUT_TOKENS="500",
        TASK_MAX_OUTPUT_LENGTH="900",
        CLAUDE_CODE_GLOB_TIMEOUT_SECONDS="3",
        CLAUDE_CODE_GLOB_HIDDEN="0",
        CLAUDE_CODE_GLOB_NO_IGNORE="false",
    )
    assert (found.shell_timeout_ms, found.shell_max_timeout_ms) == (700_000, 700_000)
    assert (found.shell_output_chars, found.task_output_chars) == (150_000, 900)
    assert (found.read_tokens, found.result_tokens, found.search_timeout_ms) == (100, 500, 3_000)
    assert (found.glob_hidden, found.glob_no_ignore) == (False, False)
