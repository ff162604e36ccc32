"""Asks whether the folder is to be trusted, before the session is opened; what is typed meanwhile waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from agent_tui.protocol.ops import Open
from agent_tui.protocol.queries import FolderOffer, FolderTrust
from agent_tui.protocol.requests import Allow, Deny, PermissionRequest
from agent_tui.settings.options import Options, TrustOptions
from agent_tui.tui.gate import Gate
from agent_tui.tui.panels.trust import ANSWER, TrustRequest


class Trusting:
    """Opens one session.

    Args:
        gate: the way to the engine, still closed.
        options: what the session is to be opened with.
        changed: called when ``requests`` has changed.

    Attributes:
        options: with the person's answer, once there is one.
        requests: the question while it is open.
    """

    def __init__(self, gate: Gate, options: Options, changed: Callable[[], None]) -> None:
        self.options = options
        self.requests: tuple[PermissionRequest, ...] = ()
        self._gate = gate
        self._changed = changed
        self._offer = FolderOffer()

    async def begin(self) -> None:
        """Ask the engine what the folder brings, and the person where that needs their consent.

        An engine that can't tell opens the session all the same: it trusts nothing without an answer.
        """
        reply = await self._gate.ask(FolderTrust(self.options.to_json()))
        if isinstance(reply, FolderOffer) and reply.ask:
            self._offer = reply
            self.requests = (TrustRequest.of(reply),)
            self._changed()
        else:
            self._gate.open(Open(self.options.to_json()))

    def take(self, request_id: str, answer: Allow | Deny) -> bool:
        """Take an answer; tell whether it was to this question."""
        if request_id not in [request.id for request in self.requests]:
            return False
        given = answer.updated_input or {} if isinstance(answer, Allow) else {}
        said = "once" if given.get(ANSWER) == "once" else "always"
        trust = TrustOptions(said if isinstance(answer, Allow) else "no", self._offer.seen)
        self.options = replace(self.options, trust=trust)
        self.requests = ()
        self._changed()
        self._gate.open(Open(self.options.to_json()))
        return True
