"""Makes the requests of a session: its fixed parts (system prompt, tools, model) around the conversation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from agent_tui.context.compaction import summary_request
from agent_tui.context.request import build_request
from agent_tui.context.window import Parts, parts
from agent_tui.journal.fold import Conversation
from agent_tui.loop.record import Price
from agent_tui.model.client import ModelRequest
from agent_tui.model.prices import ModelTable
from agent_tui.model.thinking import Generation, Wishes, generation
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.usage import Usage

Definitions: TypeAlias = Callable[[Conversation, str], tuple[JsonObject, ...]]
"""Gives the tools that a request to a model (by name) has; what came first stays first, so that it stays cached."""


@dataclass(frozen=True, slots=True)
class FixedParts:
    """What every request of a session begins with; never changed while it is open, so that it stays cached."""

    system: tuple[str, ...]
    tools: tuple[JsonObject, ...] | Definitions


OVERLOADS = 3
"""After so many overloaded tries in a row another model is asked, if there is one."""


class SessionRequests:
    """The session's requests; ``model`` may change between two of them.

    Args:
        fixed: what every request begins with.
        table: what is known of models.
        wishes: how they are to generate.
        model: the model asked for.
        fallbacks: models to go on with, in order, while the one before is overloaded.
    """

    def __init__(
        self,
        fixed: FixedParts,
        table: ModelTable,
        wishes: Wishes,
        model: str,
        fallbacks: tuple[str, ...] = (),
    ) -> None:
        self._fixed = fixed
        self._table = table
        self._wishes = wishes
        self._fallbacks = fallbacks
        self._chosen = model
        self._left: list[str] = []
        self.use(model)

    @property
    def model(self) -> str:
        """The model that was asked for."""
        return self._chosen

    @property
    def answering(self) -> str:
        """The model that requests name: the one asked for, or one that stands in for it."""
        return self._model

    @property
    def window(self) -> int:
        """The model's window in tokens."""
        return self._table.facts(self._model).window

    @property
    def fixed_tokens(self) -> int:
        """Tokens of system prompt and tools, estimated."""
        return self.parts(Conversation()).fixed

    @property
    def wishes(self) -> Wishes:
        """How answers are to be generated."""
        return self._wishes

    @property
    def effort(self) -> str | None:
        """The level that requests name, None when they name none."""
        return self._generation.effort

    def use(self, model: str) -> Generation:
        """Name another model from the next request on; tells what it can't do that was asked for."""
        self._chosen = model
        self._left = [name for name in dict.fromkeys(self._fallbacks) if name != model]
        return self._name(model)

    def wish(self, wishes: Wishes) -> Generation:
        """Generate otherwise from the next request on; tells what the model can't do that is asked for."""
        self._wishes = wishes
        return self._name(self._model)

    def begin_prompt(self) -> None:
        """Ask the model that was asked for again, whoever answered last."""
        if self._model != self._chosen:
            self.use(self._chosen)

    def fall_back(self) -> str | None:
        """Name the next model that may stand in, until the next prompt; None when there is none left."""
        if not self._left:
            return None
        self._name(self._left.pop(0))
        return self._model

    def _name(self, model: str) -> Generation:
        self._model = model
        self._generation = generation(self._table.facts(model), self._wishes)
        return self._generation

    def main(self, conversation: Conversation) -> ModelRequest:
        """Make the next request of the loop."""
        request = build_request(
            conversation,
            self._fixed.system,
            self._tools(conversation),
            self._model,
            self._generation.max_tokens,
            self._generation.extra,
        )
        return replace(request, overloads=OVERLOADS if self._left else None)

    def beside(self, conversation: Conversation, text: str) -> ModelRequest:
        """Make a request that says something which does not become part of the conversation."""
        request = build_request(
            conversation,
            self._fixed.system,
            self._tools(conversation),
            self._model,
            self._generation.max_tokens,
            self._generation.extra,
            ask=text,
        )
        return replace(request, overloads=OVERLOADS if self._left else None)

    def summary(self, conversation: Conversation, instructions: str, attempt: int) -> ModelRequest:
        """Make a compaction's request."""
        return summary_request(
            conversation,
            self._fixed.system,
            self._tools(conversation),
            self._model,
            self._generation.max_tokens,
            self._generation.extra,
            instructions=instructions,
            attempt=attempt,
        )

    def parts(self, conversation: Conversation) -> Parts:
        """Say what fills the window, estimated."""
        return parts(conversation, self._fixed.system, self._tools(conversation))

    def price(self, model: str, usage: Usage) -> Price:
        """Say what a response cost and how large the model's window is."""
        facts = self._table.facts(model)
        return Price(self._table.cost(model, usage), facts.window, facts.max_output)

    def _tools(self, conversation: Conversation) -> tuple[JsonObject, ...]:
        tools = self._fixed.tools
        return tools(conversation, self._model) if callable(tools) else tools
