"""The recorder of a sub-agent: what a response cost is written into the session's journal as well."""

from __future__ import annotations

from dataclasses import replace

from agent_tui.journal.entries import Purpose, ResponseEntry
from agent_tui.journal.fold import Conversation
from agent_tui.loop.agent_voice import AgentVoice
from agent_tui.loop.household import Household
from agent_tui.loop.record import Price, Recorder
from agent_tui.loop.scribe import Sink
from agent_tui.model.client import ModelResponse

BUDGET = "Budget limit reached"
"""The documented words for a sub-agent that may not begin, or go on, because nothing more may be spent."""


class SideRecorder(Recorder):
    """Writes a sub-agent's journal; its lines are a side chain of the session's."""

    def __init__(self, sink: Sink, household: Household, agent_id: str, voice: AgentVoice) -> None:
        session = household.record
        stamp = replace(session.stamp, agent_id=agent_id)
        conversation = Conversation(session_id=stamp.session_id, cwd=str(household.cwd))
        super().__init__(sink, stamp, conversation, voice)
        self._household = household

    def response(
        self, response: ModelResponse, price: Price, asked_model: str, purpose: Purpose = "main"
    ) -> None:
        """Write the end of a response in both journals."""
        super().response(response, price, asked_model, purpose)
        session = self._household.record
        session.write(
            ResponseEntry(
                session.header(),
                response.message_id,
                asked_model,
                response.stop_reason,
                response.usage,
                price.cost_usd,
                "agent",
                price.context_window,
                price.max_output_tokens,
                response.duration_ms,
            )
        )
        self._household.changed()
