"""The tool calls of a transcript: how each one stands, which wait for a result, which for an answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace

from agent_tui.protocol import content as api
from agent_tui.protocol.display import AgentDisplay, FileDisplay, SearchDisplay
from agent_tui.protocol.messages import ToolProgress, UserMessage
from agent_tui.protocol.requests import PermissionRequest
from agent_tui.view.blocks import Change, ToolBlock, ToolState
from agent_tui.view.decisions import refused_by
from agent_tui.view.notices import WorkEnded
from agent_tui.view.outcomes import left_behind, result_state, result_text, was_denied
from agent_tui.view.shelf import Shelf


class Calls:
    """Keeps the call blocks of a shelf true to what is said of them."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._asking: dict[str, str] = {}
        self._asked: set[str] = set()
        self._ended_works: set[str] = set()
        self._pending: dict[str, None] = {}
        self._orphans: dict[str, tuple[UserMessage, api.ToolResultBlock]] = {}

    def expect(self, call_id: str) -> None:
        """Note that a call will get a result."""
        self._pending[call_id] = None

    def forget(self, call_id: str) -> None:
        """Note that a call will get none: it is over, or taken back."""
        self._pending.pop(call_id, None)

    # Results ----------------------------------------------------------------------------------------------------------

    def result(self, message: UserMessage, result: api.ToolResultBlock) -> Iterable[Change]:
        """Take a result; one that comes before its call is kept for it."""
        block = self._call(result.tool_use_id)
        if block is None:
            self._orphans[result.tool_use_id] = (message, result)
            return
        self._pending.pop(block.id, None)
        display = message.display or block.display
        text = result_text(result.content)
        # what a person has said no to never ran, so there is no time it took
        never_ran = bool(result.is_error) and message.duration_ms is None
        declined = never_ran and (block.id in self._asked or was_denied(text))
        decision = message.decision
        why = block.why or ("refused" if declined else "")
        if decision is not None and decision.behavior == "deny":
            why = refused_by(decision) or "refused"
        yield self._shelf.update(
            replace(
                block,
                state=result_state(message, result, refused=bool(why)),
                display=display,
                result=text,
                looked=block.looked or isinstance(display, FileDisplay | SearchDisplay),
                elapsed_ms=message.duration_ms,
                why=why,
                decision=decision,
                behind=block.behind or left_behind(message, display),
            )
        )

    def early_result(self, call_id: str) -> Iterable[Change]:
        """Give a call that has come now the result that was there before it."""
        orphan = self._orphans.pop(call_id, None)
        if orphan is not None:
            yield from self.result(*orphan)

    def join(self, older: Calls) -> None:
        """Take the calls of an older page: results that wait here may be theirs; nothing of it runs any more."""
        for call_id in older._pending.keys() & self._orphans.keys():
            deque(older.result(*self._orphans.pop(call_id)), maxlen=0)
        deque(older.settle(), maxlen=0)
        deque(older.left_alone(), maxlen=0)
        self._orphans.update(older._orphans)
        self._ended_works |= older._ended_works

    # States -----------------------------------------------------------------------------------------------------------

    def progress(self, message: ToolProgress) -> Iterable[Change]:
        """Show how far a call is."""
        block = self._call(message.tool_use_id)
        if block is not None and not block.ended:
            asking = block.id in self._asking.values()
            yield self._shelf.update(
                replace(
                    block,
                    state="asking" if asking else message.state,
                    elapsed_ms=message.elapsed_ms,
                    display=message.display or block.display,
                )
            )

    def set_state(self, call_id: str, state: ToolState) -> Iterable[Change]:
        """Show another state of a call that has not ended."""
        block = self._call(call_id)
        if block is not None and not block.ended and block.state != state:
            if state == "done":
                self._pending.pop(call_id, None)
            yield self._shelf.update(replace(block, state=state, elapsed_ms=None))

    def refuse(self, call_id: str, why: str) -> Iterable[Change]:
        """Show that a call was not allowed; the first reason that is told stays."""
        block = self._call(call_id)
        if block is not None and not (block.state == "stopped" and block.why):
            state: ToolState = "stopped" if block.ended else block.state
            yield self._shelf.update(replace(block, state=state, why=why))

    def settle(self) -> Iterable[Change]:
        """Show as stopped what never got a result: nothing runs any more."""
        for call_id in list(self._pending):
            yield from self.set_state(call_id, "stopped")
        self._pending.clear()
        self._asking.clear()

    # Questions --------------------------------------------------------------------------------------------------------

    def ask(self, request: PermissionRequest) -> Iterable[Change]:
        """Show which call waits for an answer; for a sub-agent's it is the call that the sub-agent works for."""
        call_id = self._agent_call(request.agent_id) or request.tool_use_id
        self._asking[request.id] = call_id
        yield from self.set_state(call_id, "asking")

    def answered(self, request_id: str) -> Iterable[Change]:
        """Show that a question is closed."""
        block = self._call(self._asking.pop(request_id, ""))
        if block is None or block.id in self._asking.values():
            return
        self._asked.add(block.id)
        works = isinstance(block.display, AgentDisplay)
        yield from self.set_state(block.id, "running" if works else "queued")

    def _agent_call(self, agent_id: str | None) -> str:
        for call_id in self._pending if agent_id else ():
            block = self._call(call_id)
            display = None if block is None else block.display
            if isinstance(display, AgentDisplay) and display.task_id == agent_id:
                return call_id
        return ""

    # Work in the background -------------------------------------------------------------------------------------------

    def work_ended(self, ended: WorkEnded, block_id: str) -> Iterable[Change]:
        """Say once that work in the background has ended; a call that still runs says it itself."""
        card = self._call(ended.call_id)
        if card is not None:
            if not card.ended:
                return
            if card.behind:
                yield self._shelf.update(replace(card, behind=ended.how))
        name = ended.task_id or block_id
        if name not in self._ended_works:
            self._ended_works.add(name)
            yield self._shelf.add(ended.notice(block_id))

    def left_alone(self) -> Iterable[Change]:
        """Take it that nothing runs in the background any more: the engine that ran it is gone."""
        for block in tuple(self._shelf):
            if isinstance(block, ToolBlock) and block.behind == "running":
                yield self._shelf.update(replace(block, behind="unknown"))

    def _call(self, call_id: str) -> ToolBlock | None:
        block = self._shelf.get(call_id)
        return block if isinstance(block, ToolBlock) else None
