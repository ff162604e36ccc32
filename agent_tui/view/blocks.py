"""What a transcript is made of: frozen blocks, told apart by ``kind``, free of colours and widths.

Texts are as they came: what draws them cleans them first. ``id`` is stable for the life of a block and the same
whether or not the session was watched while it streamed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.decisions import DecisionNote
from agent_tui.protocol.display import Display

ToolState: TypeAlias = Literal["queued", "running", "asking", "done", "failed", "stopped"]
ENDED: tuple[ToolState, ...] = ("done", "failed", "stopped")
Behind: TypeAlias = Literal["", "running", "completed", "failed", "stopped", "unknown"]
"""How the work stands that a call left in the background; empty when it left none, unknown after a restart."""


@dataclass(frozen=True, slots=True)
class PromptBlock:
    """What the person asked. ``time`` is ISO 8601, UTC; ``images`` counts the pictures that went with it."""

    id: str
    text: str
    time: str | None = None
    images: int = 0
    kind: Literal["prompt"] = "prompt"


@dataclass(frozen=True, slots=True)
class AnswerBlock:
    """What the model said, in markdown; ``open`` while it still streams, ``aborted`` when it was cut off."""

    id: str
    text: str
    open: bool = False
    aborted: bool = False
    kind: Literal["answer"] = "answer"


@dataclass(frozen=True, slots=True)
class ThoughtBlock:
    """What the model thought; ``seconds`` since what came before it, None when unknown."""

    id: str
    text: str
    seconds: float | None = None
    open: bool = False
    kind: Literal["thought"] = "thought"


@dataclass(frozen=True, slots=True)
class ToolBlock:
    """One tool call. ``id`` is the tool_use id.

    Attributes:
        input: the call's arguments; empty while they are still being written.
        state: ``queued`` until it runs; ``asking`` while the person is asked; ``stopped`` also when refused.
        display: how it looks, the result's once there is one.
        result: the text that went to the model, empty before.
        looked: it only looked at things and changed nothing.
        elapsed_ms: running time so far, or in all; None when unknown.
        why: why it was stopped or refused, where known.
        behind: what became of the work it left in the background.
        decision: who let it run or kept it from running, once that is told.
        inside: what the sub-agent it began said and did, as far as that is known.
    """

    id: str
    name: str
    input: JsonObject = field(default_factory=dict[str, Any])
    state: ToolState = "queued"
    display: Display | None = None
    result: str = ""
    looked: bool = False
    elapsed_ms: int | None = None
    why: str = ""
    behind: Behind = ""
    decision: DecisionNote | None = None
    inside: tuple[Block, ...] = ()
    kind: Literal["tool"] = "tool"

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in ENDED


@dataclass(frozen=True, slots=True)
class NoticeBlock:
    """Something worth a line. ``output`` is what a slash command gave, ``stopped`` that the person stopped a run."""

    id: str
    level: Literal["info", "notice", "suggestion", "warning", "error", "output", "stopped"]
    text: str
    kind: Literal["notice"] = "notice"


@dataclass(frozen=True, slots=True)
class ResultBlock:
    """How a run ended. ``tokens`` counts what was new to the model and what it wrote; cost None when unknown."""

    id: str
    turns: int
    tokens: int
    cost_usd: float | None
    duration_ms: int
    subtype: str = "success"
    why: str = ""
    kind: Literal["result"] = "result"


@dataclass(frozen=True, slots=True)
class CompactBlock:
    """Where the conversation was summarised. Token counts None when unknown."""

    id: str
    trigger: str = "auto"
    before_tokens: int | None = None
    after_tokens: int | None = None
    summary: str = ""
    kind: Literal["compact"] = "compact"


@dataclass(frozen=True, slots=True)
class ErrorBlock:
    """What stands in for an answer when the model could not be asked. ``error`` is the documented word."""

    id: str
    text: str
    error: str = "unknown"
    kind: Literal["error"] = "error"


Block: TypeAlias = (
    PromptBlock
    | AnswerBlock
    | ThoughtBlock
    | ToolBlock
    | NoticeBlock
    | ResultBlock
    | CompactBlock
    | ErrorBlock
)


@dataclass(frozen=True, slots=True)
class Added:
    """A block stands at the end of the transcript."""

    block: Block


@dataclass(frozen=True, slots=True)
class Prepended:
    """Older blocks stand before all others."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Grew:
    """Text was added to an open block."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Updated:
    """A block was replaced by this one, of the same id and kind."""

    block: Block


@dataclass(frozen=True, slots=True)
class Closed:
    """An open block is finished; this is how it stays."""

    block: Block


@dataclass(frozen=True, slots=True)
class Removed:
    """A block is gone: what it said does not count."""

    id: str


@dataclass(frozen=True, slots=True)
class Cleared:
    """All blocks are gone: a new conversation begins."""


Change: TypeAlias = Added | Prepended | Grew | Updated | Closed | Removed | Cleared
