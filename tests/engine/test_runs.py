"""Whole runs of the engine: what is asked, what is said, what is on disk."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import cast

import pytest

from agent_tui.protocol.content import TextBlock, ThinkingBlock, ToolUseBlock
from agent_tui.protocol.messages import AssistantMessage, SystemMessage, UserMessage
from agent_tui.protocol.requests import Allow, Deny
from tests.engine.sessions import Answers, Place, whole_prefix
from tests.fakes.api_server import reply, text, thinking, tool
from tests.fakes.api_server.rules import blocks_of

pytestmark = pytest.mark.anyio


async def test_a_plain_answer_is_one_request_and_one_result(place: Place) -> None:
    place.api.enqueue(reply(thinking("hm"), "Hello.", "And more."))
    talk = await place.talk("hi")
    kinds = [type(m).__name__ for m in talk.heard if isinstance(m, AssistantMessage)]
    assert len(kinds) == 3
    blocks = [b for m in talk.heard if isinstance(m, AssistantMessage) for b in m.content]
    assert [type(b) for b in blocks] == [ThinkingBlock, TextBlock, TextBlock]
    assert len({m.message_id for m in talk.heard if isinstance(m, AssistantMessage)}) == 1
    result = talk.result
    assert (result.subtype, result.is_error, result.num_turns) == ("success", False, 1)
    assert (result.stop_reason, result.terminal_reason) == ("end_turn", "completed")
    assert result.result == "And more."
    assert len(place.api.messages) == 1


async def test_init_comes_first_at_each_prompt(place: Place) -> None:
    place.api.enqueue("one", "two")
    talk = await place.talk("a", "b")
    inits = talk.system("init")
    assert len(inits) == 2
    assert inits[0].data["session_id"] == talk.session_id
    listed = inits[0].data["tools"]
    assert {"Bash", "Edit", "Glob", "Grep", "Read", "Write"} < set(listed)
    sent = cast("list[dict[str, object]]", (place.api.messages[0].body or {})["tools"])
    assert listed == [tool["name"] for tool in sent]
    said = [m for m in talk.heard if isinstance(m, SystemMessage | UserMessage | AssistantMessage)]
    assert said[0] == inits[0]


async def test_read_edit_bash_in_four_turns(place: Place) -> None:
    file = place.write("auth.py", "token = 'old'\n")
    place.api.enqueue(
        reply("Looking.", tool("Read", file_path=str(file))),
        reply(tool("Edit", file_path=str(file), old_string="old", new_string="new")),
        reply(tool("Bash", command="cat auth.py")),
        "Done.",
    )
    people = Answers()
    talk = await place.talk("fix it", approver=people)
    assert file.read_text() == "token = 'new'\n"
    assert [r.tool_name for r in people.asked] == ["Edit"]
    assert talk.result.num_turns == 4
    assert [r.is_error for r in talk.tool_results] == [None, None, False]
    assert talk.tool_results[2].content == "token = 'new'"
    assert talk.result.usage is not None
    assert talk.result.total_cost_usd is not None and talk.result.total_cost_usd > 0


async def test_every_followup_reads_the_whole_former_prefix_from_the_cache(place: Place) -> None:
    file = place.write("a.txt", "x\n" * 400)
    place.api.enqueue(
        reply(tool("Read", file_path=str(file))),
        reply(tool("Read", file_path=str(file))),
        "ok",
        "ok",
    )
    await place.talk("one", "two")
    for before, after in pairwise(place.api.messages):
        assert after.usage is not None
        assert after.usage["cache_read_input_tokens"] == whole_prefix(before) > 0
        assert after.usage["input_tokens"] == 0


async def test_the_first_request_stays_small(place: Place) -> None:
    place.api.enqueue("ok")
    await place.talk("hi")
    body = place.api.messages[0].body
    assert body is not None
    fixed = len(json.dumps(body["system"]).encode()) + len(json.dumps(body["tools"]).encode())
    assert fixed / 4 < 6000


async def test_memory_files_reach_the_model(place: Place) -> None:
    place.write("CLAUDE.md", "Always answer in French.")
    place.api.enqueue("oui")
    await place.talk("hi")
    assert "Always answer in French." in json.dumps(place.api.messages[0].body)


async def test_agents_md_stands_in_where_there_is_no_claude_md(place: Place) -> None:
    place.write("AGENTS.md", "Tabs, never blanks.")
    place.api.enqueue("ok")
    await place.talk("hi")
    assert "Tabs, never blanks." in json.dumps(place.api.messages[0].body)


async def test_p8_a_failure_in_a_batch_neither_cancels_the_others_nor_loses_its_id(
    place: Place,
) -> None:
    good = place.write("good.txt", "content here")
    place.api.enqueue(
        reply(
            tool("Bash", {"command": "false"}, id="t_false"),
            tool("Read", {"file_path": str(good)}, id="t_good"),
            tool("Read", {"file_path": str(place.project / "none.txt")}, id="t_none"),
        ),
        "ok",
    )
    await place.talk("go")
    results = place.api.messages[1].tool_results
    assert [r["tool_use_id"] for r in results] == ["t_false", "t_good", "t_none"]
    assert [bool(r.get("is_error")) for r in results] == [True, False, True]
    assert "content here" in str(results[1]["content"])
    assert all(str(r["content"]).strip() for r in results)


async def test_p9_repeated_and_empty_call_ids_do_not_wedge_the_session(place: Place) -> None:
    marks = place.project / "marks"
    place.api.enqueue(
        reply(
            tool("Bash", {"command": f"echo 1 >> {marks}"}, id="x"),
            tool("Bash", {"command": f"echo 2 >> {marks}"}, id="x"),
        ),
        reply(tool("Bash", {"command": f"echo 3 >> {marks}"}, id="x")),
        reply(tool("Bash", {"command": f"echo 4 >> {marks}"}, id="")),
        "ok",
    )
    talk = await place.talk("go")
    assert marks.read_text().split() == ["1", "2", "3", "4"]
    assert talk.result.subtype == "success"
    last = place.api.messages[-1]
    blocks = [b for m in last.messages for b in blocks_of(m["content"])]
    ids = [b["id"] for b in blocks if b["type"] == "tool_use"]
    assert len(set(ids)) == len(ids) == 4


async def test_p4_blank_text_and_empty_output_are_never_sent(place: Place) -> None:
    place.api.enqueue(reply(" \n", tool("Bash", command="true")), "ok")
    talk = await place.talk("go")
    assert talk.result.subtype == "success"
    assert str(place.api.messages[1].tool_results[0]["content"]).strip()


async def test_an_unknown_tool_and_bad_input_are_answered_and_the_loop_goes_on(
    place: Place,
) -> None:
    place.api.enqueue(
        reply(tool("Fly", to="moon"), tool("Read", {}), tool("Read", raw='{"file_path": "a')),
        "ok",
    )
    talk = await place.talk("go")
    assert [r.is_error for r in talk.tool_results] == [True, True, True]
    assert "Fly" in str(talk.tool_results[0].content)
    assert "file_path" in str(talk.tool_results[1].content)
    assert talk.result.permission_denials == ()


async def test_a_denied_call_goes_on_with_the_reason(place: Place) -> None:
    file = place.write("a.txt", "x")
    place.api.enqueue(
        reply(tool("Edit", file_path=str(file), old_string="x", new_string="y")), "As you wish."
    )
    talk = await place.talk("go", approver=Answers(lambda r: Deny("leave it as it is")))
    assert file.read_text() == "x"
    assert talk.tool_results[0].content == "leave it as it is"
    assert [d["tool_name"] for d in talk.result.permission_denials] == ["Edit"]
    assert talk.result.subtype == "success"


async def test_a_denial_that_interrupts_ends_the_run_and_the_next_prompt_works(
    place: Place,
) -> None:
    place.api.enqueue(reply(tool("Bash", command="touch a"), tool("Bash", command="touch b")), "ok")
    people = Answers(lambda r: Deny("", interrupt=True))
    talk = await place.talk("go", "go on", approver=people)
    first = talk.results[0]
    assert (first.subtype, first.terminal_reason) == ("error_during_execution", "aborted_tools")
    assert len(people.asked) == 1
    assert [r.is_error for r in talk.tool_results] == [True, True]
    assert talk.results[1].subtype == "success"
    assert not list(place.project.iterdir())


async def test_changed_input_is_what_runs_and_the_model_is_told(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="touch a")), "ok")
    change = Allow(updated_input={"command": "touch b"}, note="The person changed the command.")
    await place.talk("go", approver=Answers(lambda r: change))
    assert [p.name for p in place.project.iterdir()] == ["b"]
    assert "The person changed the command." in str(place.api.messages[1].tool_results[0])


async def test_deltas_come_only_when_asked_for(place: Place) -> None:

    place.api.enqueue("hello", "hello")
    assert (await place.talk("a")).events == []
    full = replace(place, options=replace(place.options, partial_messages=True))
    events = (await full.talk("a")).events
    assert events[0] == "message_start"
    assert events[-1] == "message_stop"
    assert "content_block_delta" in events


async def test_a_mentioned_file_is_read_for_the_model(place: Place) -> None:
    place.write("notes.md", "the password is swordfish")
    place.api.enqueue("ok")
    await place.talk("what does @notes.md say?")
    assert "swordfish" in json.dumps(place.api.messages[0].body)


async def test_calls_that_only_look_run_together_and_keep_their_order(place: Place) -> None:
    names = [place.write(f"{n}.txt", n) for n in "abc"]
    place.api.enqueue(reply(*(tool("Read", file_path=str(p)) for p in names)), "ok")
    talk = await place.talk("go")
    assert [str(r.content)[-1] for r in talk.tool_results] == ["a", "b", "c"]
    asked = [c.id for c in talk.calls]
    assert [r.tool_use_id for r in talk.tool_results] == asked
    assert isinstance(talk.calls[0], ToolUseBlock)


async def test_texts_are_what_the_model_said(place: Place) -> None:
    place.api.enqueue(reply(text("one"), tool("Bash", command="echo")), "two")
    assert (await place.talk("go")).texts == ["one", "two"]


async def test_output_too_long_to_return_can_be_read_back_unasked(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="seq 1 20000")), "ok")
    people = Answers()
    talk = await place.talk("go", approver=people)
    [kept] = (talk.journal.parent / talk.session_id / "tool-results").iterdir()
    place.api.enqueue(
        reply(tool("Read", file_path=str(kept), offset=19_999, limit=1)),
        reply(tool("Read", file_path=str(talk.journal))),
        "ok",
    )
    again = await place.resuming(talk.session_id).talk("more", approver=people)
    assert "19999" in str(again.tool_results[0].content)
    assert [request.input["file_path"] for request in people.asked] == [str(talk.journal)]


async def test_a_proposed_rule_means_the_same_file_where_it_is_stored(place: Place) -> None:
    (place.project / ".git").mkdir()
    inner = place.write("sub/a.txt", "x").parent
    below = replace(place, options=replace(place.options, cwd=str(inner)))
    place.api.enqueue(reply(tool("Edit", file_path="a.txt", old_string="x", new_string="y")), "ok")
    people = Answers()
    await below.talk("go", approver=people)
    [suggestion, *_] = people.asked[0].suggestions
    assert [str(rule) for rule in suggestion.rules] == [f"Edit(/{inner}/a.txt)"]
