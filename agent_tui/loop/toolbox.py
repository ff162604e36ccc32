"""What a request tells the model of its tools: all of a definition, or the name only until it asks for more."""

from __future__ import annotations

from agent_tui.journal.fold import Conversation
from agent_tui.journal.lines import block_size
from agent_tui.model.prices import ModelTable
from agent_tui.protocol.content import JsonObject
from agent_tui.tools.base import ToolSet
from agent_tui.tools.deferral import Deferral

_TOKEN_BYTES = 4


class Toolbox:
    """Deferred tools cost a request nothing until they are taken from the shelf.

    Those taken stand at the end of the tools, in the order they were taken: what was cached stays cached.

    Args:
        tools: the tools there are; they may change.
        deferral: whether tools are deferred, as far as the person's wishes and the server go.
        table: the models, for their windows and whether they can search.
    """

    def __init__(self, tools: ToolSet, deferral: Deferral, table: ModelTable) -> None:
        self.tools = tools
        self._deferral = deferral
        self._table = table

    def deferred(self, model: str) -> frozenset[str]:
        """Give the names that this model is told instead of definitions."""
        waiting = self.tools.deferred
        known = self._table.find(model)
        if not waiting or not self._deferral.works_with(known.id if known else None):
            return frozenset()
        size = sum(block_size(self.tools.schema(name)) for name in waiting) // _TOKEN_BYTES
        worth = self._deferral.worth(size, self._table.facts(model).window)
        return waiting if worth else frozenset()

    def definitions(self, conversation: Conversation, model: str) -> tuple[JsonObject, ...]:
        """Give the definitions that the next request to this model is to have."""
        tools, deferred = self.tools, self.deferred(model)
        sent = (tools.schema(name) for name in tools.by_name if name not in deferred)
        taken = (tools.schema(name) for name in conversation.tools_taken if name in deferred)
        return (*sent, *({**one, "defer_loading": True} for one in taken))
