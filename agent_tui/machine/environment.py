"""What a child process finds in its environment: nothing of ours that is secret, nothing that makes it wait for a key."""

from __future__ import annotations

import os
from collections.abc import Mapping

from agent_tui.settings.credentials import VARIABLES, known_secrets
from agent_tui.settings.paths import Environment

BARE = {"PATH": os.defpath, "LC_ALL": "C.UTF-8"}
"""The environment of a program of the system that needs nothing of the person's."""

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
    """Make the environment of a program that is run for the model; ``more`` is what was configured for it.

    Our credentials stay out, whatever name they stand under.
    """
    ours = known_secrets(env)
    kept = {
        name: value
        for name, value in env.variables.items()
        if name not in VARIABLES and not any(secret in value for secret in ours)
    }
    return {**kept, **UNATTENDED, **(more or {})}
