"""What a front end asks of a session. Plain frozen data, sent one way, never answered directly.

What an op causes comes back as messages. A slash command of the engine (``/compact``, ``/clear``) is an ordinary
``Prompt``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import PermissionMode, QueuedPrompt
from agent_tui.protocol.requests import Allow, Deny


@dataclass(frozen=True, slots=True)
class Open:
    """Open a session; ``options`` is ``settings.options.Options.to_json()``."""

    options: JsonObject = field(default_factory=dict[str, Any])
    kind: Literal["open"] = "open"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt, or a slash command of the engine; waits in the queue while a run goes.

    Attributes:
        text: what was said; for ``content`` its text blocks joined.
        uuid: names it in the result.
        now: goes before the queue and, while a run goes, joins it after the tools of the turn (steering).
        content: API content blocks where it is more than text (pictures).
        verbatim: no ``@`` mention and no slash command is looked for in it.
        origin: who speaks where it is not the person, as documented (``{"kind": "task-notification", …}``).
        shell: ``text`` is a line for the shell, which the person runs themselves: nobody is asked about it.
    """

    text: str
    uuid: str
    now: bool = False
    content: tuple[JsonObject, ...] | None = None
    verbatim: bool = False
    origin: JsonObject | None = None
    shell: bool = False
    kind: Literal["prompt"] = "prompt"


@dataclass(frozen=True, slots=True)
class EditQueue:
    """Make the queue exactly this (edited, reordered, deleted items)."""

    items: tuple[QueuedPrompt, ...] = ()
    kind: Literal["edit_queue"] = "edit_queue"


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Stop the run; its history stays valid and a result is said."""

    kind: Literal["interrupt"] = "interrupt"


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer the request ``request_id``; the first answer counts."""

    request_id: str
    answer: Allow | Deny
    kind: Literal["answer"] = "answer"


@dataclass(frozen=True, slots=True)
class SetMode:
    """Change the permission mode, from the next tool call on."""

    mode: PermissionMode
    kind: Literal["set_mode"] = "set_mode"


@dataclass(frozen=True, slots=True)
class SetModel:
    """Change the model, from the next request on; None means the default."""

    model: str | None = None
    kind: Literal["set_model"] = "set_model"


@dataclass(frozen=True, slots=True)
class SetThinking:
    """Change how many tokens the model may think with, from the next request on.

    0 turns thinking off where the model can do without, None goes back to what the session began with.
    """

    max_tokens: int | None = None
    kind: Literal["set_thinking"] = "set_thinking"


@dataclass(frozen=True, slots=True)
class Rename:
    """Give the session a title."""

    title: str
    kind: Literal["rename"] = "rename"


@dataclass(frozen=True, slots=True)
class StopTask:
    """End a background command or sub-agent; what it found so far stays."""

    task_id: str
    kind: Literal["stop_task"] = "stop_task"


@dataclass(frozen=True, slots=True)
class Stop:
    """End the session: interrupt what runs, write what is to be written, leave."""

    kind: Literal["stop"] = "stop"


Op: TypeAlias = (
    Open
    | Prompt
    | EditQueue
    | Interrupt
    | Answer
    | SetMode
    | SetModel
    | SetThinking
    | Rename
    | StopTask
    | Stop
)
OPS: tuple[type[Op], ...] = (
    Open,
    Prompt,
    EditQueue,
    Interrupt,
    Answer,
    SetMode,
    SetModel,
    SetThinking,
    Rename,
    StopTask,
    Stop,
)
