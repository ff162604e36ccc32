"""One response's stream: bytes in, events told to the sink, and at its end what became of it.

Knows nothing of HTTP, so it can be fed any bytes. A stream that broke is a failure to be tried again, unless text or
a tool call had been finished: asking again could do a thing twice, so what is finished counts and the rest is lost.
"""

from __future__ import annotations

from dataclasses import replace

from agent_tui.model.accumulate import Accumulator, read_event, well_shaped
from agent_tui.model.client import ModelResponse, Sink, WireEvent
from agent_tui.model.endpoint import Endpoint
from agent_tui.model.failures import Failure, error_in_text, excerpt, told
from agent_tui.model.sse import SseEvent, SseParser

_HEAD = 4096
"""How much of a body is kept to say what it is, should it be no message."""


class StreamReader:
    """Reads one response.

    Args:
        endpoint: where it comes from.
        sink: is told every event, pings and errors left out, and every finished block.
        content_type: the response's, for the words about a body that is no stream.
        request_id: the API's id.
    """

    def __init__(
        self, endpoint: Endpoint, sink: Sink, content_type: str = "", request_id: str | None = None
    ) -> None:
        self._endpoint = endpoint
        self._sink = sink
        self._content_type = content_type
        self._request_id = request_id
        self._parser = SseParser()
        self._message = Accumulator()
        self._head = b""
        self._malformed = ""

    @property
    def done(self) -> bool:
        """Whether nothing more is wanted: the message ended, or can't go on."""
        return self._message.ended or self._message.error is not None or bool(self._malformed)

    async def feed(self, chunk: bytes) -> None:
        """Take the next bytes and tell what is in them."""
        if not self._message.started:
            self._head = (self._head + chunk[:_HEAD])[:_HEAD]
        for sse in self._parser.feed(chunk):
            if self.done:
                return
            await self._take(sse)

    async def close(self) -> None:
        """Take the end of the body: an event may have been waiting for its empty line."""
        for sse in self._parser.close():
            if not self.done:
                await self._take(sse)

    def outcome(
        self, broken: Failure | None = None, duration_ms: int = 0
    ) -> ModelResponse | Failure:
        """Say what became of the response; ``broken`` is how the connection failed, if it did."""
        message = self._message
        if message.started and message.ended and not message.hollow:
            return message.response(duration_ms=duration_ms, request_id=self._request_id)
        failure = self._failure(broken)
        if message.started and message.spoken:
            return message.response(
                cut=failure.text, duration_ms=duration_ms, request_id=self._request_id
            )
        count = len(message.blocks)
        if count and failure.again != "never":
            return replace(failure, again="thought", after_blocks=count)
        return replace(failure, after_blocks=count)

    async def _take(self, sse: SseEvent) -> None:
        try:
            event = read_event(sse)
        except ValueError:
            self._malformed = sse.data or " "
            return
        # a block is told whole before the event that ends it
        for block in self._message.apply(event):
            await self._sink(block)
        if event["type"] not in ("ping", "error") and well_shaped(event):
            await self._sink(WireEvent(event))

    def _failure(self, broken: Failure | None) -> Failure:
        name = self._endpoint.name
        if self._message.error is not None:
            return told(self._message.error, self._endpoint, self._request_id)
        if broken is not None:
            return replace(broken, request_id=self._request_id)
        if not self._message.started:
            return self._no_message()
        if self._malformed:
            quote = excerpt(self._endpoint.clean(self._malformed))
            text = f'{name} sent an event that can\'t be read: "{quote}".'
            return Failure(text, "server_error", again="later", request_id=self._request_id)
        if self._message.ended:
            text = f"{name} ended its answer without content, stop reason or token counts."
            return Failure(f"{text} {_GATEWAY}", request_id=self._request_id)
        text = f"The connection to {name} ended before the answer was whole."
        return Failure(text, again="later", request_id=self._request_id)

    def _no_message(self) -> Failure:
        head = self._head.decode("utf-8", "replace")
        error = error_in_text(head)
        if error is not None:
            return told(error, self._endpoint, self._request_id)
        name, is_stream = self._endpoint.name, "event-stream" in self._content_type
        if is_stream and not head.strip():
            text = f"{name} sent an empty answer."
            return Failure(text, "server_error", again="later", request_id=self._request_id)
        quote = excerpt(self._endpoint.clean(head))
        what = "a stream without message_start" if is_stream else self._content_type or "no stream"
        text = f'{name} answered with {what} instead of a message stream: "{quote}".'
        return Failure(f"{text} {_GATEWAY}", status=200, request_id=self._request_id)


_GATEWAY = "Check the base URL, or what the gateway there makes of streams."
