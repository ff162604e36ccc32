"""The types of ``agent_tui.sdk`` under the name where programs of the Agent SDK also look for them."""

from __future__ import annotations

from typing import Any

from agent_tui import sdk


def __getattr__(name: str) -> Any:
    """Give what the package itself has under this name."""
    return getattr(sdk, name)


def __dir__() -> list[str]:
    """List the names of the package."""
    return dir(sdk)
