"""Streams whose end is noticed."""

from __future__ import annotations

import anyio
import pytest

from agent_tui.mcp.streams import Item, watched

pytestmark = pytest.mark.anyio


async def test_the_end_of_a_stream_sets_its_event() -> None:
    send, read = anyio.create_memory_object_stream[Item](2)
    write, other = anyio.create_memory_object_stream[Item](0)
    streams = watched(read, write)
    with send, write, other:
        await send.send(ValueError("one"))
        async with streams.read as stream:
            assert str(await stream.receive()) == "one"
            assert not streams.closed.is_set()
            send.close()
            assert [item async for item in stream] == []
            assert streams.closed.is_set()


async def test_closing_it_sets_its_event() -> None:
    send, read = anyio.create_memory_object_stream[Item](0)
    write, other = anyio.create_memory_object_stream[Item](0)
    with send, write, other:
        streams = watched(read, write)
        await streams.read.aclose()
        assert streams.closed.is_set()
