"""How a run ends, what its result says, and how a session is gone on with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from agent_tui.sdk import (
    AgentDefinition,
    ClaudeSDKClient,
    CLIConnectionError,
    InMemorySessionStore,
    PermissionResultDeny,
    ProcessError,
    ResultMessage,
    SystemMessage,
)
from tests.fakes.api_server import http_error, reply, stall, system_contains, tool
from tests.sdk.place import Place
from tests.sdk.talk import Heard, listen, shot, turn, turns

pytestmark = pytest.mark.anyio

ECHO = reply(tool("Bash", command="echo 1"))
NUMBER = {
    "type": "json_schema",
    "schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
}


async def declined(name: str, given: Any, context: Any) -> PermissionResultDeny:
    return PermissionResultDeny(message="stop", interrupt=True)


ENDS: dict[str, tuple[str, list[Any], dict[str, Any]]] = {
    "done": ("success", ["done"], {}),
    "turns": ("error_max_turns", [ECHO], {"max_turns": 1}),
    "budget": ("error_max_budget_usd", [ECHO], {"max_budget_usd": 0.0001}),
    "declined": (
        "error_during_execution",
        [reply(tool("Bash", command="touch made"))],
        {"can_use_tool": declined},
    ),
    "cut for ever": (
        "error_during_execution",
        [reply("half", stop_reason="max_tokens")] * 4,
        {},
    ),
    "schema": (
        "error_max_structured_output_retries",
        [reply(tool("StructuredOutput", n="one"))] * 5,
        {"output_format": NUMBER},
    ),
    "schema, text only": (
        "error_max_structured_output_retries",
        ["one"] * 5,
        {"output_format": NUMBER},
    ),
}


@pytest.mark.parametrize("how", ENDS)
async def test_each_end_has_its_subtype_and_only_success_has_a_result(
    place: Place, how: str
) -> None:
    subtype, script, options = ENDS[how]
    place.api.enqueue(*script)
    heard = await shot(place, **options)
    result = heard.result
    assert result.subtype == subtype
    assert len(heard.results) == 1
    assert (result.result is not None) is (subtype == "success")
    assert result.is_error is (subtype != "success")
    assert bool(result.errors) is (subtype != "success")
    assert result.usage is not None and result.usage["output_tokens"] > 0
    assert result.total_cost_usd is not None and result.total_cost_usd > 0
    assert result.num_turns == len(place.api.messages)
    assert result.session_id == heard.messages[0].data["session_id"]
    assert (heard.raised is not None) is result.is_error


async def test_an_interrupted_run_is_an_error_during_execution(place: Place) -> None:
    place.api.enqueue(reply("never seen whole", fault=stall(block=0, chars=5)), "again")
    async with ClaudeSDKClient(place.options()) as client:
        await client.query("go")
        await place.asked()
        await client.interrupt()
        cut = (await listen(client.receive_response())).result
        assert (cut.subtype, cut.terminal_reason) == ("error_during_execution", "aborted_streaming")
        assert (cut.result, cut.stop_reason, cut.is_error) == (None, None, True)
        assert cut.num_turns == 0 and cut.session_id  # no response was whole
        assert (await turn(client, "go on")).result.result == "again"


async def test_a_model_call_that_failed_for_good_is_told_with_its_status(place: Place) -> None:
    place.api.enqueue(http_error(403), "later")
    first, second = await turns(place, "a", "b")
    assert first.result.is_error and first.result.api_error_status == 403
    assert first.result.terminal_reason == "api_error"
    assert first.all(ResultMessage) and first.messages[-2].error == "authentication_failed"
    assert second.result.result == "later"


async def test_the_session_is_named_by_init_and_by_the_result(place: Place) -> None:
    place.api.enqueue("one")
    heard = await shot(place)
    [init] = heard.system("init")
    assert isinstance(init, SystemMessage)
    assert init.data["session_id"] == heard.result.session_id != ""
    assert "session_id" not in {one.name for one in fields(SystemMessage)}


async def remembered(place: Place) -> Heard:
    """A session in which a file was read, an answer given and a file made."""
    place.write("a.txt", "the content of a")
    place.api.enqueue(
        reply("I look.", tool("Read", file_path="a.txt")),
        reply(tool("Write", file_path="made", content="x")),
        "My analysis: plums.",
    )
    return await shot(place, "look and make", permission_mode="acceptEdits")


def everything(place: Place) -> list[str]:
    whole = str(place.api.messages[-1].body["messages"])
    parts = ["look and make", "I look.", "the content of a", "'made'", "My analysis: plums."]
    return [part for part in parts if part not in whole]


async def test_resuming_brings_everything_back(place: Place) -> None:
    first = await remembered(place)
    place.api.enqueue(
        reply(tool("Write", file_path="a.txt", content="new")), "known"
    )  # may be written: it was read
    later = await shot(
        place, "and now?", resume=first.result.session_id, permission_mode="acceptEdits"
    )
    assert later.result.session_id == first.result.session_id
    assert everything(place) == []
    assert (place.folder / "a.txt").read_text() == "new"
    assert (later.result.total_cost_usd or 0) > (first.result.total_cost_usd or 0)


async def test_continuing_takes_the_newest_session_of_the_folder(place: Place) -> None:
    place.api.enqueue("an older talk")
    await shot(place, "older")
    newest = await remembered(place)
    place.api.enqueue("known")
    later = await shot(place, "and now?", continue_conversation=True)
    assert later.result.session_id == newest.result.session_id
    assert everything(place) == []


async def test_a_fork_leaves_the_original_as_it_was(place: Place, clean_room: Path) -> None:
    first = await remembered(place)
    [journal] = clean_room.rglob(f"{first.result.session_id}.jsonl")
    before = journal.read_bytes()
    place.api.enqueue("another way", "the same way")
    branch = await shot(place, "try", resume=first.result.session_id, fork_session=True)
    assert everything(place) == []
    assert branch.result.session_id != first.result.session_id
    assert journal.read_bytes() == before
    await shot(place, "go on", resume=first.result.session_id)
    assert "another way" not in str(place.api.messages[-1].body["messages"])


async def test_a_store_gets_what_the_disk_has_and_another_machine_goes_on_from_it(
    place: Place, clean_room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = InMemorySessionStore()
    place.api.enqueue("one", "two")
    first = await shot(place, "remember the plum", session_store=store)
    [journal] = clean_room.rglob(f"{first.result.session_id}.jsonl")
    assert "plum" in journal.read_text()
    elsewhere = clean_room / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setenv("HOME", str(elsewhere))
    later = await shot(place, "go on", session_store=store, resume=first.result.session_id)
    assert later.result.result == "two"
    assert "plum" in str(place.api.messages[-1].body["messages"])


@pytest.mark.parametrize("how", ENDS)
async def test_whatever_the_end_the_session_can_be_resumed_with_more_room(
    place: Place, how: str
) -> None:
    _, script, options = ENDS[how]
    place.api.enqueue(*script)
    ended = await shot(place, **options)
    place.api.enqueue("on we go")
    later = await shot(
        place, "go on", resume=ended.result.session_id, max_turns=9, max_budget_usd=5.0
    )
    assert (later.result.subtype, later.result.result) == ("success", "on we go")
    assert later.result.session_id == ended.result.session_id


async def test_the_optional_fields_may_be_none(place: Place) -> None:
    bare = ResultMessage("success", 1, 1, False, 1, "id")
    assert (bare.total_cost_usd, bare.usage, bare.model_usage) == (None, None, None)
    place.api.enqueue("one")
    options: dict[str, Any] = {"model": "claude-opus-5-5"}
    result = (await shot(place, **options)).result
    assert f"{result.total_cost_usd:.4f}" == str(round(result.total_cost_usd or 0, 4))


async def test_usage_is_the_main_loops_and_the_tree_is_in_the_models_usage(place: Place) -> None:
    place.api.add_rule(
        system_contains("YOU SCOUT"), reply("found", usage={"input_tokens": 50_000}), times=1
    )
    call = tool(
        "Agent",
        description="look",
        prompt="look around",
        subagent_type="scout",
        run_in_background=False,
    )
    place.api.enqueue(reply(call), "done")
    kind = AgentDefinition(description="looks", prompt="YOU SCOUT", model="haiku")
    result = (await shot(place, model="claude-opus-5-5", agents={"scout": kind})).result
    assert result.usage is not None and result.usage["input_tokens"] < 50_000
    [haiku] = [used for name, used in (result.model_usage or {}).items() if "haiku" in name]
    assert haiku["inputTokens"] == 50_000
    costs = [used["costUSD"] for used in (result.model_usage or {}).values()]
    assert len(costs) == 2
    assert round(result.total_cost_usd or 0, 9) == round(sum(costs), 9)


REFUSED = reply(
    "I can",
    stop_reason="refusal",
    stop_details={"type": "refusal", "category": "cyber", "explanation": "not this"},
)


@pytest.mark.parametrize(
    ("script", "options", "stop_reason"),
    [
        (["done"], {}, "end_turn"),
        ([reply("half", stop_reason="max_tokens")] * 4, {}, "max_tokens"),
        ([REFUSED], {}, "refusal"),
        ([reply("end", stop_reason="stop_sequence", stop_sequence="X")], {}, "stop_sequence"),
        ([ECHO], {"max_turns": 1}, "tool_use"),
        ([ECHO], {"max_budget_usd": 0.0001}, "tool_use"),
    ],
)
async def test_the_result_tells_why_the_model_stopped_last(
    place: Place, script: list[Any], options: dict[str, Any], stop_reason: str
) -> None:
    place.api.enqueue(*script)
    assert (await shot(place, **options)).result.stop_reason == stop_reason


async def test_a_refusal_is_seen_by_its_stop_reason_and_told_with_its_details(
    place: Place,
) -> None:
    place.api.enqueue(REFUSED)
    heard = await shot(place)
    assert heard.result.stop_reason == "refusal"
    [told] = heard.system("informational")
    assert "not this" in told.data["content"]
    assert told.data["stop_details"]["category"] == "cyber"


async def test_what_fails_before_there_is_a_result_is_raised_alone(place: Place) -> None:
    options = place.options(cwd=place.folder / "nowhere")
    heard: list[Any] = []
    with pytest.raises(ProcessError, match="nowhere"):
        await ClaudeSDKClient(options).connect()
    with pytest.raises(CLIConnectionError):
        heard += [m async for m in ClaudeSDKClient(options).receive_response()]
    assert heard == []


SPENT: dict[str, Callable[[], list[Any]]] = {
    "error_max_turns": lambda: [ECHO],
    "error_during_execution": lambda: [reply("half", stop_reason="max_tokens")] * 4,
}


@pytest.mark.parametrize("subtype", SPENT)
async def test_a_session_that_stays_open_survives_an_error_result(
    place: Place, subtype: str
) -> None:
    place.api.enqueue(*SPENT[subtype](), "fine")
    failed, fine = await turns(place, "a", "b", max_turns=1)
    assert (failed.result.subtype, failed.raised) == (subtype, None)
    assert (fine.result.subtype, fine.result.result) == ("success", "fine")
    assert fine.result.session_id == failed.result.session_id
