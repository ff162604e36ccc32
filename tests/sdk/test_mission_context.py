"""What fills the window of a program's session, what stays in it, and what a compaction does to it."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from agent_tui.sdk import (
    AgentDefinition,
    HookMatcher,
    TextBlock,
    UserMessage,
)
from tests.engine.sessions import whole_prefix
from tests.fakes.api_server import ApiRequest, reply, system_contains, tool
from tests.sdk.place import Place
from tests.sdk.talk import shot, turns

pytestmark = pytest.mark.anyio

SUMMARY = "<summary>The token in auth.ts is mended.</summary>"
NEARLY_FULL = {"input_tokens": 985_000}


def wants_summary(request: ApiRequest) -> bool:
    return "<summary>" in request.last_user_text


def summarises(place: Place, text: str = SUMMARY) -> None:
    """Have the model answer the request for a summary."""
    place.api.add_rule(wants_summary, text)


def asked_for_summary(place: Place) -> ApiRequest:
    return next(one for one in place.api.messages if wants_summary(one))


def bare(messages: list[Any]) -> list[Any]:
    """Messages without their cache marks, a text as its one block."""
    whole: list[Any] = json.loads(json.dumps(messages))
    for message in whole:
        if isinstance(message["content"], str):
            message["content"] = [{"type": "text", "text": message["content"]}]
        for block in message["content"]:
            block.pop("cache_control", None)
    return whole


async def test_everything_piles_up_and_nothing_is_taken_back(place: Place) -> None:
    place.write("a.txt", "the content of a")
    place.api.enqueue(
        reply("Looking.", tool("Read", file_path="a.txt")),
        reply(tool("Bash", command="echo printed")),
        "one",
        "two",
    )
    await turns(place, "first", "second")
    requests = place.api.messages
    assert len(requests) == 4
    for before, after in pairwise(requests):
        assert after.body["system"] == before.body["system"]
        assert after.body["tools"] == before.body["tools"]
        kept = bare(before.messages)
        assert bare(after.messages)[: len(kept)] == kept
    last = json.dumps(requests[-1].messages)
    for part in ("first", "Looking.", "a.txt", "the content of a", "printed", "one", "second"):
        assert part in last


async def test_the_unchanging_beginning_is_paid_for_once(place: Place) -> None:
    rules = "\\n".join(f"{number}. Rule of the house." for number in range(300))
    place.write("CLAUDE.md", rules.replace("\\n", "\n"))
    place.api.enqueue(reply(tool("Bash", command="echo 1")), "one", "two")
    await turns(place, "first", "second")
    requests = place.api.messages
    for request in requests:
        assert request.system_text
        assert json.dumps(request.body).count(rules) == 1
    first: Any = requests[0].usage
    assert first["cache_creation_input_tokens"] > 0 and first["cache_read_input_tokens"] == 0
    for before, after in pairwise(requests):
        usage: Any = after.usage
        assert usage["cache_read_input_tokens"] == whole_prefix(before)
        assert usage["input_tokens"] == 0


@pytest.mark.parametrize(
    ("sources", "there"), [(None, True), (["project"], True), (["user"], False), ([], False)]
)
async def test_setting_sources_say_whether_the_projects_memory_is_loaded(
    place: Place, sources: Any, there: bool
) -> None:
    place.write("CLAUDE.md", "Always answer in French.")
    place.write(".claude/settings.json", '{"permissions": {"deny": ["Bash(touch *)"]}}')
    place.api.enqueue(reply(tool("Bash", command="touch made")), "oui")
    await shot(place, setting_sources=sources, allowed_tools=["Bash"])
    assert ("Always answer in French." in json.dumps(place.api.messages[0].body)) is there
    assert (place.folder / "made").exists() is not there


async def test_a_big_output_costs_no_more_than_its_bound(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="seq 1 200000")), "done")
    heard = await shot(place)
    sent = json.dumps(place.api.messages[1].tool_results)
    assert len(sent) < 40_000
    assert "1\\n2\\n3" in sent
    used = heard.result.usage or {}
    assert used["cache_creation_input_tokens"] < 60_000


async def test_near_the_end_of_the_window_older_history_becomes_a_summary(place: Place) -> None:
    place.write("CLAUDE.md", "Always answer in French.")
    place.write("a.txt", "x")
    summarises(place)
    place.api.enqueue(
        "An early answer.",
        reply(tool("Read", file_path="a.txt"), usage=NEARLY_FULL),
        "Fini.",
    )
    _, heard = await turns(place, "an early wish: plums", "the second wish")
    [boundary] = heard.system("compact_boundary")
    assert boundary.data["type"] == "system"
    assert boundary.data["compact_metadata"]["trigger"] == "auto"
    assert heard.result.result == "Fini."
    after = json.dumps(place.api.messages[-1].body)
    assert "The token in auth.ts is mended." in after  # what was decided
    assert "tool_result" in after  # what was going on
    assert "plums" not in after  # what was only said
    assert after.count("Always answer in French.") == 1  # what stands in the memory file


async def test_a_section_of_the_memory_file_tells_what_a_summary_must_keep(place: Place) -> None:
    place.write("CLAUDE.md", "# When you summarise\n\nKeep the objective and the file names.\n")
    summarises(place)
    place.api.enqueue("one", "two")
    await turns(place, "a", "b", "/compact")
    asked = asked_for_summary(place)
    assert "Keep the objective and the file names." in json.dumps(asked.messages[0])
    assert asked.tool_names == place.api.messages[0].tool_names


@pytest.mark.parametrize("trigger", ["manual", "auto"])
async def test_a_hook_runs_before_a_compaction_and_may_put_the_transcript_aside(
    place: Place, trigger: str
) -> None:
    kept: list[tuple[str, int, str]] = []

    async def archive(given: Any, call_id: str | None, context: Any) -> Any:
        with open(given["transcript_path"]) as file:
            kept.append((given["trigger"], len(place.api.messages), file.read()))
        return {}

    summarises(place)
    place.write("a.txt", "x")
    full = NEARLY_FULL if trigger == "auto" else None
    place.api.enqueue("one", reply(tool("Read", file_path="a.txt"), usage=full), "two")
    await turns(
        place,
        "remember the plum",
        "b",
        *(["/compact"] if trigger == "manual" else []),
        hooks={"PreCompact": [HookMatcher(hooks=[archive])]},
    )
    [(told, requests, transcript)] = kept
    assert told == trigger
    assert requests == place.api.messages.index(asked_for_summary(place))
    assert "remember the plum" in transcript


async def test_compacting_by_hand_is_a_prompt(place: Place) -> None:
    summarises(place)
    place.api.enqueue("one", "two", "three")
    heard = await turns(place, "a", "b", "/compact only names", "c")
    assert "only names" in asked_for_summary(place).last_user_text
    compacted = heard[2]
    [boundary] = compacted.system("compact_boundary")
    assert boundary.data["compact_metadata"]["trigger"] == "manual"
    assert (compacted.result.subtype, compacted.result.num_turns) == ("success", 0)
    assert "The token in auth.ts is mended." in json.dumps(place.api.messages[-1].body)


async def test_a_sub_agent_begins_anew_and_gives_its_last_words_only(place: Place) -> None:
    place.write("CLAUDE.md", "Rules of the project.")
    place.write("a.txt", "the content of a")
    for one in (reply("hm", tool("Read", file_path="a.txt")), "it is short"):
        place.api.add_rule(system_contains("YOU SCOUT"), one, times=1)
    call = tool(
        "Agent",
        description="look",
        prompt="look around",
        subagent_type="scout",
        run_in_background=False,
    )
    place.api.enqueue(reply(call), "done")
    kind = AgentDefinition(
        description="looks", prompt="YOU SCOUT", tools=["Read", "Glob"], effort="low"
    )
    heard = await shot(place, "the parent's secret", agents={"scout": kind}, effort="high")
    first, *_ = (one for one in place.api.messages if "YOU SCOUT" in one.system_text)
    body: Any = first.body
    assert "the parent's secret" not in json.dumps(body)
    assert "Rules of the project." in json.dumps(body)
    assert sorted(first.tool_names) == ["Glob", "Read"]
    assert body["output_config"] == {"effort": "low"}
    last = place.api.messages[-1]
    [answered] = last.tool_results
    assert answered["content"] == [{"type": "text", "text": "it is short"}]
    assert "the content of a" not in json.dumps(last.body)
    own = [m for m in heard.all(UserMessage) if m.parent_tool_use_id is None]
    assert [block.content for m in own for block in m.content] == [answered["content"]]
    assert TextBlock("hm") not in [b for m in heard.messages for b in getattr(m, "content", [])]
