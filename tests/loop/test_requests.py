from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_tui.model.thinking import Wishes
from agent_tui.protocol.usage import Usage
from tests.context.wire import complaints
from tests.fakes.model import ScriptedModel, said
from tests.loop.stage import MODEL, FakeTool, Stage

pytestmark = pytest.mark.anyio


async def test_a_request_has_the_fixed_parts_and_the_conversation(tmp_path: Path) -> None:
    stage = Stage(tmp_path, tools=[FakeTool("Look")])
    await stage.record.prompt("go", None)
    request = stage.requests.main(stage.record.conversation)
    assert request.model == MODEL
    assert [block["text"] for block in request.system] == ["You are tested."]
    assert [tool["name"] for tool in request.tools] == ["Look"]
    assert request.messages[-1]["content"][0]["text"] == "go"
    assert complaints(request) == []


async def test_the_prefix_of_a_session_never_changes(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ScriptedModel(said("One."), said("Two.")), [FakeTool("Look")])
    await stage.run("a")
    await stage.run("b", "22222222-0000-4000-8000-000000000000")
    first, second = stage.model.requests
    assert json.dumps(first.system) == json.dumps(second.system)
    assert json.dumps(first.tools) == json.dumps(second.tools)
    assert first.extra == second.extra


async def test_a_summary_is_asked_for_with_the_same_beginning(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ScriptedModel(said("One.")), [FakeTool("Look")])
    await stage.run("a")
    main = stage.requests.main(stage.record.conversation)
    summary = stage.requests.summary(stage.record.conversation, "keep names", 1)
    assert (summary.system, summary.tools, summary.extra) == (main.system, main.tools, main.extra)
    assert "keep names" in str(summary.messages[-1])
    assert complaints(summary) == []


async def test_another_model_is_named_from_the_next_request_on(tmp_path: Path) -> None:
    stage = Stage(tmp_path, prices={"tiny": {"window": 9_000, "max_output": 1_000}})
    await stage.record.prompt("go", None)
    assert stage.requests.window > 9_000
    stage.requests.use("tiny")
    request = stage.requests.main(stage.record.conversation)
    assert (request.model, stage.requests.model, stage.requests.window) == ("tiny", "tiny", 9_000)
    assert request.max_tokens <= 1_000


async def test_other_wishes_count_from_the_next_request_on_and_for_further_models(
    tmp_path: Path,
) -> None:
    stage = Stage(tmp_path)
    assert stage.requests.use("claude-opus-4-5").extra == {}
    assert stage.requests.wish(Wishes(budget=2000)).notes == ()
    thinks = {"thinking": {"type": "enabled", "budget_tokens": 2000}}
    assert stage.requests.main(stage.record.conversation).extra == thinks
    assert stage.requests.use("claude-haiku-4-5").extra == thinks


async def test_parts_and_prices_are_told(tmp_path: Path) -> None:
    prices = {MODEL: {"input": 2, "output": 10, "window": 50_000, "max_output": 4_000}}
    stage = Stage(tmp_path, tools=[FakeTool("Look")], prices=prices, system="x" * 4000)
    parts = stage.requests.parts(stage.record.conversation)
    assert parts.system == 1000
    assert stage.requests.fixed_tokens == parts.system + parts.tools > 1000
    price = stage.requests.price(MODEL, Usage(input_tokens=1_000_000, output_tokens=100_000))
    assert price.cost_usd is not None and round(price.cost_usd, 9) == 3.0
    assert (price.context_window, price.max_output_tokens) == (50_000, 4_000)
    assert stage.requests.price("nobody-knows", Usage(input_tokens=5)).cost_usd is None


async def test_others_stand_in_one_after_another_until_the_next_prompt(tmp_path: Path) -> None:
    stage = Stage(tmp_path, fallbacks=("claude-sonnet-4-6", MODEL, "claude-haiku-4-5"))
    await stage.record.prompt("go", None)
    requests = stage.requests
    assert [requests.fall_back() for _ in range(3)] == [
        "claude-sonnet-4-6",
        "claude-haiku-4-5",
        None,
    ]
    assert (requests.model, requests.answering) == (MODEL, "claude-haiku-4-5")
    assert requests.main(stage.record.conversation).model == "claude-haiku-4-5"
    assert requests.window == 200_000
    requests.begin_prompt()
    assert requests.answering == MODEL
    assert requests.fall_back() == "claude-sonnet-4-6"


async def test_another_model_chosen_by_the_person_counts_at_once(tmp_path: Path) -> None:
    stage = Stage(tmp_path, fallbacks=("claude-sonnet-4-6",))
    stage.requests.fall_back()
    stage.requests.use("claude-haiku-4-5")
    assert stage.requests.answering == stage.requests.model == "claude-haiku-4-5"
    assert stage.requests.fall_back() == "claude-sonnet-4-6"
