"""Visible retries: every wait is told to the sink before it begins, and can be cancelled.

Waits grow from half a second to 32 s, with jitter so that many clients don't come back together; a wait the server
asks for is kept, if it is not unreasonably long.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import anyio

from agent_tui.model.client import ModelResponse, Retrying, Sink
from agent_tui.model.failures import Failure
from agent_tui.settings.paths import Environment

DEFAULT_RETRIES = 10
MAX_RETRIES = 15
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 32.0
JITTER = 0.25
"""A wait is up to this share longer than its step."""

LONGEST_ASKED_S = 3600.0
"""A server that asks for a longer wait gets no retry; the error says when to come back."""

STALLED_RETRIES = 1
THOUGHT_RETRIES = 2


@dataclass(frozen=True, slots=True)
class Pace:
    """Time and chance, as the tests want them.

    Attributes:
        wall: seconds since the epoch; goes on while the machine sleeps.
        sleep: waits so many seconds.
        random: 0 up to 1.
    """

    wall: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    random: Callable[[], float] = random.random


@dataclass(frozen=True, slots=True)
class Patience:
    """How long we wait, in seconds: for the head of a response, and for the next bytes of its body."""

    head_s: float = 600.0
    idle_s: float = 300.0

    @classmethod
    def of(cls, env: Environment) -> Patience:
        """Read ``API_TIMEOUT_MS`` and ``CLAUDE_STREAM_IDLE_TIMEOUT_MS``; what is no positive number counts as unset."""
        usual = cls()
        return cls(
            _seconds(env.get("API_TIMEOUT_MS"), usual.head_s),
            _seconds(env.get("CLAUDE_STREAM_IDLE_TIMEOUT_MS"), usual.idle_s),
        )


def retries_of(env: Environment) -> int:
    """How many retries ``CLAUDE_CODE_MAX_RETRIES`` asks for: 0 to 15, 10 when unset or unreadable."""
    asked = env.get("CLAUDE_CODE_MAX_RETRIES")
    return min(int(asked), MAX_RETRIES) if asked.isascii() and asked.isdigit() else DEFAULT_RETRIES


def wait_asked(headers: Mapping[str, str], now: float) -> float | None:
    """Read ``retry-after-ms`` and ``retry-after`` (seconds or an HTTP date); seconds, None if there is neither."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    after = headers.get("retry-after")
    seconds = _number(after)
    if seconds is not None or after is None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(after).timestamp() - now)
    except ValueError:
        return None


async def with_retries(
    attempt: Callable[[], Awaitable[ModelResponse | Failure]],
    sink: Sink,
    pace: Pace,
    max_retries: int,
    overloads: int | None = None,
) -> ModelResponse:
    """Try until there is a response, or until ``overloads`` tries in a row found the model overloaded.

    Raises:
        ModelError: the failure is final, or the retries are used up.
    """
    retries: Counter[str] = Counter()
    overloaded = 0
    while True:
        outcome = await attempt()
        if isinstance(outcome, ModelResponse):
            return outcome
        overloaded = overloaded + 1 if outcome.overloaded else 0
        done = retries.total()
        limit = min(max_retries, done - retries[outcome.again] + _limit(outcome, max_retries))
        if done >= limit or overloaded == overloads:
            raise outcome.error(f"Tried {done + 1} times." if done else "")
        if outcome.wait_s is not None and outcome.wait_s > LONGEST_ASKED_S:
            raise outcome.error(f"The server asks to come back in {_span(outcome.wait_s)}.")
        wait = _wait(outcome, done, pace)
        retries[outcome.again] += 1
        await sink(
            Retrying(
                attempt=done + 1,
                max_retries=limit,
                delay_ms=round(wait * 1000),
                status=outcome.status,
                error=outcome.kind,
                reason=outcome.text,
            )
        )
        await pace.sleep(wait)


def _limit(failure: Failure, max_retries: int) -> int:
    match failure.again:
        case "never":
            return 0
        case "later":
            return max_retries
        case "stalled":
            return STALLED_RETRIES
        case "thought":
            return THOUGHT_RETRIES


def _wait(failure: Failure, done: int, pace: Pace) -> float:
    if failure.again == "thought":
        step = FIRST_WAIT_S
    else:
        step = min(FIRST_WAIT_S * 2.0**done, LONGEST_WAIT_S)
    if failure.wait_s is not None:
        return failure.wait_s + JITTER * FIRST_WAIT_S * pace.random()
    return step * (1 + JITTER * pace.random())


def _seconds(milliseconds: str, default_s: float) -> float:
    value = _number(milliseconds)
    return value / 1000 if value else default_s


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def _span(seconds: float) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min"
