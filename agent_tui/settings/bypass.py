"""Where approval may be left out altogether: not for root, whom nothing else holds back, except in a sandbox."""

from __future__ import annotations

import os

from agent_tui.settings.paths import Environment

REFUSED = (
    "bypassPermissions as root is refused; use another user, "
    "or set IS_SANDBOX=1 if this machine is a sandbox"
)


def bypass_refused(env: Environment) -> bool:
    """Tell whether ``bypassPermissions`` may not even be offered; ``REFUSED`` says why."""
    return os.geteuid() == 0 and env.get("IS_SANDBOX") != "1"
