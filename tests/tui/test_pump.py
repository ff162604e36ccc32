from __future__ import annotations

import anyio
import pytest

from agent_tui.link.base import EngineLost, EngineUp, OpenFailed
from agent_tui.protocol.content import ToolResultBlock, ToolUseBlock
from agent_tui.protocol.looking import Inside
from agent_tui.protocol.messages import (
    AssistantMessage,
    Message,
    QueueChanged,
    QueuedPrompt,
    SystemMessage,
    UserMessage,
)
from agent_tui.protocol.queries import Failed, MessagePage, Page
from agent_tui.protocol.records import to_record
from agent_tui.tui.pump import Pump
from agent_tui.view.blocks import Added, Change, Cleared, Prepended, ToolBlock, Updated
from agent_tui.view.status import Status
from tests.tui.fake_link import FakeLink

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Ear:
    """Keeps what a listener is told."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.status = Status()
        self.told: list[object] = []

    def conversation_changed(self, changes: tuple[Change, ...]) -> None:
        self.changes += changes

    def status_changed(self, before: Status, after: Status, message: Message) -> None:
        self.status = after

    def engine_up(self, *, restarted: bool) -> None:
        self.told.append(("up", restarted))

    def engine_lost(self, lost: EngineLost) -> None:
        self.told.append(lost)

    def rewound(self) -> None:
        self.told.append("rewound")

    def open_failed(self, failed: OpenFailed) -> None:
        self.told.append(failed)


def said(name: str) -> UserMessage:
    return UserMessage(f"text {name}", uuid=name)


def added(ear: Ear) -> list[str]:
    return [change.block.id for change in ear.changes if isinstance(change, Added)]


async def test_messages_become_blocks_and_status() -> None:
    link, ear = FakeLink(), Ear()
    pump = Pump(link, ear, has_past=False)
    queued = QueuedPrompt("q", "later")
    link.say(EngineUp(), said("a"), QueueChanged((queued,)))
    await link.aclose()
    await pump.run()
    assert ear.told == [("up", False)]
    assert added(ear) == ["a"]
    assert ear.status.queue == (queued,)
    assert not pump.wants_page
    link.drop()


async def test_the_past_stands_before_what_is_said_meanwhile_and_nothing_twice() -> None:
    page = MessagePage((to_record(said("old")), to_record(said("both"))), True)
    link, ear = FakeLink({Page: page}), Ear()
    pump = Pump(link, ear, has_past=True)
    for incoming in (EngineUp(), said("both"), said("new")):
        pump.take(incoming)
    assert pump.wants_page
    assert ear.changes == []
    await pump.load_past()
    assert isinstance(ear.changes[0], Cleared)
    assert added(ear) == ["old", "both", "new"]
    link.drop()


async def test_a_page_that_can_not_be_had_loses_nothing_that_was_said() -> None:
    link, ear = FakeLink({Page: Failed("gone")}), Ear()
    pump = Pump(link, ear, has_past=True)
    pump.take(EngineUp())
    pump.take(said("new"))
    await pump.load_past()
    assert added(ear) == ["new"]
    link.drop()


async def test_records_that_can_not_be_read_are_skipped() -> None:
    records: tuple[dict[str, object], ...] = ({"type": "user"}, {"type": "?"}, to_record(said("good")))  # fmt: skip
    link, ear = FakeLink({Page: MessagePage(records)}), Ear()
    pump = Pump(link, ear, has_past=True)
    pump.take(EngineUp())
    await pump.load_past()
    assert added(ear) == ["good"]
    link.drop()


async def test_older_pages_are_prepended_until_there_are_none() -> None:
    def reply(query: Page) -> MessagePage:
        if query.before is None:
            return MessagePage((to_record(said("late")),), True)
        return MessagePage((to_record(said("early")),), False)

    link, ear = FakeLink({Page: reply}), Ear()
    pump = Pump(link, ear, has_past=True)
    pump.take(EngineUp())
    await pump.load_past()
    await pump.load_older()
    (change,) = [c for c in ear.changes if isinstance(c, Prepended)]
    assert [block.id for block in change.blocks] == ["early"]
    await pump.load_older()
    assert [q.before for q in link.asked if isinstance(q, Page)] == [None, "late"]
    link.drop()


async def test_a_restarted_engine_means_the_conversation_is_built_anew() -> None:
    link, ear = FakeLink({Page: MessagePage((to_record(said("kept")),))}), Ear()
    pump = Pump(link, ear, has_past=False)
    pump.take(EngineUp())
    pump.take(said("half"))
    pump.take(EngineLost("killed"))
    pump.take(EngineUp(restarted=True))
    assert pump.wants_page
    await pump.load_past()
    assert [block.id for block in pump.transcript.blocks] == ["kept"]
    assert EngineLost("killed") in ear.told
    link.drop()


async def test_our_own_words_are_blocks_too() -> None:
    link, ear = FakeLink(), Ear()
    pump = Pump(link, ear, has_past=False)
    pump.say("something went wrong", level="error")
    (block,) = pump.transcript.blocks
    assert block.kind == "notice"
    assert "something went wrong" in repr(block)
    link.drop()


async def test_what_an_engine_before_had_in_the_background_does_not_run() -> None:
    call = AssistantMessage((ToolUseBlock("t1", "Bash", {}),), "m", message_id="m1", uuid="a1")
    begun = UserMessage(
        (ToolResultBlock("t1", "begun"),), "r1", tool_use_result={"backgroundTaskId": "b1"}
    )
    page = MessagePage((to_record(call), to_record(begun)))
    link, ear = FakeLink({Page: page}), Ear()
    pump = Pump(link, ear, has_past=True)
    await pump.load_past()
    (block,) = pump.transcript.blocks
    assert isinstance(block, ToolBlock) and block.behind == "unknown"
    assert ear.changes[-1] == Updated(block)
    link.drop()


async def test_after_going_back_the_conversation_is_built_anew_and_nothing_is_lost() -> None:
    page = MessagePage((to_record(said("kept")),))
    ear, link = Ear(), FakeLink({Page: page})
    pump = Pump(link, ear, has_past=False)
    pump.take(said("kept"))
    pump.take(said("gone"))
    pump.take(SystemMessage("rewound", {"uuid": "r"}))
    assert ear.told == ["rewound"]
    assert pump.wants_page
    pump.take(said("next"))
    assert added(ear) == ["kept", "gone"]
    await pump.load_past()
    assert [block.id for block in pump.transcript.blocks] == ["kept", "next"]
    link.drop()


async def test_what_a_sub_agent_did_is_put_into_its_card() -> None:
    call = AssistantMessage((ToolUseBlock("a1", "Agent", {}),), "m", uuid="u1", message_id="m1")
    inner = AssistantMessage((ToolUseBlock("x", "Read", {}),), "m", uuid="u2", message_id="m2")
    link = FakeLink({Inside: MessagePage((dict(to_record(inner)),))})
    listener = Ear()
    pump = Pump(link, listener, has_past=False)
    pump.take(call)
    await pump.load_inside("a1")
    (block,) = pump.transcript.blocks
    assert isinstance(block, ToolBlock) and [b.id for b in block.inside] == ["x"]
    await pump.load_inside("gone")
    link.drop()


async def test_who_asks_for_older_messages_that_are_on_their_way_waits_for_them() -> None:
    older = UserMessage("older", uuid="u0")
    gate = anyio.Event()

    async def page(query: Page) -> MessagePage:
        if query.before is None:
            return MessagePage((dict(to_record(UserMessage("newer", uuid="u1"))),), more=True)
        await gate.wait()
        return MessagePage((dict(to_record(older)),))

    link = FakeLink({Page: page})
    pump = Pump(link, Ear(), has_past=True)
    await pump.load_past()
    assert pump.has_older and pump.first == "u1"
    came: list[str | None] = []

    async def load() -> None:
        await pump.load_older()
        came.append(pump.first)

    async with anyio.create_task_group() as group:
        group.start_soon(load)
        group.start_soon(load)
        await anyio.sleep(0)
        assert came == []
        gate.set()
    assert came == ["u0", "u0"] and not pump.has_older
    assert len([query for query in link.asked if isinstance(query, Page)]) == 2
    link.drop()
