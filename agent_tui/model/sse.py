"""Bytes of a server-sent event stream to events, whatever way they are cut into chunks.

Lines end at LF, CR LF and CR, and nowhere else: U+2028 and its like are legal inside JSON strings. The split is done
on bytes, where no part of a longer UTF-8 character looks like a line end. Events may be of any size.
"""

from __future__ import annotations

from dataclasses import dataclass

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class SseEvent:
    """One event: ``name`` is empty where the server sent no ``event:`` line, ``data`` its lines joined by LF."""

    name: str
    data: str


class SseParser:
    """Takes chunks, gives the events that are complete."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self._after_cr = False
        self._first_line = True
        self._name = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[SseEvent]:
        """Take the next bytes; give the events they complete, in order."""
        if self._after_cr and chunk:
            # the CR that ended the last chunk has ended its line already: this is its LF
            chunk = chunk.removeprefix(b"\n")
            self._after_cr = False
        if not chunk:
            return []
        self._after_cr = chunk.endswith(b"\r")
        head, *tail = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._rest.append(head)
        events: list[SseEvent] = []
        for following in tail:
            event = self._line(b"".join(self._rest))
            if event is not None:
                events.append(event)
            self._rest = [following]
        return events

    def close(self) -> list[SseEvent]:
        """Give the event that the end of the stream left open, if any; its data may be cut."""
        last = self._line(b"".join(self._rest))
        self._rest = []
        event = last or self._line(b"")
        return [] if event is None else [event]

    def _line(self, raw: bytes) -> SseEvent | None:
        if self._first_line:
            raw = raw.removeprefix(BOM)
            self._first_line = False
        if not raw:
            return self._dispatch()
        field, _, value = raw.decode("utf-8", "replace").partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
        return None

    def _dispatch(self) -> SseEvent | None:
        name, data = self._name, self._data
        self._name, self._data = "", []
        return SseEvent(name, "\n".join(data)) if data else None
