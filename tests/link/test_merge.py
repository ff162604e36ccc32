from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.link.merge import is_delta, join_deltas
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import Message, StreamEvent, SystemMessage

KEYS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}


def delta(index: int, kind: str, text: str, parent: str | None = None) -> StreamEvent:
    event: JsonObject = {
        "type": "content_block_delta",
        "index": index,
        "delta": {"type": kind, KEYS[kind]: text},
    }
    return StreamEvent("u", "s", event, parent)


EVENTS = st.one_of(
    st.builds(
        delta,
        st.integers(0, 1),
        st.sampled_from(sorted(KEYS)),
        st.text(max_size=4),
        st.sampled_from([None, "p"]),
    ),
    st.just(SystemMessage("status")),
    st.just(StreamEvent("u", "s", {"type": "content_block_stop", "index": 0})),
)


def spoken(messages: list[Message]) -> list[tuple[object, ...]]:
    """The stream a reader would put together: neighbouring pieces of one block are one piece."""
    out: list[tuple[object, ...]] = []
    for message in messages:
        if isinstance(message, StreamEvent) and is_delta(message):
            body = message.event["delta"]
            key = (message.event["index"], body["type"], message.parent_tool_use_id)
            text = body[KEYS[body["type"]]]
            if out and out[-1][0] == key:
                out[-1] = (key, str(out[-1][1]) + text)
            else:
                out.append((key, text))
        else:
            out.append((type(message), None))
            out.append(("seen", len(out)))
    return out


@given(st.lists(EVENTS, max_size=12))
def test_nothing_is_lost_or_moved(messages: list[Message]) -> None:
    joined = join_deltas(messages)
    assert spoken(joined) == spoken(messages)


def test_neighbours_of_one_block_become_one() -> None:
    pieces: list[Message] = [delta(0, "text_delta", c) for c in "hello"]
    assert join_deltas(pieces) == [delta(0, "text_delta", "hello")]
