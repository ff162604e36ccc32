"""The permission mode, as far as tools may change it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from agent_tui.loop.policy import Policy
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.messages import PERMISSION_MODES, PermissionMode


class SessionModes:
    """Implements ``ports.Modes``.

    Args:
        policy: has the mode in force.
        change: changes it as when a person does: written and said.
    """

    def __init__(self, policy: Policy, change: Callable[[PermissionMode], Awaitable[None]]) -> None:
        self._policy = policy
        self._change = change

    @property
    def mode(self) -> str:
        """The mode in force."""
        return self._policy.mode

    async def set_mode(self, mode: str) -> None:
        """Change it.

        Raises:
            PortError: there is no such mode.
        """
        if mode not in PERMISSION_MODES:
            raise PortError(f"there is no permission mode {mode!r}")
        await self._change(mode)
