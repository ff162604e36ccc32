"""What several hooks of one event come to: the strictest decision wins, texts add up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agent_tui.protocol.hooks import NOTHING, HookBehavior, HookOutcome
from agent_tui.protocol.requests import Deny

STRICTEST_FIRST: tuple[HookBehavior, ...] = ("deny", "defer", "ask", "allow")


def fold(outcomes: Sequence[HookOutcome]) -> HookOutcome:
    """Fold what the hooks said, in the order they are configured.

    An allow counts for the input its hook has seen: where another hook changed it, the rules decide.
    """
    if not outcomes:
        return NOTHING
    behavior = _strictest(outcomes)
    changed = [one for one in outcomes if one.updated_input is not None]
    if behavior in ("deny", "defer"):
        changed = []
    elif behavior == "allow" and any(one.behavior != "allow" for one in changed):
        behavior = None
    deciding = [one for one in outcomes if behavior is not None and one.behavior == behavior]
    blocking = [one for one in outcomes if one.blocked is not None]
    answers = sorted(
        (one for one in outcomes if one.answer is not None),
        key=lambda one: not isinstance(one.answer, Deny),
    )
    speaker = next(iter((*deciding, *blocking, *answers)), NOTHING)
    return HookOutcome(
        behavior=behavior,
        reason=_lines(one.reason for one in deciding),
        source=speaker.source,
        updated_input=changed[-1].updated_input if changed else None,
        updated_output=_last(one.updated_output for one in outcomes),
        additional_context=tuple(text for one in outcomes for text in one.additional_context),
        blocked=_lines(one.blocked or "" for one in blocking) if blocking else None,
        stop=next((one.stop for one in outcomes if one.stop is not None), None),
        answer=answers[0].answer if answers else None,
        title=_last(one.title or None for one in outcomes) or "",
        initial_prompt=_lines(one.initial_prompt for one in outcomes),
        retry=any(one.retry for one in outcomes),
    )


def _strictest(outcomes: Sequence[HookOutcome]) -> HookBehavior | None:
    said = {one.behavior for one in outcomes}
    return next((behavior for behavior in STRICTEST_FIRST if behavior in said), None)


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(dict.fromkeys(text for text in texts if text))


def _last(values: Iterable[Any]) -> Any:
    return next((value for value in reversed(list(values)) if value is not None), None)
