"""What a child process finds in its environment: nothing of ours that is secret, nothing that makes it wait for a key."""

from __future__ import annotations

from collections.abc import Mapping

from agent_tui.settings.paths import Environment

OURS = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_CUSTOM_HEADERS",
    "ANTHROPIC_FOUNDRY_API_KEY",
    "AWS_BEARER_TOKEN_BEDROCK",
    "CLAUDE_CODE_OAUTH_REFRESH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
)
"""Credentials this program uses itself; a command the model runs has no business with them."""

UNATTENDED = {
    "CLAUDECODE": "1",
    "TERM": "dumb",
    "PAGER": "cat",
    "GIT_PAGER": "cat",  # beats core.pager
    "MANPAGER": "cat",
    "BAT_PAGER": "cat",
    "GH_PAGER": "cat",
    "SYSTEMD_PAGER": "cat",
    "AWS_PAGER": "",
    "GIT_TERMINAL_PROMPT": "0",
}
"""Nobody sits at the child's terminal: no pagers, no prompts, no cursor tricks."""


def child_environment(env: Environment, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Make the environment of a command run for the model."""
    kept = {name: value for name, value in env.variables.items() if name not in OURS}
    return {**kept, **UNATTENDED, **(more or {})}
