"""Random scripts of a model, as bad as they come."""

from __future__ import annotations

from hypothesis import strategies as st

from agent_tui.protocol.content import JsonObject, ThinkingBlock, ToolUseBlock
from agent_tui.protocol.errors import ModelError
from agent_tui.protocol.hooks import HookEvent, HookOutcome
from agent_tui.protocol.usage import Usage
from tests.fakes.model import Broken, Part, Said, Step, Unreadable


def _call(call_id: str, name: str, given: JsonObject) -> Part:
    return ToolUseBlock(call_id, name, given)


def _said(
    parts: list[Part],
    reason: str | None,
    cut: str | None,
    size: int,
    message_id: str | None,
    voided: list[Part] | None,
) -> Step:
    tried = None if voided is None else tuple(voided)
    return Said(tuple(parts), reason, Usage(size, 5), cut, None, message_id, tried)


def _broken(long: bool, overloaded: bool, parts: list[Part]) -> Step:
    kind = "overloaded" if overloaded else "unknown"
    return Broken(ModelError("no", kind=kind, prompt_too_long=long), tuple(parts))


NAMES = ("Look", "Change", "Nix", "", "calendar.list", "calendar_list", "Crash", "StructuredOutput")


def _stuck(step: Step, times: int) -> list[Step]:
    return [step] * times


GIVEN: list[JsonObject] = [{}, {"n": 1}, {"wrong": True}, {"path": "\udcff"}]
PARTS: st.SearchStrategy[Part] = st.one_of(
    st.sampled_from(["Hello.", " ", "", "\ud83d half", "]]>"]),
    st.builds(
        _call,
        st.sampled_from(["x", "y", "", "a b", "toolu_1"]),
        st.sampled_from(NAMES),
        st.sampled_from(GIVEN),
    ),
    st.builds(Unreadable, st.sampled_from(["Look", "Change"]), st.sampled_from(["{", "[1]", ""])),
    st.builds(ThinkingBlock, st.just("hm"), st.sampled_from(["sig", ""])),
)
"""What an answer is made of. Calls name tools that look, change, crash, or are not there."""

REASONS = (
    "end_turn",
    "tool_use",
    "max_tokens",
    "pause_turn",
    "refusal",
    "stop_sequence",
    "novel",
    "model_context_window_exceeded",
    None,
)
SAID: st.SearchStrategy[Step] = st.builds(
    _said,
    st.lists(PARTS, max_size=4),
    st.sampled_from(["tool_use", "tool_use", "end_turn", *REASONS]),
    st.sampled_from([None, None, None, "it broke off"]),
    st.sampled_from([10, 10, 10, 190_000]),
    st.sampled_from([None, None, "same", ""]),
    st.none() | st.lists(PARTS, max_size=2),
)
BROKEN: st.SearchStrategy[Step] = st.builds(
    _broken, st.booleans(), st.booleans(), st.lists(PARTS, max_size=2)
)
SCRIPTS: st.SearchStrategy[list[Step]] = st.one_of(
    st.lists(st.one_of(SAID, SAID, SAID, BROKEN), max_size=8),
    st.builds(_stuck, SAID, st.integers(3, 7)),
)


class Whims:
    """Hooks that decide as drawn: by event, in turn."""

    def __init__(self, outcomes: dict[HookEvent, list[HookOutcome]]) -> None:
        self._outcomes = outcomes

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        drawn = self._outcomes.get(event)
        return drawn.pop() if drawn else HookOutcome()


_BLOCKS = HookOutcome(blocked="no")
_ENDS = HookOutcome(stop="enough")
_ADDS = HookOutcome(additional_context=("By the way.",))
_EVENTS: list[HookEvent] = [
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Stop",
    "StopFailure",
    "PreCompact",
    "PostCompact",
    "SessionStart",
]
_OUTCOMES = st.lists(
    st.sampled_from(
        [_BLOCKS, _ENDS, _ADDS, HookOutcome(), HookOutcome("deny", "no"), HookOutcome("defer")]
    ),
    max_size=3,
)
WHIMS: st.SearchStrategy[Whims] = st.builds(
    Whims, st.dictionaries(st.sampled_from(_EVENTS), _OUTCOMES, max_size=4)
)
