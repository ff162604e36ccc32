"""How often a text stands in the messages of a session before one of them, run by run, so that little is held at once."""

from __future__ import annotations

from collections.abc import Iterable

from agent_tui.journal.entries import Entry
from agent_tui.journal.replay import Replay, ToolDisplay, message_uuid
from agent_tui.protocol.masking import Masker
from agent_tui.protocol.messages import Message, UserMessage
from agent_tui.view.searching import Needle, count_in, needle_of
from agent_tui.view.transcript import Transcript


def places_before(
    entries: Iterable[Entry],
    text: str,
    before: str | None,
    *,
    tool_display: ToolDisplay | None = None,
    masker: Masker | None = None,
) -> int:
    """Count the places of ``text`` in what was said before the message with uuid ``before`` (None: in all of it).

    Counted is what the transcript of those messages shows, folded away or not, with secrets masked.
    """
    needle = needle_of(text)
    if needle is None:
        return 0
    replay = Replay(tool_display)
    places = 0
    for entry in entries:
        replay.add(entry)
        said = replay.said
        if said and isinstance(said[-1], UserMessage) and isinstance(said[-1].content, str):
            done, last = said[:-1], said[-1]
            end = _index(done, before)
            places += _count(done[:end], needle, masker)
            if end is not None:
                return places
            said[:] = [last]
    replay.end()
    return places + _count(replay.said[: _index(replay.said, before)], needle, masker)


def _count(messages: Iterable[Message], needle: Needle, masker: Masker | None) -> int:
    transcript = Transcript(masker)
    for message in messages:
        transcript.apply(message)
    return sum(count_in(block, needle) for block in transcript.blocks)


def _index(messages: list[Message], uuid: str | None) -> int | None:
    """Find where a message stands; None when it is not there."""
    if uuid is None:
        return None
    return next((at for at, one in enumerate(messages) if message_uuid(one) == uuid), None)
