"""How full the window is, when it is to be cut, and what is kept when it is.

Tokens are the API's own count up to the last response, and a quarter of the bytes of what came since.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent_tui.journal.fold import Conversation
from agent_tui.journal.lines import Line, block_size
from agent_tui.protocol.content import JsonObject
from agent_tui.settings.paths import Environment

BUFFER = 33_000
"""Tokens left free for the next answer and results before the window is cut by itself."""

SMALLEST_WINDOW, LARGEST_WINDOW = 100_000, 1_000_000
FALLBACK_WINDOW = 200_000
KEEP = 20_000
"""Tokens of the newest exchange that survive a cut word for word."""

MAX_REFILLS = 1
"""A window that is full again at once after this many repetitions is not cut again by itself."""

_TOKEN_BYTES = 4
_YES = frozenset({"1", "true", "yes", "on"})


@dataclass(frozen=True, slots=True)
class CompactPolicy:
    """What the person wants of compaction.

    Attributes:
        manual: whether ``/compact`` works.
        auto: whether the window is cut by itself.
        window: cut as if the window were this large; None takes the model's.
        percent: cut at this share of the window already, 1..100.
    """

    manual: bool = True
    auto: bool = True
    window: int | None = None
    percent: int | None = None

    @classmethod
    def of(
        cls, env: Environment, *, enabled: bool | None = None, window: int | None = None
    ) -> CompactPolicy:
        """Join the settings ``autoCompactEnabled`` and ``autoCompactWindow`` with the environment, which wins."""
        off = _is_set(env, "DISABLE_COMPACT")
        wanted = _number(env, "CLAUDE_CODE_AUTO_COMPACT_WINDOW") or window
        if wanted is not None:
            wanted = max(SMALLEST_WINDOW, min(LARGEST_WINDOW, wanted))
        percent = _number(env, "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE")
        return cls(
            manual=not off,
            auto=not off and enabled is not False and not _is_set(env, "DISABLE_AUTO_COMPACT"),
            window=wanted,
            percent=percent if percent is not None and 1 <= percent <= 100 else None,
        )


@dataclass(frozen=True, slots=True)
class Fullness:
    """How much of the window is used. ``window`` is the model's; ``limit`` is where it is cut by itself."""

    tokens: int
    window: int
    limit: int

    @property
    def over(self) -> bool:
        """Whether it is time to cut."""
        return self.tokens >= self.limit

    @property
    def share(self) -> float:
        """The used part, 0..1 and beyond."""
        return self.tokens / self.window


def fullness(
    conversation: Conversation,
    model_window: int,
    policy: CompactPolicy | None = None,
    *,
    fixed_tokens: int = 0,
) -> Fullness:
    """Say how full the window would be with the next request.

    Args:
        conversation: what will be sent.
        model_window: of the model that will be asked, 0 when unknown.
        policy: where to cut.
        fixed_tokens: of system prompt and tools; counted while no response has told the real size.
    """
    policy = policy or CompactPolicy()
    window = model_window or FALLBACK_WINDOW
    pending = conversation.pending_bytes // _TOKEN_BYTES
    measured = conversation.context_tokens or fixed_tokens
    return Fullness(measured + pending, window, _limit(window, policy))


def must_compact(
    conversation: Conversation,
    model_window: int,
    policy: CompactPolicy | None = None,
    *,
    fixed_tokens: int = 0,
) -> bool:
    """Whether to cut the window before the next request: it is full, cutting is wanted, helps, and did not just fail."""
    policy = policy or CompactPolicy()
    full = fullness(conversation, model_window, policy, fixed_tokens=fixed_tokens)
    return policy.auto and full.over and can_compact(conversation) and not refills(conversation)


def refills(conversation: Conversation) -> bool:
    """Whether the window was full again at once each time it was cut: cutting it more does not help."""
    return conversation.refills >= MAX_REFILLS


def can_compact(conversation: Conversation) -> bool:
    """Whether there is anything to summarise: the model has said something since the last cut."""
    return any(line.role == "assistant" for line in conversation.lines)


def kept_from(conversation: Conversation, *, room: int = KEEP) -> str | None:
    """Give the uuid of the first line that stays when the window is cut; None when none does.

    The model's last message and what was said to it stay if they fit into ``room`` tokens and there is something
    before them to summarise. A prompt without an answer always stays.
    """
    kept = _kept_from(conversation, room)
    return kept if _worth_it(conversation, kept) else _kept_from(conversation, 0)


def _worth_it(conversation: Conversation, kept: str | None) -> bool:
    """Whether there is anything before ``kept``: an answer, or very long prompts."""
    lines = conversation.lines
    end = next((i for i, line in enumerate(lines) if line.uuid == kept), len(lines))
    older = [line for line in lines[:end] if not line.is_context]
    long = sum(line.size for line in older) >= KEEP * _TOKEN_BYTES
    return long or any(line.role == "assistant" for line in older)


def _kept_from(conversation: Conversation, room: int) -> str | None:
    lines = conversation.lines
    start = _last_response(lines)
    if start is not None and sum(line.size for line in lines[start:]) <= room * _TOKEN_BYTES:
        return lines[start].uuid
    for index in range(0 if start is None else start, len(lines)):
        line = lines[index]
        if line.role == "user" and not _has_results(line) and not line.is_context:
            return line.uuid
    return None


@dataclass(frozen=True, slots=True)
class Parts:
    """What a request consists of, in tokens, estimated."""

    system: int
    tools: int
    context: int
    conversation: int

    @property
    def fixed(self) -> int:
        """What no compaction makes smaller."""
        return self.system + self.tools + self.context

    def sentence(self) -> str:
        """Say it for a person."""
        return (
            f"system prompt {self.system:,}, tools {self.tools:,}, memory files and environment "
            f"{self.context:,}, conversation {self.conversation:,} tokens"
        )


def parts(conversation: Conversation, system: Sequence[str], tools: Sequence[JsonObject]) -> Parts:
    """Say what fills the window."""
    context = sum(line.size for line in conversation.lines if line.is_context)
    rest = sum(line.size for line in conversation.lines if not line.is_context)
    return Parts(
        system=sum(len(text.encode("utf-8", "replace")) for text in system) // _TOKEN_BYTES,
        tools=sum(block_size(tool) for tool in tools) // _TOKEN_BYTES,
        context=context // _TOKEN_BYTES,
        conversation=rest // _TOKEN_BYTES,
    )


def _limit(model_window: int, policy: CompactPolicy) -> int:
    window = min(model_window, policy.window or model_window)
    limit = window - min(BUFFER, window // 6)
    if policy.percent is not None:
        limit = min(limit, window * policy.percent // 100)
    return limit


def _last_response(lines: Sequence[Line]) -> int | None:
    """Find the first line of the newest response."""
    start: int | None = None
    number = 0
    for index in range(len(lines) - 1, -1, -1):
        line = lines[index]
        if line.role == "assistant" and number in (0, line.response):
            start, number = index, line.response
        elif line.role == "assistant":
            break
    return start


def _has_results(line: Line) -> bool:
    return any(block["type"] == "tool_result" for block in line.blocks)


def _is_set(env: Environment, name: str) -> bool:
    return env.get(name).lower() in _YES


def _number(env: Environment, name: str) -> int | None:
    text = env.get(name)
    return int(text) if text.isdecimal() else None
