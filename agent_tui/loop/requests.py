"""Makes the requests of a session: its fixed parts (system prompt, tools, model) around the conversation."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class FixedParts:
    """What every request of a session begins with; never changed while it is open, so that it stays cached."""

    system: tuple[str, ...]
    tools: tuple[JsonObject, ...]


class SessionRequests:
    """The session's requests; ``model`` may change between two of them."""

    def __init__(self, fixed: FixedParts, table: ModelTable, wishes: Wishes, model: str) -> None:
        self._fixed = fixed
        self._table = table
        self._wishes = wishes
        self._model = model
        self._generation = generation(table.facts(model), wishes)

    @property
    def model(self) -> str:
        """The model that requests name."""
        return self._model

    @property
    def window(self) -> int:
        """The model's window in tokens."""
        return self._table.facts(self._model).window

    @property
    def fixed_tokens(self) -> int:
        """Tokens of system prompt and tools, estimated."""
        return self.parts(Conversation()).fixed

    def use(self, model: str) -> Generation:
        """Name another model from the next request on; tells what it can't do that was asked for."""
        self._model = model
        self._generation = generation(self._table.facts(model), self._wishes)
        return self._generation

    def main(self, conversation: Conversation) -> ModelRequest:
        """Make the next request of the loop."""
        return build_request(
            conversation,
            self._fixed.system,
            self._fixed.tools,
            self._model,
            self._generation.max_tokens,
            self._generation.extra,
        )

    def summary(self, conversation: Conversation, instructions: str, attempt: int) -> ModelRequest:
        """Make a compaction's request."""
        return summary_request(
            conversation,
            self._fixed.system,
            self._fixed.tools,
            self._model,
            self._generation.max_tokens,
            self._generation.extra,
            instructions=instructions,
            attempt=attempt,
        )

    def parts(self, conversation: Conversation) -> Parts:
        """Say what fills the window, estimated."""
        return parts(conversation, self._fixed.system, self._fixed.tools)

    def price(self, model: str, usage: Usage) -> Price:
        """Say what a response cost and how large the model's window is."""
        facts = self._table.facts(model)
        return Price(self._table.cost(model, usage), facts.window, facts.max_output)
