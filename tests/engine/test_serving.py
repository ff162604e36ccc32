"""Sessions with MCP servers, whole: what the model is offered, what its calls give, what servers can't do to a session."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import anyio
import mcp_types as types
import pytest
from mcp.server import Server

from agent_tui.engine.extras import Extras
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.engine.serving import Serving
from agent_tui.machine.processes import live_processes
from agent_tui.mcp.naming import cleaned
from agent_tui.protocol.messages import ResultMessage, UserMessage
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.queries import Data, Failed, ServerControl, ServerStatus
from agent_tui.settings.options import PermissionOptions, ToolOptions
from tests.engine.sessions import Answers, Place, Talk
from tests.fakes.api_server import ApiRequest, reply, tool
from tests.mcp import stub_server
from tests.mcp.stage import STUB

pytestmark = pytest.mark.anyio

During = Callable[[OpenSession, int], Awaitable[None]]


@dataclass
class Session:
    """A session with servers in a test."""

    place: Place
    servers: dict[str, Any] = field(default_factory=dict[str, Any])
    inside: dict[str, Any] = field(default_factory=dict[str, Any])
    people: Answers = field(default_factory=Answers)

    def program(self, name: str = "stub", **env: str) -> Session:
        """Add the stub as a program."""
        self.servers[name] = {"command": sys.executable, "args": [STUB], "env": env}
        return self

    async def talk(self, *prompts: str, before: During | None = None) -> Talk:
        """Open it, send the prompts one after another; ``before`` is called ahead of each."""
        talk = Talk()

        async def body(opened: OpenSession) -> None:
            talk.journal = opened.journal_path
            with opened.session.subscribe() as messages:
                for number, text in enumerate(prompts):
                    if before is not None:
                        await before(opened, number)
                    opened.session.send(Prompt(text, f"00000000-0000-4000-8000-{number:012d}"))
                    async for message in messages:
                        talk.heard.append(message)
                        if isinstance(message, ResultMessage):
                            break

        await self.run(body)
        return talk

    async def run(self, body: Callable[[OpenSession], Awaitable[None]]) -> None:
        """Open it and run ``body`` with it."""
        tools = replace(self.place.options.tools, servers=self.servers)
        options = replace(self.place.options, tools=tools)
        extras = Extras(approver=self.people, servers=self.inside)
        await with_session(options, self.place.env, body, extras=extras)


@pytest.fixture
def session(place: Place) -> Session:
    place.options = replace(place.options, interactive=False)
    return Session(place)


def offered(request: ApiRequest, prefix: str = "mcp__") -> list[str]:
    """The tools of servers in a request."""
    names = (str(one["name"]) for one in cast("list[dict[str, Any]]", request.body["tools"]))
    return [name for name in names if name.startswith(prefix)]


def contents(talk: Talk) -> list[Any]:
    """What the calls gave."""
    return [result.content for result in talk.tool_results]


class Slow:
    """A server whose tool ``slow`` notes how many of its calls run at once."""

    def __init__(self, *, read_only: bool) -> None:
        self.most = self._now = 0
        hints = types.ToolAnnotations(read_only_hint=True) if read_only else None
        schema = {"type": "object", "properties": {"n": {"type": "number"}}}
        self._tools = [
            types.Tool(name=name, description=name, input_schema=schema, annotations=hints)
            for name in ("slow", "bad", "boom")
        ]
        self.server = Server("srv", on_list_tools=self._list, on_call_tool=self._call)

    async def _list(self, ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self._tools)

    async def _call(self, ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name == "boom":
            raise RuntimeError("boom")
        self._now += 1
        self.most = max(self.most, self._now)
        for _ in range(20):
            await anyio.lowlevel.checkpoint()
        self._now -= 1
        number = (params.arguments or {})["n"] + 1
        content: list[types.ContentBlock] = [types.TextContent(type="text", text=str(number))]
        return types.CallToolResult(content=content, is_error=params.name == "bad")


async def test_calls_of_a_programs_server_are_told_as_documented(session: Session) -> None:
    slow = Slow(read_only=False)
    session.inside["srv"] = slow.server
    session.place.api.enqueue(
        reply(tool("mcp__srv__slow", n=1), tool("mcp__srv__slow", n=2)),
        reply(tool("mcp__srv__bad", n=1), tool("mcp__srv__boom")),
        reply(tool("mcp__srv__slow", n="x")),
        "done",
    )
    talk = await session.talk("go")
    assert [r.is_error for r in talk.tool_results] == [None, None, True, True, True]
    assert contents(talk)[:2] == [[{"type": "text", "text": "2"}], [{"type": "text", "text": "3"}]]
    assert contents(talk)[2] == "2"
    assert all(isinstance(content, str) for content in contents(talk)[2:])
    said = [
        m.tool_use_result for m in talk.heard if isinstance(m, UserMessage) and m.tool_use_result
    ]
    assert said[0] == [{"type": "text", "text": "2"}]
    assert said[2] == "Error: 2"
    assert (talk.result.subtype, talk.result.result) == ("success", "done")
    assert slow.most == 1
    assert talk.system("init")[0].data["mcp_servers"] == [
        {"name": "srv", "status": "connected", "source": "sdk"}
    ]


async def test_tools_that_only_look_run_together(session: Session) -> None:
    slow = Slow(read_only=True)
    session.inside["srv"] = slow.server
    calls = [tool("mcp__srv__slow", n=number) for number in range(3)]
    session.place.api.enqueue(reply(*calls), "done")
    talk = await session.talk("go")
    assert [content[0]["text"] for content in contents(talk)] == ["1", "2", "3"]
    assert slow.most == 3


async def test_p7_badly_named_tools_are_renamed_and_reached(session: Session) -> None:
    names = ("calendar.list", "Dockerfile problems scanner", "n" * 140)
    session.program(STUB_TOOLS=json.dumps(names)).place.api.enqueue("hello")
    await session.talk("hi")
    begins = {name: f"mcp__stub__{cleaned(name)[:100]}" for name in names}
    sent = offered(session.place.api.messages[0])
    wire = {name: next(one for one in sent if one.startswith(begins[name])) for name in names}
    assert wire["calendar.list"] == "mcp__stub__calendar_list"
    assert len(wire["n" * 140]) == 128
    session.place.api.enqueue(reply(*(tool(wire[name]) for name in names)), "done")
    talk = await session.talk("call them")
    assert [content[0]["text"] for content in contents(talk)] == [f"I am {n}" for n in names]


def named(*names: str) -> Server[Any]:
    """A server with tools that say their names."""
    return stub_server.make(names, only=())


async def test_m5_tools_of_one_name_are_told_apart(session: Session) -> None:
    session.inside = {
        "a": named("search"),
        "b": named("search"),
        "c": named("Bash", "Read"),
        "x__y": named("z"),
        "x": named("y__z"),
    }
    session.place.options = replace(
        session.place.options, permissions=PermissionOptions(allowed_tools=("mcp__a__search",))
    )
    session.place.api.enqueue("hello")
    await session.talk("hi")
    sent = offered(session.place.api.messages[0], "")
    assert len(sent) == len(set(sent))
    mine = [name for name in sent if name.startswith("mcp__x__y__z")]
    assert len(mine) == 2 and "mcp__x__y__z" in mine
    marked = next(name for name in mine if name != "mcp__x__y__z")
    called = ("mcp__a__search", "mcp__b__search", "mcp__c__Bash", "mcp__x__y__z", marked)
    session.place.api.enqueue(
        reply(*map(tool, called)), reply(tool("Bash", command="echo own")), "x"
    )
    talk = await session.talk("call")
    said = [
        content if isinstance(content, str) else content[0]["text"] for content in contents(talk)
    ]
    assert said == ["I am search", "I am search", "I am Bash", "I am y__z", "I am z", "own"]
    assert [one.tool_name for one in session.people.asked] == list(called[1:])


async def test_m6_a_huge_result_is_kept_in_a_file_and_shown_in_part(session: Session) -> None:
    size = 31_000_000
    session.program().place.api.enqueue(reply(tool("mcp__stub__big", size=size)), "done")
    talk = await session.talk("go")
    told = str(contents(talk)[0][0]["text"])
    assert f"{size:,} characters" in told
    assert len(told) < 10_000
    assert talk.journal.stat().st_size < 1_000_000
    kept = next(talk.journal.parent.rglob("tool-results/*.txt"))
    assert kept.stat().st_size == size
    assert len(session.place.api.messages[1].raw) < 1_000_000


async def test_m1_what_a_server_writes_to_its_error_stream_is_in_a_log_only(
    session: Session, capfd: pytest.CaptureFixture[str]
) -> None:
    session.program(STUB_NOISE="100").place.api.enqueue(reply(tool("mcp__stub__ping")), "done")
    talk = await session.talk("go")
    assert contents(talk) == [[{"type": "text", "text": "pong"}]]
    assert capfd.readouterr() == ("", "")
    log = session.place.home / ".agent-tui" / "logs" / "mcp-stub.log"
    assert log.read_text().count("noise 99\n") == 2
    assert log.stat().st_mode & 0o777 == 0o600


async def test_m2_slow_and_absent_servers_keep_nobody_waiting(session: Session) -> None:
    session.place.options = replace(session.place.options, interactive=True)
    session.program("never", STUB_DELAY="1000").program("late", STUB_DELAY="2.5")
    session.servers["absent"] = {"command": "/no/such/program"}
    session.place.api.enqueue("one", "two")
    begun = anyio.current_time()
    took: list[float] = []

    async def before(opened: OpenSession, number: int) -> None:
        took.append(anyio.current_time() - begun)
        while number and states(opened.serving)["late"] == "pending":
            await anyio.sleep(0.05)

    talk = await session.talk("a", "b", before=before)
    assert took[0] < 1
    first, second = talk.system("init")
    assert {row["name"]: row["status"] for row in first.data["mcp_servers"]} == {
        "never": "pending",
        "late": "pending",
        "absent": "failed",
    }
    assert any("/no/such/program was not found" in notice for notice in talk.notices)
    assert not offered(session.place.api.messages[0])
    assert "mcp__late__ping" in offered(session.place.api.messages[1])
    assert second.data["mcp_servers"][1]["status"] == "connected"


def states(serving: Serving) -> dict[str, str]:
    """How the servers are, by name."""
    return {row["name"]: row["status"] for row in serving.rows()}


def alive(pids: list[int]) -> list[int]:
    """Which of these processes are."""
    return [process.pid for process in live_processes() if process.pid in pids]


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
async def test_m3_a_server_and_its_stubborn_child_end_with_the_session(session: Session) -> None:
    note = session.place.home / "pids"
    session.program(STUB_CHILD=str(note)).place.api.enqueue(reply(tool("mcp__stub__ping")), "done")

    async def before(opened: OpenSession, number: int) -> None:
        while not note.exists() or " " not in note.read_text():
            await anyio.sleep(0.02)
        pids.extend(map(int, note.read_text().split()))
        assert sorted(alive(pids)) == sorted(pids)

    pids: list[int] = []
    with anyio.fail_after(20):
        await session.talk("go", before=before)
    assert len(pids) == 2
    assert alive(pids) == []


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
async def test_m3_a_server_that_is_being_connected_ends_with_the_session(session: Session) -> None:
    session.program(STUB_DELAY="1000")
    before = {process.pid for process in live_processes()}

    async def body(opened: OpenSession) -> None:
        while not any(STUB in p.command for p in live_processes() if p.pid not in before):
            await anyio.sleep(0.02)

    begun = anyio.current_time()
    await session.run(body)
    assert anyio.current_time() - begun < 8
    assert not [p for p in live_processes() if p.pid not in before and STUB in p.command]


async def test_tools_that_change_do_so_for_the_next_prompt(session: Session) -> None:
    session.inside["srv"] = stub_server.make(("grow",), only=("ping",))
    session.place.api.enqueue(reply(tool("mcp__srv__grow")), "done", "again")

    async def before(opened: OpenSession, number: int) -> None:
        while number and "grown" not in str(await opened.serving.answer(ServerStatus())):
            await anyio.sleep(0.02)

    await session.talk("a", "b", before=before)
    first, inside, second = map(offered, session.place.api.messages)
    assert first == inside == ["mcp__srv__grow", "mcp__srv__ping"]
    assert second == ["mcp__srv__grow", "mcp__srv__grown", "mcp__srv__ping"]


async def test_a_server_is_switched_off_and_on_and_tells_how_it_is(session: Session) -> None:
    session.inside["srv"] = stub_server.make(only=("ping",))
    session.place.api.enqueue("a", "b", "c")

    async def before(opened: OpenSession, number: int) -> None:
        if number == 1:
            assert await opened.serving.answer(ServerControl("srv", "disable")) == Data({})
            assert states(opened.serving) == {"srv": "disabled"}
        if number == 2:
            assert await opened.serving.answer(ServerControl("srv", "enable")) == Data({})
            assert await opened.serving.answer(ServerControl("srv", "reconnect")) == Data({})
            status = await opened.serving.answer(ServerStatus())
            assert status == Data(
                {
                    "mcpServers": [
                        {
                            "name": "srv",
                            "status": "connected",
                            "serverInfo": {"name": "stub", "version": "1.2"},
                            "config": {"type": "sdk", "name": "srv"},
                            "scope": "dynamic",
                            "tools": [
                                {
                                    "name": "ping",
                                    "description": "Does ping.",
                                    "annotations": {"readOnly": True},
                                }
                            ],
                        }
                    ]
                }
            )
            missing = await opened.serving.answer(ServerControl("other", "reconnect"))
            assert missing == Failed("There is no MCP server named 'other'.")

    await session.talk("a", "b", "c", before=before)
    assert list(map(offered, session.place.api.messages)) == [
        ["mcp__srv__ping"],
        [],
        ["mcp__srv__ping"],
    ]


async def test_what_a_server_says_of_itself_is_told_the_model_once(session: Session) -> None:
    session.inside["srv"] = stub_server.make(only=("ping",))
    session.place.api.enqueue("a", "b")
    await session.talk("a", "b")
    told = "How the MCP server srv is to be used:\nBe gentle."
    assert str(session.place.api.messages[1].body["messages"]).count(repr(told)[1:-1]) == 1


async def test_a_denied_server_is_not_offered(session: Session) -> None:
    session.inside = {"a": named("one"), "b": named("two")}
    session.place.options = replace(
        session.place.options, permissions=PermissionOptions(disallowed_tools=("mcp__a",))
    )
    session.place.api.enqueue("hello")
    await session.talk("hi")
    assert offered(session.place.api.messages[0]) == ["mcp__b__two"]


async def test_a_cloned_projects_servers_are_not_started_and_that_is_said(session: Session) -> None:
    witness = session.place.home / "started"
    entry = {"command": "touch", "args": [str(witness)]}
    session.place.write(".mcp.json", json.dumps({"mcpServers": {"evil": entry}}))
    session.place.api.enqueue("hello")
    talk = await session.talk("hi")
    assert any("nothing it brings has effect: 1 MCP server" in notice for notice in talk.notices)
    assert not witness.exists()


async def test_the_persons_own_servers_are_used_unless_only_the_given_ones_count(
    session: Session,
) -> None:
    own = session.place.home / ".agent-tui" / "mcp.json"
    own.parent.mkdir(exist_ok=True)
    entry = {"command": sys.executable, "args": [STUB]}
    own.write_text(json.dumps({"mcpServers": {"mine": entry}}))
    session.place.api.enqueue("hello", "hello")
    await session.talk("hi")
    assert "mcp__mine__ping" in offered(session.place.api.messages[0])
    session.place.options = replace(session.place.options, tools=ToolOptions(strict_servers=True))
    await session.talk("hi")
    assert offered(session.place.api.messages[1]) == []


async def test_a_server_does_not_get_our_credentials(session: Session) -> None:
    session.program(STUB_TOOLS="[]").place.api.enqueue(
        reply(tool("mcp__stub__environment")), "done"
    )
    talk = await session.talk("go")
    found = json.loads(contents(talk)[0][0]["text"])
    assert "ANTHROPIC_API_KEY" not in found
    assert found["CLAUDE_PROJECT_DIR"] == str(session.place.project)
