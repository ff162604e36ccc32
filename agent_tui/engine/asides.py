"""Questions beside the conversation: the model is shown it, answers, and neither question nor answer is kept in it."""

from __future__ import annotations

from agent_tui.loop.record import Recorder
from agent_tui.loop.requests import SessionRequests
from agent_tui.model.client import ModelClient, ModelEvent, ModelResponse, Retrying
from agent_tui.protocol.asides import AsideAnswer
from agent_tui.protocol.content import TextBlock
from agent_tui.protocol.errors import UsageError

NO_WORDS = "The model said nothing."
BESIDE = (
    "A side question of the user follows. Answer it in a few sentences from what you know of this conversation and in "
    "general. Call no tools: calls made here are not run. This question and your answer will not be part of the "
    "conversation, and the work under way goes on untouched by them.\n\n"
)


class Asides:
    """Answers them, also while a run goes.

    Args:
        record: what an answer cost is written there; it counts for the session and its budget.
        requests: the conversation's own requests, so that what is cached of it is read and nothing else is written.
        client: what is asked.
    """

    def __init__(self, record: Recorder, requests: SessionRequests, client: ModelClient) -> None:
        self._record = record
        self._requests = requests
        self._client = client

    async def ask(self, question: str) -> AsideAnswer:
        """Give the answer.

        Raises:
            UsageError: nothing is asked.
            ModelError: it could not be had.
        """
        if not question.strip():
            raise UsageError("What do you want to know? /btw is followed by a question.")
        request = self._requests.beside(self._record.conversation, BESIDE + question.strip())
        response = await self._client.respond(request, self._hear)
        price = self._requests.price(request.model, response.usage)
        self._record.response(response, price, request.model, "other")
        return AsideAnswer(_words(response), price.cost_usd)

    async def _hear(self, event: ModelEvent) -> None:
        if isinstance(event, Retrying):
            await self._record.retrying(event)


def _words(response: ModelResponse) -> str:
    texts = [one.block.text for one in response.blocks if isinstance(one.block, TextBlock)]
    said = "\n\n".join(text.strip() for text in texts if text.strip())
    if response.stop_reason == "refusal" and not said:
        return "The model declined to answer."
    return said or NO_WORDS
