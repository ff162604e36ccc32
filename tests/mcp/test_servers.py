"""All servers of a session together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from agent_tui.mcp import servers as module
from agent_tui.mcp.config import ServerConfig, ServerList
from agent_tui.mcp.link import Link, Listing, Offer, Progress, ServerError, Stay, Target
from agent_tui.mcp.servers import Servers
from agent_tui.protocol.content import JsonObject
from agent_tui.tools.base import ToolSet
from tests.mcp.stage import environment, inside, program, remote, served
from tests.mcp.stub_server import make

pytestmark = pytest.mark.anyio


class Fleet:
    """Implements ``Open``: a server by its name, each with one tool of the same name; ``let`` lets one answer."""

    def __init__(self, *slow: str) -> None:
        self._gates = {name: anyio.Event() for name in slow}

    def let(self, name: str) -> None:
        self._gates[name].set()

    async def __call__(self, target: Target, stay: Stay) -> None:
        name = target.config.name
        if name == "broken":
            raise ServerError("it is broken")
        if name in self._gates:
            await self._gates[name].wait()
        link: Link = Still(name)
        await stay(link)


class Still:
    """Implements ``Link``; offers two tools, and one that is left out."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.alive = True

    async def listing(self) -> Listing:
        offers = (Offer(f"{self._name}1", "One."), Offer(f"{self._name}2", read_only=True))
        return Listing(offers, ("the tool x is left out: why",), self._name, "1", "Mind.")

    async def call(self, tool: str, args: JsonObject, tell: Progress) -> JsonObject:
        return {"content": []}

    async def news(self) -> bool:
        await anyio.sleep_forever()
        return False


def servers(folder: Path, fleet: Fleet, *configs: ServerConfig, **variables: str) -> Servers:
    env = environment(folder, **variables)
    return Servers(ServerList(configs, ("a notice",)), {}, env, folder, fleet)


def named(servers: Servers) -> list[str]:
    return [tool.name for tool in servers.tools()]


async def test_tools_stand_in_the_order_of_the_servers_whoever_answers_first(
    tmp_path: Path,
) -> None:
    fleet = Fleet("a", "b")
    both = servers(tmp_path, fleet, program("a"), program("b"))
    assert both
    assert both.notices == ("a notice",)
    async with anyio.create_task_group() as group:
        group.start_soon(both.serve)
        assert named(both) == []
        for name, wanted in (("b", ["b"]), ("a", ["a", "b"])):
            fleet.let(name)
            while not both.changed or len(both.tools()) < 2 * len(wanted):
                await anyio.sleep(0.01)
            assert named(both) == [f"mcp__{one}__{one}{n}" for one in wanted for n in (1, 2)]
        assert not both.changed
        assert ToolSet.of(both.tools()).by_name.keys() == set(named(both))
        group.cancel_scope.cancel()


async def test_no_servers_are_none() -> None:
    none = Servers(ServerList(), {}, environment(Path("/")), Path("/"))
    assert not none
    await none.serve()
    await none.ready(person=False)
    assert (none.tools(), none.rows(), none.status()) == ((), [], {"mcpServers": []})


@pytest.mark.parametrize(
    ("config", "person", "waits"),
    [
        (program("slow"), False, True),
        (program("slow"), True, False),
        (replace(program("slow"), scope="user"), False, False),
        (inside("slow"), True, True),
    ],
)
async def test_how_long_the_first_prompt_waits(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    config: ServerConfig,
    person: bool,
    waits: bool,
) -> None:
    monkeypatch.setattr(module, "PERSON_WAIT_S", 0.05)
    monkeypatch.setattr(module, "FILES_WAIT_S", 0.05)
    fleet = Fleet("slow")
    one = servers(tmp_path, fleet, config, MCP_TIMEOUT="20000")
    async with anyio.create_task_group() as group:
        group.start_soon(one.serve)
        if waits:
            group.start_soon(_let_later, fleet)
        await one.ready(person=person)
        assert bool(one.tools()) is waits
        with anyio.fail_after(1):
            await one.ready(person=person)  # only the first one waits
        group.cancel_scope.cancel()


async def _let_later(fleet: Fleet) -> None:
    await anyio.sleep(0.3)
    fleet.let("slow")


async def test_what_went_wrong_is_told_once(tmp_path: Path) -> None:
    both = servers(tmp_path, Fleet(), program("fine"), program("broken"))
    async with anyio.create_task_group() as group:
        group.start_soon(both.serve)
        await both.ready(person=False)
        assert both.news() == (
            "MCP server fine: the tool x is left out: why.",
            "MCP server broken: it is broken.",
        )
        assert both.news() == ()
        assert both.instructions() == {"fine": "Mind."}
        group.cancel_scope.cancel()


async def test_their_state_is_told_in_the_documented_shapes(tmp_path: Path) -> None:
    both = servers(tmp_path, Fleet(), program("fine"), program("broken"))
    async with anyio.create_task_group() as group:
        group.start_soon(both.serve)
        await both.ready(person=False)
        assert both.rows() == [
            {"name": "fine", "status": "connected", "source": "dynamic"},
            {"name": "broken", "status": "failed", "source": "dynamic"},
        ]
        fine, broken = both.status()["mcpServers"]
        assert fine["serverInfo"] == {"name": "fine", "version": "1"}
        assert fine["tools"] == [
            {"name": "fine1", "description": "One.", "annotations": {}},
            {"name": "fine2", "description": "", "annotations": {"readOnly": True}},
        ]
        assert (broken["error"], broken["scope"]) == ("it is broken", "dynamic")
        assert broken["config"]["command"] == program().command
        assert "tools" not in broken
        group.cancel_scope.cancel()


async def test_they_are_controlled_by_name(tmp_path: Path) -> None:
    both = servers(tmp_path, Fleet(), program("fine"), program("broken"))
    async with anyio.create_task_group() as group:
        group.start_soon(both.serve)
        await both.ready(person=False)
        await both.control("fine", "disable")
        assert named(both) == []
        await both.control("fine", "enable")
        await both.control("fine", "reconnect")
        assert len(named(both)) == 2
        with pytest.raises(
            ServerError, match="MCP server broken could not be connected: it is broken"
        ):
            await both.control("broken", "reconnect")
        with pytest.raises(ServerError, match="no MCP server named 'other'"):
            await both.control("other", "disable")
        group.cancel_scope.cancel()


async def test_real_ones_work_side_by_side(tmp_path: Path) -> None:
    configs = (program("one"), inside("two"))
    async with served(tmp_path, *configs, instances={"two": make(only=("ping",))}) as both:
        by_name = {tool.name: tool for tool in both.tools()}
        for name in ("mcp__one__ping", "mcp__two__ping"):
            assert (await by_name[name].ask({}))["content"][0]["text"] == "pong"
        assert by_name["mcp__one__ping"].server == "one"


async def test_times_are_taken_from_the_environment(tmp_path: Path) -> None:
    slow = servers(tmp_path, Fleet("web"), remote("http://x/mcp"), MCP_TIMEOUT="50")
    async with anyio.create_task_group() as group:
        group.start_soon(slow.serve)
        with anyio.fail_after(5):
            await slow.ready(person=False)
        assert slow.rows()[0]["status"] == "failed"  # and so it is told with the first prompt
        assert slow.status()["mcpServers"][0]["error"] == "it did not answer within 0.05 s"
        group.cancel_scope.cancel()
