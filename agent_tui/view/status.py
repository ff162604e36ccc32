"""The facts of the status bar and the working line as one value, folded from messages. It reads no clock."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import QuestionDisplay
from agent_tui.protocol.messages import (
    ConversationResetMessage,
    Message,
    QueueChanged,
    QueuedPrompt,
    ResultMessage,
    StatusChanged,
    StreamEvent,
    SystemMessage,
)
from agent_tui.protocol.requests import PermissionRequest, RequestClosed
from agent_tui.view.works import Works, fold_works


@dataclass(frozen=True, slots=True)
class Retry:
    """A failed request will be made again. ``delay_ms`` counts from when this was said."""

    attempt: int
    attempts: int
    delay_ms: int
    why: str


@dataclass(frozen=True, slots=True)
class Status:
    """What is going on in a session.

    Attributes:
        session: the session's own facts; None until it has said any.
        queue: prompts that wait.
        requests: open questions, oldest first.
        retry: set while a retry is waited for.
        compacting: the conversation is being summarised.
        unsaved: why the session can't be saved, empty while it can.
        title: the session's title, empty when it has none.
        tools: names of the tools offered to the model.
        works: what runs, or ran, in the background, oldest first.
    """

    session: StatusChanged | None = None
    queue: tuple[QueuedPrompt, ...] = ()
    requests: tuple[PermissionRequest, ...] = ()
    retry: Retry | None = None
    compacting: bool = False
    unsaved: str = ""
    title: str = ""
    tools: tuple[str, ...] = field(default=())
    works: Works = ()

    @property
    def busy(self) -> bool:
        """Whether a run goes."""
        return self.session is not None and self.session.busy

    @property
    def paused(self) -> bool:
        """Whether the run waits until the person has said what becomes of a budget that is used up."""
        displays = (r.display for r in self.requests if not r.tool_name)
        return any(
            question.header == "Budget"
            for display in displays
            if isinstance(display, QuestionDisplay)
            for question in display.questions
        )

    @property
    def context_share(self) -> float | None:
        """How full the window is, 0..1; None when its size is unknown."""
        if self.session is None or not self.session.context_window:
            return None
        return min(1.0, self.session.context_tokens / self.session.context_window)

    def apply(self, message: Message) -> Status:
        """Take a message; give the same value when it changes nothing."""
        match message:
            case StatusChanged():
                title = message.title or self.title
                return replace(self, session=message, title=title)
            case QueueChanged(items):
                return replace(self, queue=items)
            case PermissionRequest():
                return replace(self, requests=(*self.requests, message))
            case RequestClosed(request_id):
                kept = tuple(r for r in self.requests if r.id != request_id)
                return replace(self, requests=kept)
            case StreamEvent(event={"type": "message_start"}) if self.retry:
                return replace(self, retry=None)
            case ResultMessage():
                # a sub-agent in the background may wait for an answer beyond the run's end
                waiting = tuple(r for r in self.requests if r.agent)
                return replace(self, retry=None, compacting=False, requests=waiting)
            case ConversationResetMessage():
                return Status(
                    session=self.session,
                    tools=self.tools,
                    unsaved=self.unsaved,
                    works=self.works,
                )
            case SystemMessage(subtype, data):
                return self._system(subtype, data)
            case _:
                return self

    def _system(self, subtype: str, data: JsonObject) -> Status:
        match subtype:
            case "api_retry":
                return replace(self, retry=_retry(data))
            case "status":
                return replace(self, compacting=data.get("status") == "compacting")
            case "saving":
                failed = data.get("state") == "failed"
                return replace(self, unsaved=str(data.get("error", "")) if failed else "")
            case "session_title":
                return replace(self, title=str(data.get("title", "")))
            case "init":
                return replace(self, tools=tuple(map(str, data.get("tools") or ())))
            case _:
                works = fold_works(self.works, subtype, data)
                return self if works is self.works else replace(self, works=works)


def _retry(data: JsonObject) -> Retry:
    def number(key: str) -> int:
        value = data.get(key)
        return int(value) if isinstance(value, int | float) else 0

    status = data.get("error_status")
    why = str(data.get("reason") or data.get("error") or "no answer").replace("_", " ")
    return Retry(
        number("attempt"),
        number("max_retries"),
        number("retry_delay_ms"),
        f"{why} ({status})" if status and str(status) not in why else why,
    )
