"""A small model looks at a call that would be asked, for the mode ``auto``. It can say yes; anything else is no consent.

It is shown the call and what the person said, never a tool's result and never the agent's own words: both may carry
what others wrote. All of it goes as one JSON text in which nothing can pretend to stand outside.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, TypeAlias, cast

import anyio

from agent_tui.loop.record import Price, Recorder
from agent_tui.model.client import (
    ModelClient,
    ModelEvent,
    ModelRequest,
    ModelResponse,
    Retrying,
    WireEvent,
)
from agent_tui.model.prices import ModelTable
from agent_tui.model.thinking import Wishes, generation
from agent_tui.protocol.content import JsonObject, ToolUseBlock
from agent_tui.protocol.errors import ModelError
from agent_tui.protocol.usage import Usage

SECONDS: Final = 15.0
"""How long a call may wait for an opinion before the person is asked."""

MAX_TRIES: Final = 2
ANSWER_TOKENS: Final = 400
THINKING_TOKENS: Final = 4000
"""``max_tokens`` of a model that thinks whether it is wanted or not."""

MAX_CALL: Final = 8_000
"""Characters of a call; a longer one is not shown in part, it is asked."""

MAX_PROMPT: Final = 2_000
"""Characters of one prompt that are shown."""

MAX_REASON: Final = 160
CUT: Final = "[…]"

Said: TypeAlias = Literal["allow", "block", "unsure", "failed"]
DECISIONS: Final[tuple[Said, ...]] = ("allow", "block", "unsure")

TOOL: Final = "verdict"
SCHEMA: Final[JsonObject] = {
    "name": TOOL,
    "description": "Say whether the call may run without the person being asked.",
    "input_schema": {
        "type": "object",
        "properties": {
            "reason": {"type": "string", "description": "One plain clause, at most 15 words"},
            "decision": {"type": "string", "enum": list(DECISIONS)},
        },
        "required": ["reason", "decision"],
        "additionalProperties": False,
    },
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What is looked at.

    Attributes:
        tool, given: the call, as it would run.
        shell_folder: the folder a command would start in.
        working_folders: the folders that count as inside.
        person_said: the person's newest prompts, oldest first.
        why: why it would be asked.
        sub_agent: a sub-agent calls.
    """

    tool: str
    given: Mapping[str, Any]
    shell_folder: str
    working_folders: tuple[str, ...]
    person_said: tuple[str, ...]
    why: str
    sub_agent: bool = False

    def text(self) -> str | None:
        """Give the text of the request; None when the call is too long to be shown whole."""
        call = plain_json(dict(self.given))
        if len(call) > MAX_CALL:
            return None
        data = plain_json(
            {
                "person_said": [_shortened(one) for one in self.person_said],
                "working_folders": list(self.working_folders),
                "shell_folder": self.shell_folder,
                "from_sub_agent": self.sub_agent,
                "why_asked": self.why,
                "tool": self.tool,
                "input": self.given,
            }
        )
        return f"BEGIN DATA\n{data}\nEND DATA\nMay this call run without the person being asked?"


@dataclass(frozen=True, slots=True)
class Opinion:
    """What came of it: ``said`` failed when there is no opinion. ``cost_usd`` None when the price isn't known."""

    said: Said
    reason: str
    cost_usd: float | None = 0.0

    @property
    def allows(self) -> bool:
        """The call may run."""
        return self.said == "allow"


class Classifier:
    """Asks the small model.

    Args:
        client: what is asked.
        model: the model's id.
        table: what is known of models.
        seconds: how long one opinion may take, a second try included.
    """

    def __init__(
        self, client: ModelClient, model: str, table: ModelTable, seconds: float = SECONDS
    ) -> None:
        self._client = client
        self._model = model
        self._table = table
        self._seconds = seconds

    async def opinion(self, text: str, record: Recorder) -> Opinion:
        """Have a call looked at.

        Args:
            text: ``Shown.text``.
            record: the writer of the run that waits; what it cost is written there, also when it is cancelled.
        """
        response: ModelResponse | None = None
        scope = anyio.CancelScope(deadline=anyio.current_time() + self._seconds)
        hearing = _Hearing(scope, f"no answer came within {self._seconds:g} s")
        try:
            with scope:
                response = await self._client.respond(self.request(text), hearing)
        except ModelError as error:
            hearing.why = str(error).rstrip(".")
        except anyio.get_cancelled_exc_class():  # the person interrupts
            self._pay(hearing.so_far, record)
            raise
        cost = self._pay(response or hearing.so_far, record)
        if response is None:
            return Opinion("failed", _clause(hearing.why), cost)
        said, reason = read_verdict(response)
        return Opinion(said, reason, cost)

    def request(self, text: str) -> ModelRequest:
        """Make the request: all but the last message is the same every time, so that it stays cached."""
        facts = self._table.facts(self._model)
        wishes = Wishes(effort="low", max_tokens=ANSWER_TOKENS, no_thinking=True)
        how = generation(facts, wishes)
        if thinks := how.extra.get("thinking", {}).get("type") == "adaptive":
            how = generation(
                facts, Wishes(effort="low", max_tokens=THINKING_TOKENS, no_thinking=True)
            )
        choice: JsonObject = {"type": "auto"} if thinks else {"type": "tool", "name": TOOL}
        mark: JsonObject = {"type": "ephemeral"}
        return ModelRequest(
            model=self._model,
            max_tokens=how.max_tokens,
            system=({"type": "text", "text": instructions(), "cache_control": mark},),
            messages=({"role": "user", "content": [{"type": "text", "text": text}]},),
            tools=(SCHEMA,),
            extra={**how.extra, "tool_choice": choice},
            overloads=1,
        )

    def _pay(self, response: ModelResponse | None, record: Recorder) -> float | None:
        """Count what was used; give what it cost."""
        if response is None:
            return 0.0
        facts, usage = self._table.facts(self._model), response.usage
        cost = self._table.cost(self._model, usage)
        price = Price(cost, facts.window, facts.max_output)
        record.response(response, price, self._model, "classify")
        return cost


class _Hearing:
    """Hears one request: what it has used by now, and whether trying again is worth the wait.

    ``why`` there is no answer, if there is none.
    """

    def __init__(self, scope: anyio.CancelScope, why: str) -> None:
        self._scope = scope
        self.so_far: ModelResponse | None = None
        self.why = why

    async def __call__(self, event: ModelEvent) -> None:
        match event:
            case Retrying():
                self.so_far = None
                again = anyio.current_time() + event.delay_ms / 1000
                if event.attempt >= MAX_TRIES or again >= self._scope.deadline:
                    self.why = event.reason.rstrip(".")
                    self._scope.cancel()
            case WireEvent({"type": "message_start", "message": message}):
                self.so_far = _begun(message)
            case _:
                pass


def read_verdict(response: ModelResponse) -> tuple[Said, str]:
    """Read an answer strictly: one whole call of the tool, with nothing missing and nothing besides."""
    if response.stop_reason == "refusal":
        return "failed", "the model declined to judge it"
    if response.cut is not None or response.stop_reason == "max_tokens":
        return "failed", "the answer broke off"
    calls = [one for one in response.blocks if isinstance(one.block, ToolUseBlock)]
    if len(calls) != 1 or calls[0].unparsed is not None:
        return "failed", "the answer was no verdict"
    block = calls[0].block
    assert isinstance(block, ToolUseBlock)
    decision, reason = block.input.get("decision"), block.input.get("reason")
    whole = block.name == TOOL and block.input.keys() == {"reason", "decision"}
    if not whole or not isinstance(reason, str) or decision not in DECISIONS:
        return "failed", "the answer was no verdict"
    clause = _clause(reason)
    if not clause:
        return "failed", "the answer gave no reason"
    return decision, clause


def plain_json(value: Any) -> str:
    """Write JSON on one line in which no tag can stand, and every character that can't be seen is written out."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return "".join(map(_visible, text))


@cache
def instructions() -> str:
    """Give the system prompt."""
    return resources.files("agent_tui.loop").joinpath("classifier.md").read_text("utf-8").strip()


def _visible(character: str) -> str:
    if character in "<>" or (character != " " and unicodedata.category(character)[0] in "CZ"):
        code = ord(character)
        if code > 0xFFFF:
            code -= 0x10000
            return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
        return f"\\u{code:04x}"
    return character


def _shortened(prompt: str) -> str:
    return prompt if len(prompt) <= MAX_PROMPT else f"{prompt[:MAX_PROMPT]} {CUT}"


def _clause(text: str) -> str:
    """Make one line of what the model, or a server, said."""
    seen = "".join(c for c in " ".join(text.split()) if c.isprintable()).strip().rstrip(".")
    return seen if len(seen) <= MAX_REASON else f"{seen[: MAX_REASON - 1]}…"


def _begun(message: Any) -> ModelResponse | None:
    if not isinstance(message, dict):
        return None
    told = cast("JsonObject", message)
    usage = Usage.from_api(told.get("usage"))
    return ModelResponse(str(told.get("id")), str(told.get("model")), (), None, usage)
